import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenLinkResponse } from '@parley/contracts/interaction/v1/conversation';
import { type AppError, errorCodes, toAppError } from '@parley/runtime/errors';
import type { BrowserFile } from '@parley/browser-files/files';
import {
  callOf,
  type RequestContext,
  logServerFault,
  retryFieldsOf,
  send,
} from '../http/answer/request-context.ts';
import {
  documentOf,
  iconPath,
  lateName,
  lateNotice,
  lateTag,
  referenceLine,
  sdkPath,
  styleName,
} from '../http/answer/page.ts';
import { linkTokenChars } from '@parley/contracts/limits';
import { tokensIn } from '../http/answer/page-path.ts';
import { escaped } from '@parley/runtime/html';
import type { Peers } from '../peers.ts';
import { toBrandingIfAny } from '../api/workspaces/present-branding.ts';
import type { FramesOf } from './frames.ts';
import type { PageBranding } from './page-branding.ts';
import { type Brand, endOf } from './visitors/brand.ts';
import type { Resource } from '../http/answer/resource.ts';

interface Landing {
  /** Without a trailing slash. */
  url: string;
  /** The URL of the API for browsers. Undefined: the origin of the page. */
  publicUrl: string | undefined;
  /** The path of the page's script among the SDK's files. */
  script: string;
  peers: Pick<Peers, 'conversations'>;
  brandingOf: PageBranding;
  framesOf: FramesOf;
}

interface Page {
  status: number;
  html: string;
  fields?: Record<string, string>;
  /** The origins that may show it in a frame. Default: none. */
  framedBy?: string[];
}

interface Words {
  title: string;
  state: string;
  /** HTML with the reference of a failure. */
  reference?: string;
  /** Whether there is a conversation, which needs a script. */
  isOpen: boolean;
  /** Undefined if nothing is set, the workspace is unknown or its branding cannot be read. */
  brand?: Brand;
}

const states: Partial<Record<OpenLinkResponse['status'], string>> = {
  Pending: 'This conversation is ready to begin.',
  InProgress: 'This conversation has begun and can be continued.',
  Completed: 'This conversation is completed. Thank you!',
  Expired: 'This conversation has expired.',
};

function laterText(at: Date): string {
  return `This conversation can begin from ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

/** Returns the path of the landing URL, below which the gateway serves everything, too. */
export function landingPrefix(landingUrl: string): string {
  return new URL(landingUrl).pathname.replace(/\/$/, '');
}

/** Returns the files beside the page's script: the style sheet, and what says that the script was not loaded. */
export function pageFiles(): BrowserFile[] {
  const types = { [styleName]: 'text/css', [lateName]: 'text/javascript' };
  return Object.entries(types).map(([name, type]) => {
    const content = readFileSync(join(import.meta.dirname, name));
    return { name, path: name, type: `${type}; charset=utf-8`, isImmutable: false, content };
  });
}

/**
 * Returns the page of an interaction's link, with the branding of its workspace. It shows the names of the company and
 * the bot, and the state of the conversation. Its script replaces the element with the id `parley` and reads the
 * branding in the `parley-branding` meta element. Opening the page changes nothing. Revoked links and links of drafts
 * get one page (404). Unknown links get it without branding.
 */
export function landingResource(landing: Landing): Resource {
  return {
    path: '/interactions/:token',
    isPage: true,
    callsServices: true,
    show: async (context) => {
      const token = String(context.request.params['token']);
      let page: Page;
      try {
        const clean = await findToken(landing, tokensIn(token), context);
        // A mail program has added something to the link.
        if (clean !== '' && clean !== token) {
          return send(context, 301, '', { 'Cache-Control': 'no-store', Location: clean });
        }
        page = await pageFor(landing, token, context);
      } catch (error) {
        page = failurePage(landing, toAppError(error), context);
      }
      send(context, page.status, page.html, { ...fieldsOf(landing, page.framedBy), ...page.fields });
    },
  };
}

/** Returns the first of the tokens that leads to a conversation, else the last one. */
async function findToken(
  { peers }: Landing,
  [first, ...longer]: [string, ...string[]],
  context: RequestContext,
): Promise<string> {
  const { rpc } = callOf(context);
  let token = first;
  for (const next of longer) {
    try {
      await peers.conversations.openLink({ token }, rpc());
      return token;
    } catch (error) {
      if (toAppError(error).code !== 'not_found') throw error;
      token = next;
    }
  }
  return token;
}

// The link is a capability: caches, search engines, frames of others and referrers must not have it.
function fieldsOf({ publicUrl }: Landing, framedBy: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${publicUrl === undefined ? '' : ` ${new URL(publicUrl).origin}`}`,
    "img-src 'self' https:",
    `frame-ancestors ${framedBy.length > 0 ? framedBy.join(' ') : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  };
}

async function pageFor(landing: Landing, token: string, context: RequestContext): Promise<Page> {
  if (token.length < linkTokenChars.min) return unavailablePage(landing, incompleteLink);
  const { conversations } = landing.peers;
  const { rpc } = callOf(context);
  try {
    const opened = await conversations.openLink({ token }, rpc());
    const { workspaceId, botName, status, unavailable, availableFrom } = opened;
    const row = await landing.brandingOf(workspaceId, context);
    const { url, publicUrl = url } = landing;
    const brand = row && toBrandingIfAny(workspaceId, row, publicUrl);
    if (unavailable) return unavailablePage(landing, unknownLink, brand);
    const isOpen = status === 'Pending' || status === 'InProgress';
    // In UTC: the script knows language and time zone.
    const state = availableFrom ? laterText(availableFrom) : (states[status] ?? '');
    const words = { title: botName, state, isOpen, brand };
    // Of an open link, which pages of the workspace may show.
    const framedBy = opened.isAnonymous ? await landing.framesOf(workspaceId, context) : [];
    return { status: 200, html: pageOf(landing, words), framedBy };
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'not_found') return unavailablePage(landing, unknownLink);
    throw known;
  }
}

function failurePage(landing: Landing, error: AppError, context: RequestContext): Page {
  logServerFault(context, error);
  const state = 'Please open this link again in a moment.';
  const reference = referenceLine(context.requestId);
  const html = pageOf(landing, { title: 'Not available now', state, isOpen: false, reference });
  return { status: errorCodes[error.code].http, html, fields: retryFieldsOf(error) };
}

const unknownLink = 'This link does not lead to a conversation.';
const incompleteLink = 'This link is incomplete. Open it from the message again, or copy all of it.';

function unavailablePage(landing: Landing, state: string, brand?: Words['brand']): Page {
  return { status: 404, html: pageOf(landing, { title: 'Not available', state, isOpen: false, brand }) };
}

const noScript = '<noscript><p>It needs JavaScript, which is switched off here.</p></noscript>\n';

// Paths are relative, so they work below any prefix.
function pageOf({ publicUrl, script }: Landing, words: Words): string {
  const { title, state, reference = '', isOpen, brand } = words;
  // Customers first want to know whose page it is.
  const names = [brand?.displayName, title].filter((name) => name != null).map(escaped);
  const [heading, ...others] = names;
  const metas = [
    ...(publicUrl === undefined ? [] : [meta('parley-api', publicUrl)]),
    ...(brand ? [meta('parley-branding', JSON.stringify(brand))] : []),
  ];
  return documentOf({
    title: names.join(' – '),
    head: `${metas.join('')}<link rel="icon" href="${escaped(brand?.logoUrl ?? `..${iconPath}`)}">
<link rel="stylesheet" href="..${sdkPath}${styleName}">
${isOpen ? `${lateTag('..')}\n` : ''}<script type="module" src="..${sdkPath}${script}"></script>`,
    body: `<main id="parley">
<h1>${heading}</h1>
${others.map((name) => `<p>${name}</p>\n`).join('')}<p>${escaped(state)}</p>
${reference}
${isOpen ? noScript + lateNotice : endOf(brand)}</main>`,
  });
}

function meta(name: string, content: string): string {
  return `<meta name="${name}" content="${escaped(content)}">\n`;
}
