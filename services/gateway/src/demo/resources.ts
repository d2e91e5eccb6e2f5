import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import { faultMessage } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { publicBodyLimits, readBody } from '../http/request/body.ts';
import { parseJson } from '../http/request/json.ts';
import { addressGroupOf } from '../http/request/client-address.ts';
import { success } from '../http/answer/envelope.ts';
import { callOf, type RequestContext, send, sendJson } from '../http/answer/request-context.ts';
import { faultsOf } from '../values/faults.ts';
import { escaped } from '@parley/runtime/html';
import type { Peers } from '../peers.ts';
import { fileResource, once, type Resource } from '../http/answer/resource.ts';
import { createTokenBuckets } from '../limits/token-bucket.ts';
import { type Demo, readDemo } from './demo-file.ts';
import { newestConversation, offerConversation } from './offers.ts';

interface DemoOptions {
  /** The file in which the local run stores its workspace, customer and conversations. */
  file: string;
  /** Without a trailing slash. The demo has this origin, which may use the browser SDK. */
  landingUrl: string;
  peers: Pick<Peers, 'identity' | 'interactions'>;
  /** A clock in milliseconds. */
  now: () => number;
}

const shop = join(import.meta.dirname, 'shop');

const assets = [
  { name: 'shop.css', type: 'text/css; charset=utf-8' },
  { name: 'shop.js', type: 'text/javascript; charset=utf-8' },
  { name: 'leaf.svg', type: 'image/svg+xml' },
];

// The policy of a careful shop: it allows only what the browser SDK needs.
const pageFields = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

/** The limit of one address: it allows a person to press all buttons repeatedly. */
const callsPerMinute = 60;

const wanted = z.strictObject({ offer: z.string() });

/** Rejects calls of other pages and too many calls. */
type Admit = (context: RequestContext) => void;

/**
 * Returns a shop with Parley for local runs. It acts as a company: `/demo` is its page, `/demo/token` its backend,
 * `/demo/conversations` its staff, `/demo/webhook` receives its events. `/demo/requests` shows the API calls of its
 * staff.
 */
export function demoResources(options: DemoOptions): Resource[] {
  const admit = createAdmit(options);
  return [
    pageResource(options),
    ...assets.map(({ name, type }) => fileResource(`/demo/${name}`, join(shop, name), type)),
    tokenResource(options, admit),
    requestsResource(options, admit),
    conversationsResource(options, admit),
    webhookResource,
  ];
}

function createAdmit({ landingUrl, now }: DemoOptions): Admit {
  const { origin, host } = new URL(landingUrl);
  const calls = createTokenBuckets({ calls: callsPerMinute, seconds: 60 }, now);
  return ({ request }) => {
    const given = request.headers.origin;
    const isOwn =
      given === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : given === origin;
    // With DNS rebinding, another site has the same origin, but under its own host name.
    if (!isOwn || request.headers.host !== host)
      throw new AppError('permission_denied', 'foreign-origin', 'This is for the demo page only');
    const { isAllowed, secondsToNext } = calls.take(addressGroupOf(request.ip));
    if (isAllowed) return;
    throw new AppError('resource_exhausted', 'rate-limited', 'Too many calls from this address', {
      retryAfterSeconds: secondsToNext,
    });
  };
}

function pageResource({ file, landingUrl }: DemoOptions): Resource {
  const { origin, host } = new URL(landingUrl);
  const readPage = once(() => readFile(join(shop, 'index.html'), 'utf8'));
  return {
    path: '/demo',
    isPage: true,
    show: async (context) => {
      // Under another name, such as localhost, its origin may not use the SDK.
      if (context.request.headers.host !== host) {
        return send(context, 303, '', { Location: `${origin}/demo`, 'Cache-Control': 'no-store' });
      }
      const { workspaceId } = await readDemo(file);
      const html = (await readPage()).replaceAll('{{workspaceId}}', escaped(workspaceId));
      const fields = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
      send(context, 200, html, { ...pageFields, ...fields });
    },
  };
}

function tokenResource({ file, peers }: DemoOptions, admit: Admit): Resource {
  return {
    path: '/demo/token',
    show: async (context) => {
      admit(context);
      const demo = await readDemo(file);
      const { workspaceId, customerId } = demo;
      const rpc = await callsFor(demo, context, peers);
      const { customerToken } = await peers.identity.mintCustomerToken({ workspaceId, customerId }, rpc());
      sendJson(context, 200, JSON.stringify({ customerToken }));
    },
  };
}

function requestsResource({ file, landingUrl }: DemoOptions, admit: Admit): Resource {
  const { origin } = new URL(landingUrl);
  return {
    path: '/demo/requests',
    show: async (context) => {
      admit(context);
      sendData(context, requestsOf(await readDemo(file), origin));
    },
  };
}

/**
 * Returns the request of a company's backend for each conversation, as a `curl` command. `origin`: where the API is.
 */
function requestsOf(demo: Demo, origin: string): Record<string, string> {
  const { workspaceId, apiKey, apiSecret, customerId, offers } = demo;
  return Object.fromEntries(
    Object.entries(offers).map(([name, offer]) => {
      const body = JSON.stringify({ customerId, status: 'Pending', ...offer });
      const lines = [
        `curl ${origin}/v1/workspaces/${workspaceId}/interactions`,
        `-u ${apiKey}:${apiSecret}`,
        "-H 'content-type: application/json'",
        `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
      ];
      return [name, lines.join(' \\\n  ')];
    }),
  );
}

function conversationsResource({ file, landingUrl, peers }: DemoOptions, admit: Admit): Resource {
  const { interactions } = peers;
  return {
    path: '/demo/conversations',
    show: async (context) => {
      admit(context);
      const demo = await readDemo(file);
      const rpc = await callsFor(demo, context, peers);
      sendData(context, await newestConversation(interactions, demo, rpc));
    },
    post: async (context) => {
      admit(context);
      const demo = await readDemo(file);
      const bytes = await readBody(context.request, publicBodyLimits);
      const body = bytes && parseJson(bytes, publicBodyLimits.valuesMax);
      const parsed = wanted.safeParse(body, { error: faultMessage });
      if (!parsed.success) throw invalidRequest(faultsOf('body', parsed.error));
      const { offer: name } = parsed.data;
      const offer = Object.hasOwn(demo.offers, name) ? demo.offers[name] : undefined;
      if (!offer) throw invalidRequest([{ pointer: '/offer', detail: 'Must be an offer of the demo' }]);
      return async () => {
        const rpc = await callsFor(demo, context, peers);
        const { id, linkToken } = await offerConversation(interactions, demo, offer, rpc);
        sendData(context, { interactionId: id, link: `${landingUrl}/interactions/${linkToken}` });
      };
    },
  };
}

/** Accepts every delivery, as a shop's backend would after it has checked the signature. */
const webhookResource: Resource = {
  path: '/demo/webhook',
  show: async (context) => {
    send(context, 200, 'The demo shop receives its webhooks here.\n', { 'Content-Type': 'text/plain' });
  },
  post: async (context) => {
    context.request.resume();
    return () => send(context, 204, '', {});
  },
};

/** Returns the options of calls for the demo. They need a grant of its key, as calls of the API do. */
async function callsFor(
  { apiKey, apiSecret }: Demo,
  context: RequestContext,
  { identity }: DemoOptions['peers'],
): Promise<() => CallOptions> {
  const { rpc } = callOf(context);
  const { grant } = await identity.authenticate({ apiKey, apiSecret, holder: '' }, rpc());
  return () => ({ ...rpc(), grant });
}

function sendData(context: RequestContext, data: unknown): void {
  sendJson(context, 200, JSON.stringify(success(data, null)));
}
