import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenLinkResponse } from '@parley/contracts/interaction/v1/conversation';
import { errorCodes, toAppError } from '@parley/runtime/errors';
import type { WidgetFile } from '@parley/widget/files';
import { callOf, type Exchange, logHeldBack, retryFieldsOf, send } from './exchange.ts';
import { escaped } from './html.ts';
import type { Peers } from './peers.ts';
import type { Resource } from './resource.ts';
import { sdkPath } from './sdk-files.ts';

/** What the landing page needs. */
interface Landing {
  /** Where links lead, without a trailing slash. */
  url: string;
  /** Where browsers reach the API; undefined: where the page is from. */
  publicUrl: string | undefined;
  /** The path of the page's script among the SDK's files. */
  script: string;
  conversations: Peers['conversations'];
}

interface Page {
  status: number;
  html: string;
  fields?: Record<string, string>;
}

/** What a page says of itself until its script does. */
interface Words {
  title: string;
  state: string;
  /** Whether there is a talk, which takes a script. */
  isOpen: boolean;
}

const states: Partial<Record<OpenLinkResponse['status'], string>> = {
  Pending: 'This conversation is ready to begin.',
  InProgress: 'This conversation has begun and can be continued.',
  Completed: 'This conversation is completed. Thank you!',
  Expired: 'This conversation has expired.',
};

const styleName = 'landing.css';

/** The path that landing pages, and the files that they load, are below: empty unless the landing URL has one. */
export function landingPrefix(landingUrl: string): string {
  return new URL(landingUrl).pathname.replace(/\/$/, '');
}

/** The style sheet of the page, as a file beside the page's script. */
export function landingStyle(): WidgetFile {
  const content = readFileSync(join(import.meta.dirname, styleName));
  return { name: styleName, path: styleName, type: 'text/css; charset=utf-8', isImmutable: false, content };
}

/**
 * The page that the link of an interaction leads to. It tells the bot's name and the state of the talk; its script, which
 * holds the talk, puts itself in the place of that: the element with the id `parley`. Opening it changes nothing, however often. A link that is
 * unknown, revoked or of a draft gets one and the same page (404).
 */
export function landingResource(landing: Landing): Resource {
  const fields = fieldsOf(landing);
  return {
    path: `${landingPrefix(landing.url)}/interactions/:token`,
    show: async (current) => {
      const token = String(current.request.params['token']);
      const { status, html, fields: more } = await pageFor(landing, token, current);
      send(current, status, html, { ...fields, ...more });
    },
  };
}

// The link is a capability: it is not to be stored, indexed, framed or passed on.
function fieldsOf({ publicUrl }: Landing): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${publicUrl === undefined ? '' : ` ${new URL(publicUrl).origin}`}`,
    "img-src 'self' https:",
    "frame-ancestors 'none'",
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

async function pageFor(landing: Landing, token: string, current: Exchange): Promise<Page> {
  try {
    const { botName, status } = await landing.conversations.openLink({ token }, callOf(current).rpc());
    const isOpen = status === 'Pending' || status === 'InProgress';
    return { status: 200, html: pageOf(landing, { title: botName, state: states[status] ?? '', isOpen }) };
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'not_found') {
      const state = 'This link does not lead to a conversation.';
      return { status: 404, html: pageOf(landing, { title: 'Not available', state, isOpen: false }) };
    }
    logHeldBack(current, known);
    const state = 'Please open this link again in a moment.';
    const html = pageOf(landing, { title: 'Not available now', state, isOpen: false });
    return { status: errorCodes[known.code].http, html, fields: retryFieldsOf(known) };
  }
}

// The paths of its files are relative, so that they are found below any prefix.
function pageOf({ publicUrl, script }: Landing, { title, state, isOpen }: Words): string {
  const api = publicUrl === undefined ? '' : `<meta name="parley-api" content="${escaped(publicUrl)}">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${api}<title>${escaped(title)}</title>
<link rel="stylesheet" href="..${sdkPath}${styleName}">
<script type="module" src="..${sdkPath}${script}"></script>
</head>
<body>
<main id="parley">
<h1>${escaped(title)}</h1>
<p>${escaped(state)}</p>
${isOpen ? '<noscript><p>It needs JavaScript, which is switched off here.</p></noscript>\n' : ''}</main>
</body>
</html>
`;
}
