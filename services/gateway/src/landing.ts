import type { OpenLinkResponse } from '@parley/contracts/interaction/v1/conversation';
import { errorCodes, toAppError } from '@parley/runtime/errors';
import { callOf, type Exchange, logHeldBack, send } from './exchange.ts';
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
}

const states: Partial<Record<OpenLinkResponse['status'], string>> = {
  Pending: 'This conversation is ready to begin. It needs JavaScript, which is switched off here.',
  InProgress:
    'This conversation has begun and can be continued. It needs JavaScript, which is switched off here.',
  Completed: 'This conversation is completed. Thank you!',
  Expired: 'This conversation has expired.',
};

const timeoutMs = 5_000;

/** The path that landing pages, and the files that they load, are below: empty unless the landing URL has one. */
export function landingPrefix(landingUrl: string): string {
  return new URL(landingUrl).pathname.replace(/\/$/, '');
}

/**
 * The page that the link of an interaction leads to. Its script holds the talk, once the customer wants to; who has no
 * scripts is told the bot's name and the state of the talk. Opening it changes nothing, however often. A link that is
 * unknown, revoked or of a draft gets one and the same page (404).
 */
export function landingResource(landing: Landing): Resource {
  const fields = fieldsOf(landing);
  return {
    path: `${landingPrefix(landing.url)}/interactions/:token`,
    show: async (current) => {
      const token = String(current.request.params['token']);
      const { status, html } = await pageFor(landing, token, current);
      send(current, status, html, fields);
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
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
}

async function pageFor(landing: Landing, token: string, current: Exchange): Promise<Page> {
  const page = (title: string, words: string): string => pageOf(landing, title, words);
  try {
    const { botName, status } = await landing.conversations.openLink(
      { token },
      callOf(current, timeoutMs).rpc(),
    );
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

// The script's path is relative, so that it is found below any prefix.
function pageOf({ publicUrl, script }: Landing, title: string, words: string): string {
  const api = publicUrl === undefined ? '' : `<meta name="parley-api" content="${escaped(publicUrl)}">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${api}<title>${escaped(title)}</title>
<script type="module" src="..${sdkPath}${script}"></script>
</head>
<body>
<noscript>
<h1>${escaped(title)}</h1>
<p>${escaped(words)}</p>
</noscript>
</body>
</html>
`;
}
