import { join } from 'node:path';
import { type BrowserFile, browserFiles, widgetDist } from '@parley/browser-files/files';
import type { Config } from './config.ts';
import { iconPath } from './http/answer/page.ts';
import { landingPrefix, landingResource, pageFiles } from './pages/landing.ts';
import { logoResource } from './pages/logos.ts';
import type { PageBranding } from './pages/page-branding.ts';
import { previewResource } from './pages/preview.ts';
import type { Peers } from './peers.ts';
import { createConsoleCookies } from './http/request/session-cookie.ts';
import type { RateLimits } from './limits/rate-limit.ts';
import type { FramesOf } from './pages/frames.ts';
import { answerResource } from './pages/visitors/answer.ts';
import { openLinkResource } from './pages/visitors/open-link.ts';
import { fileResource, type Resource } from './http/answer/resource.ts';
import { sdkFileResources } from './pages/sdk-files.ts';

/** What pages know of workspaces, and the limits of their visitors. */
export interface ForPages {
  brandingOf: PageBranding;
  framesOf: FramesOf;
  rateLimits: RateLimits;
}

/**
 * Returns the resources for browsers: SDK, landing page, preview of a bot, icons and logos. Throws if the files are not
 * built.
 */
export function browserResources(
  config: Config,
  peers: Peers,
  { brandingOf, framesOf, rateLimits }: ForPages,
): Resource[] {
  const { landingUrl } = config;
  // A landing page below a path finds the API there, too: a proxy may forward nothing else.
  const publicUrl = config.publicUrl ?? (landingPrefix(landingUrl) ? landingUrl : undefined);
  const files = [...browserFiles(widgetDist), ...pageFiles()];
  const script = pathOf(files, 'landing.js');
  return [
    landingResource({ url: landingUrl, publicUrl, script, peers, brandingOf, framesOf }),
    answerResource({ publicUrl: publicUrl ?? landingUrl, peers, brandingOf, rateLimits }),
    openLinkResource({
      publicUrl: publicUrl ?? landingUrl,
      peers,
      brandingOf,
      framesOf,
      rateLimits,
      cookies: createConsoleCookies(landingUrl),
    }),
    iconResource(),
    logoResource(peers.identity),
    ...sdkFileResources(files),
    previewResource(script),
  ];
}

function iconResource(): Resource {
  return fileResource(iconPath, join(import.meta.dirname, 'pages/favicon.ico'), 'image/x-icon');
}

function pathOf(files: BrowserFile[], wanted: string): string {
  const file = files.find(({ name }) => name === wanted);
  if (!file) throw new Error(`the browser files have no ${wanted}`);
  return file.path;
}
