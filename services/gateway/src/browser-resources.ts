import { type WidgetFile, widgetFiles } from '@parley/browser-files/files';
import type { Config } from './config.ts';
import { demoResources } from './demo/resources.ts';
import { iconResource } from './pages/icon.ts';
import { landingPrefix, landingResource, landingStyle } from './pages/landing.ts';
import { logoResource } from './pages/logos.ts';
import type { Peers } from './peers.ts';
import { traceResources } from './pages/traces.ts';
import type { Resource } from './http/resource.ts';
import { sdkFileResources } from './pages/sdk-files.ts';

/**
 * Returns the resources for browsers: SDK, landing page, icons, logos, and demo and traces of a local run. `now` is a
 * clock in milliseconds. Throws if the files of the SDK are not built.
 */
export function browserResources(config: Config, peers: Peers, now: () => number): Resource[] {
  const { landingUrl, publicUrl, demoFile, tracesUrl } = config;
  const files = [...widgetFiles(), landingStyle()];
  const script = pathOf(files, 'landing.js');
  const prefix = landingPrefix(landingUrl);
  return [
    landingResource({ url: landingUrl, publicUrl, script, peers }),
    ...Array.from(new Set(['', prefix])).flatMap((below) => [
      iconResource(below),
      logoResource(peers.identity, below),
      ...sdkFileResources(files, below),
    ]),
    ...(demoFile === undefined ? [] : demoResources({ file: demoFile, landingUrl, peers, now })),
    ...(tracesUrl === undefined ? [] : traceResources(tracesUrl)),
  ];
}

function pathOf(files: WidgetFile[], wanted: string): string {
  const file = files.find(({ name }) => name === wanted);
  if (!file) throw new Error(`the browser files have no ${wanted}`);
  return file.path;
}
