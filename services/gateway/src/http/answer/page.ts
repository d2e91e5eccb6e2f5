import { escaped } from '@parley/runtime/html';
import type { Request } from 'express';

/** The path of the browser SDK below any prefix. */
export const sdkPath = '/sdk/v1/';
/** The path of the icon of pages that name none. */
export const iconPath = '/favicon.ico';
/** The style sheet of pages, among the files of the SDK. */
export const styleName = 'landing.css';

/** The script that says that another one was not loaded, among the files of the SDK. */
export const lateName = 'late.js';

/** What `late.js` and the style sheets show if the script of a page does not put something in its place. */
export const lateNotice = `<div class="late" role="alert">
<p>A part of this page was not loaded, or it takes longer than usual.</p>
<p><a href="">Try again</a></p>
</div>
`;

/** Returns the tag of the script. It comes before the tag of the page's own script. */
export function lateTag(base: string): string {
  return `<script defer src="${base}${sdkPath}${lateName}"></script>`;
}

export interface Page {
  /** The path prefix of the request: empty, or the prefix of the landing URL. */
  base: string;
  title: string;
  /** HTML below the title. */
  body: string;
  script?: string | undefined;
}

/** The header fields of such a page without a script. */
export const pageFields = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept',
};

export function pageOf({ base, title, body, script }: Page): string {
  return documentOf({
    title: escaped(title),
    head: `<link rel="icon" href="${base}${iconPath}">
<link rel="stylesheet" href="${base}${sdkPath}${styleName}">${scriptTag(base, script)}`,
    body: `<main id="parley">
<h1>${escaped(title)}</h1>
${body}
${script === undefined ? '' : lateNotice}</main>`,
  });
}

/** Returns a document of the gateway. All parts are HTML: `head` follows the title. */
export function documentOf({
  title,
  head,
  body,
  lang = 'en',
}: Record<'title' | 'head' | 'body', string> & { lang?: string }): string {
  return `<!doctype html>
<html lang="${lang}"${lang === 'ar' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

function scriptTag(base: string, path: string | undefined): string {
  return path === undefined ? '' : `\n${lateTag(base)}\n<script type="module" src="${base}${path}"></script>`;
}

// The paths of the OpenAPI document, also misspelt.
const apiPath = /^\/+(?:(?:public\/+)?v\d+|healthz|readyz)\b/i;

/**
 * Returns whether an error of the request is shown as a page: a browser opens an address outside of the API. Addresses
 * that look like a link of an interaction always have pages.
 */
export function isShownAsPage(request: Request): boolean {
  const { method, path } = request;
  if ((method !== 'GET' && method !== 'HEAD') || apiPath.test(path)) return false;
  return /\/interactions(?:[/%]|$)/i.test(path) || prefersHtml(request);
}

/** Returns whether the caller prefers a page to JSON, as browsers do. */
export function prefersHtml(request: Request): boolean {
  return request.accepts(['application/json', 'text/html']) === 'text/html';
}

/** Returns the page of an error. It has a reference by which logs and traces are found, unless the address is wrong. */
export function errorPage(base: string, status: number, requestId: string): string {
  if (status < 429) {
    const body = '<p>Please check the address, or open the link in your message again.</p>';
    return pageOf({ base, title: 'There is no such page', body });
  }
  const body = `<p>Please open this page again in a moment.</p>\n${referenceLine(requestId)}`;
  return pageOf({ base, title: 'Not available now', body });
}

/** Returns the line with the reference that a person can quote: the id of the request. */
export function referenceLine(requestId: string): string {
  return `<p>If you ask for help, quote this reference: <code>${escaped(requestId)}</code></p>`;
}
