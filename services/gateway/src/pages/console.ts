import { type BrowserFile, browserFiles, consoleDist } from '@parley/browser-files/files';
import { escaped } from '@parley/runtime/html';
import { documentOf, iconPath, lateNotice, lateTag } from '../http/answer/page.ts';
import { type RequestContext, send } from '../http/answer/request-context.ts';
import { createEncodingSelector, type Resource, sendFile, unknownRoute } from '../http/answer/resource.ts';

export const consolePath = '/console';
const filesPath = `${consolePath}/files/`;

// No other hosts, no inline code. The only frame is the preview of a bot.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const pageFields = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const fileFields = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Accept-Encoding',
};

export interface ConsolePage {
  title: string;
  /** What its script reads, by the name of a `meta` element. Undefined: there is none. */
  metas: Readonly<Record<string, string | undefined>>;
  /** The origins whose pages may show it in a frame. */
  framedBy: readonly string[];
}

export type SendConsolePage = (context: RequestContext, page: ConsolePage) => void;

interface Console {
  hasTraces: boolean;
  sendPage: SendConsolePage;
}

/**
 * Returns the console: its files, which caches may store for ever, and one page for every path below `/console`. Its
 * script shows what the path names. They come after other resources below `/console`, which they would hide. Throws if
 * the files are not built.
 */
export function consoleResources({ hasTraces, sendPage }: Console): Resource[] {
  const files = browserFiles(consoleDist);
  const served = new Map(files.map((file) => [file.path, createEncodingSelector(file)]));
  const show = async (context: RequestContext): Promise<void> => {
    const metas = { 'parley-traces': hasTraces ? 'yes' : undefined };
    sendPage(context, { title: 'Parley console', metas, framedBy: [] });
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
    { path: consolePath, isPage: true, show },
    { path: `${consolePath}/*path`, show },
  ];
}

/** `base` is the path prefix of the request. */
export function consoleFile(base: string, path: string): string {
  return `${base}${filesPath}${path}`;
}

/** Throws if the files are not built. */
export function createConsolePages(): SendConsolePage {
  const files = browserFiles(consoleDist);
  return (context, page) => {
    const ancestors = page.framedBy.length > 0 ? page.framedBy.join(' ') : "'none'";
    send(context, 200, consolePage(files, page, context.request.baseUrl), {
      ...pageFields,
      'Content-Security-Policy': `${policy}; frame-ancestors ${ancestors}`,
    });
  };
}

/** `base` is the path prefix of the request. */
function consolePage(files: BrowserFile[], { title, metas }: ConsolePage, base: string): string {
  const named = Object.entries({ 'parley-base': base, ...metas }).flatMap(([name, content]) =>
    content === undefined ? [] : [`<meta name="${name}" content="${escaped(content)}">`],
  );
  const first = files.filter(({ isFirst }) => isFirst);
  const tags = first.map(({ name, path }) => {
    const address = consoleFile(base, path);
    if (name.endsWith('.css')) return `<link rel="stylesheet" href="${address}">`;
    return name === 'main.js'
      ? `<script type="module" src="${address}"></script>`
      : `<link rel="modulepreload" href="${address}">`;
  });
  return documentOf({
    title: escaped(title),
    head: `${named.join('\n')}
<link rel="icon" href="${base}${iconPath}">
${lateTag(base)}
${tags.join('\n')}`,
    body: `<div id="console"><div class="frame"><div></div><p></p><p></p><p></p></div>
${lateNotice}</div>
<noscript>The console needs JavaScript.</noscript>`,
  });
}
