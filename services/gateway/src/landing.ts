import type { OpenLinkResponse } from '@parley/contracts/interaction/v1/conversation';
import { errorCodes, toAppError } from '@parley/runtime/errors';
import { callOf, type Exchange, logHeldBack, send } from './exchange.ts';
import type { Peers } from './peers.ts';
import type { Resource } from './resource.ts';

interface Page {
  status: number;
  html: string;
}

// The link is a capability: it is not to be stored, indexed, framed or passed on.
const landingFields = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

const states: Partial<Record<OpenLinkResponse['status'], string>> = {
  Pending: 'This conversation is ready to begin.',
  InProgress: 'This conversation has begun and can be continued.',
  Completed: 'This conversation is completed. Thank you!',
  Expired: 'This conversation has expired.',
};

/** What the landing page needs. */
interface Landing {
  /** Where links lead, without a trailing slash. */
  url: string;
  conversations: Peers['conversations'];
}

const timeoutMs = 5_000;

/**
 * What a link of an interaction shows: the bot's name and the state of the talk. Opening it changes nothing, however
 * often. A link that is unknown, revoked or of a draft gets one and the same page (404).
 */
export function landingResource({ url, conversations }: Landing): Resource {
  return {
    path: `${new URL(url).pathname.replace(/\/$/, '')}/interactions/:token`,
    show: async (current) => {
      const token = String(current.request.params['token']);
      const { status, html } = await pageFor(conversations, token, current);
      send(current, status, html, landingFields);
    },
  };
}

async function pageFor(
  conversations: Peers['conversations'],
  token: string,
  current: Exchange,
): Promise<Page> {
  try {
    const { botName, status } = await conversations.openLink({ token }, callOf(current, timeoutMs).rpc());
    return { status: 200, html: page(botName, states[status] ?? '') };
  } catch (error) {
    const known = toAppError(error);
    if (known.code === 'not_found') {
      return { status: 404, html: page('Not available', 'This link does not lead to a conversation.') };
    }
    logHeldBack(current, known);
    const html = page('Not available now', 'Please open this link again in a moment.');
    return { status: errorCodes[known.code].http, html };
  }
}

function page(heading: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(heading)}</title>
</head>
<body>
<main>
<h1>${escaped(heading)}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in HTML content or an attribute. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
