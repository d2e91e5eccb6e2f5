import { type AppError, errorCodes } from '@parley/runtime/errors';
import { escaped } from '@parley/runtime/html';
import { documentOf, iconPath, referenceLine, sdkPath, styleName } from '../../http/answer/page.ts';
import {
  logServerFault,
  type RequestContext,
  retryFieldsOf,
  send,
} from '../../http/answer/request-context.ts';
import { accentOf, type Brand, logoOf } from './brand.ts';
import { visitorWords } from './visitor-words.ts';

// Pages for visitors without an account, which need no script.

/** Caches, search engines and referrers must not have what is in the address. */
export const privateFields = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
};

const policyOf = (style: string, framedBy: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'self'${style}`,
    "img-src 'self' https:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
  ].join('; ');

export interface PageParts {
  title: string;
  heading: string;
  lines: string[];
  /** HTML. */
  more: string;
  /** It is about a test, and marked so. */
  isTest?: boolean | null | undefined;
  brand?: Brand;
  /** The origins that may show the page in a frame. */
  framedBy?: readonly string[];
}

export function sendVisitorPage(
  context: RequestContext,
  status: number,
  { title, heading, lines, more, isTest, brand, framedBy = [] }: PageParts,
  fields: Record<string, string> = {},
): void {
  const { request } = context;
  const base = request.baseUrl;
  const { lang, words } = visitorWords(request);
  const mark = isTest ? `<p><mark>${words.test}</mark></p>\n` : '';
  const accent = accentOf(brand);
  const html = documentOf({
    lang,
    title: escaped(title),
    head: `<link rel="icon" href="${escaped(brand?.logoUrl ?? base + iconPath)}">
<link rel="stylesheet" href="${base}${sdkPath}${styleName}">${accent.html}`,
    body: `<main id="parley">
${logoOf(brand)}<h1>${escaped(heading)}</h1>
${mark}${lines.map((line) => `<p>${escaped(line)}</p>\n`).join('')}${more}</main>`,
  });
  send(context, status, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(accent.source, framedBy),
    ...privateFields,
    ...fields,
  });
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
  const status = errorCodes[error.code].http;
  const more = status >= 500 ? referenceLine(context.requestId) : '';
  const parts = { title: state, heading: state, lines: [], more, framedBy };
  sendVisitorPage(context, status, parts, retryFieldsOf(error));
}
