import { type BrowserFile, browserFiles, consoleDist } from '@parley/browser-files/files';
import { iconPath, sdkPath, styleName } from '../http/page.ts';
import { type RequestContext, send } from '../http/request-context.ts';
import { createEncodingSelector, type Resource, sendFile, unknownRoute } from '../http/resource.ts';

const consolePath = '/console';
const filesPath = `${consolePath}/files/`;

// No other hosts and no inline code. The only frame is the preview of a bot.
const consolePolicy = ["img-src 'self'", "connect-src 'self'", "frame-src 'self'", "frame-ancestors 'none'"];
// It calls nobody: the conversation is in the page.
const previewPolicy = ["img-src 'self' https:", "frame-ancestors 'self'"];

function fieldsOf(policy: readonly string[]): Record<string, string> {
  const policies = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...policy,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policies.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  };
}

const pageFields = fieldsOf(consolePolicy);
const previewFields = fieldsOf(previewPolicy);

const fileFields = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
};

/** What the console of this gateway can link to. */
interface ConsoleLinks {
  /** The path of the script of the landing page among the SDK's files. */
  landingScript: string;
  /** Whether the gateway shows the traces of a local run. */
  hasTraces: boolean;
}

/**
 * Returns the console: its files, which caches may store for ever, and one page for every path below `/console`. Its
 * script shows what the path names. They come after other resources below `/console`, which they would hide. Throws if
 * the files are not built.
 */
export function consoleResources(links: ConsoleLinks): Resource[] {
  const files = browserFiles(consoleDist);
  const served = new Map(files.map((file) => [file.path, createEncodingSelector(file)]));
  const show = async (context: RequestContext): Promise<void> => {
    send(context, 200, consolePage(files, links, context.request.baseUrl), pageFields);
  };
  return [
    {
      path: `${filesPath}:name`,
      show: async (context) => {
        const pick = served.get(String(context.request.params['name']));
        if (!pick) throw unknownRoute();
        sendFile(context, await pick(context.request), fileFields);
      },
    },
    {
      path: `${consolePath}/preview/:id`,
      show: async (context) => {
        send(context, 200, previewPage(files, links, context.request.baseUrl), previewFields);
      },
    },
    { path: consolePath, isPage: true, show },
    { path: `${consolePath}/*path`, show },
  ];
}

/**
 * Returns the page of a bot's preview, for a frame of the editor. Its script waits for the definition, and then starts
 * the script of the landing page, which shows the conversation as customers see it.
 */
function previewPage(files: BrowserFile[], { landingScript }: ConsoleLinks, base: string): string {
  const file = files.find(({ name }) => name === 'preview.js');
  if (!file) throw new Error('the browser files have no preview.js');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="parley-landing" content="${base}${sdkPath}${landingScript}">
<title>Preview</title>
<link rel="icon" href="${base}${iconPath}">
<link rel="stylesheet" href="${base}${sdkPath}${styleName}">
<script type="module" src="${base}${filesPath}${file.path}"></script>
</head>
<body></body>
</html>
`;
}

/** Returns the page. `base` is the path prefix of the request. Its script reads the two `meta` elements. */
function consolePage(files: BrowserFile[], { hasTraces }: ConsoleLinks, base: string): string {
  const first = files.filter(({ isFirst }) => isFirst);
  const tags = first.map(({ name, path }) => {
    const address = `${base}${filesPath}${path}`;
    if (name.endsWith('.css')) return `<link rel="stylesheet" href="${address}">`;
    return name === 'main.js'
      ? `<script type="module" src="${address}"></script>`
      : `<link rel="modulepreload" href="${address}">`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="parley-base" content="${base}">
${hasTraces ? '<meta name="parley-traces" content="yes">\n' : ''}<title>Parley console</title>
<link rel="icon" href="${base}${iconPath}">
${tags.join('\n')}
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}
