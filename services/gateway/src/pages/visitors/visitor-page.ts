import { type AppError, errorCodes } from '@parley/runtime/errors';
import { escaped } from '@parley/runtime/html';
import { documentOf, iconPath, referenceLine, sdkPath, styleName } from '../../http/answer/page.ts';
import {
  logServerFault,
  type RequestContext,
  retryFieldsOf,
  send,
} from '../../http/answer/request-context.ts';
import { visitorWords } from './visitor-words.ts';

// Pages for visitors without an account, which need no script.

/** Caches, search engines and referrers must not have what is in the address. */
export const privateFields = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' https:",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ');

/** `framedBy`: the origins that may show the page in a frame. */
export function visitorFields(framedBy: readonly string[]): Record<string, string> {
  const ancestors = framedBy.length > 0 ? framedBy.join(' ') : "'none'";
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${policy}; frame-ancestors ${ancestors}`,
    ...privateFields,
  };
}

export function sendFailurePage(
  context: RequestContext,
  error: AppError,
  framedBy: readonly string[] = [],
): void {
  const { words } = visitorWords(context.request);
  logServerFault(context, error);
  context.errorType = error.type;
  const isTooMany = error.code === 'resource_exhausted';
  const state = error.code === 'not_found' ? words.unknown : isTooMany ? words.tooMany : words.again;
  const isOurs = errorCodes[error.code].http >= 500;
  const more = isOurs ? referenceLine(context.requestId) : '';
  const html = visitorPage(context, { title: state, icon: undefined, heading: state, lines: [], more });
  send(context, errorCodes[error.code].http, html, { ...visitorFields(framedBy), ...retryFieldsOf(error) });
}

export interface PageParts {
  title: string;
  icon: string | undefined;
  heading: string;
  lines: string[];
  /** HTML. */
  more: string;
}

export function visitorPage(
  { request }: RequestContext,
  { title, icon, heading, lines, more }: PageParts,
): string {
  const base = request.baseUrl;
  return documentOf({
    lang: visitorWords(request).lang,
    title: escaped(title),
    head: `<link rel="icon" href="${escaped(icon ?? base + iconPath)}">
<link rel="stylesheet" href="${base}${sdkPath}${styleName}">`,
    body: `<main id="parley">
<h1>${escaped(heading)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>\n`).join('')}${more}</main>`,
  });
}
