import { browserFiles, consoleDist } from '@parley/browser-files/files';
import { documentOf, iconPath, sdkPath, styleName } from '../http/answer/page.ts';
import { send } from '../http/answer/request-context.ts';
import type { Resource } from '../http/answer/resource.ts';
import { consoleFile } from './console.ts';

// It calls nobody: the conversation is in the page.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // A logo that is being chosen is in the message.
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

const fields = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

/**
 * Returns the page of a bot's preview, for a frame of the console's editor. Its script waits for the definition, and
 * then starts the script of the landing page, `landingScript` among the SDK's files, which shows the conversation as
 * customers see it. Throws if the files are not built.
 */
export function previewResource(landingScript: string): Resource {
  const file = browserFiles(consoleDist).find(({ name }) => name === 'preview.js');
  if (!file) throw new Error('the browser files have no preview.js');
  return {
    path: '/console/preview/:id',
    show: async (context) => {
      const base = context.request.baseUrl;
      send(context, 200, previewPage(base, consoleFile(base, file.path), landingScript), fields);
    },
  };
}

function previewPage(base: string, script: string, landingScript: string): string {
  return documentOf({
    title: 'Preview',
    head: `<meta name="parley-landing" content="${base}${sdkPath}${landingScript}">
<link rel="icon" href="${base}${iconPath}">
<link rel="stylesheet" href="${base}${sdkPath}${styleName}">
<script type="module" src="${script}"></script>`,
    body: '',
  });
}
