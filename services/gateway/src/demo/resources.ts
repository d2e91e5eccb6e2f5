import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import { faultMessage } from '@parley/runtime/zod-faults';
import { z } from 'zod';
import { publicBodyBytesMax, readJson } from '../http/body.ts';
import { addressGroupOf } from '../http/client-address.ts';
import { success } from '../http/envelope.ts';
import { callOf, type RequestContext, send, sendJson } from '../http/request-context.ts';
import { faultsOf } from '../values/faults.ts';
import { escaped } from '../http/html.ts';
import type { Peers } from '../peers.ts';
import { fileResource, once, type Resource } from '../http/resource.ts';
import { createTokenBuckets } from '../limits/token-bucket.ts';
import { readDemo } from './demo-file.ts';
import { requestsOf } from './requests.ts';
import { newestTalk, offerTalk } from './talks.ts';

/** What the demo needs. */
interface DemoOptions {
  /** Where the local run says who and what it is about. */
  file: string;
  /** Without a trailing slash; the demo is at this origin, which may use the browser SDK. */
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

// That of a careful shop, which lets in what Parley asks of a host page and no more.
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

/** Of one address: a person who tries all buttons again and again. */
const callsPerMinute = 60;

const wish = z.strictObject({ talk: z.string() });

/**
 * A shop with Parley on it, for local runs. It stands in for a client: `/demo` is its page, `/demo/token` answers as
 * its backend would, `/demo/talks` does what its staff would, and `/demo/requests` shows the API calls for that.
 */
export function demoResources({ file, landingUrl, peers, now }: DemoOptions): Resource[] {
  const { identity, interactions } = peers;
  const { origin, host } = new URL(landingUrl);
  const calls = createTokenBuckets({ calls: callsPerMinute, seconds: 60 }, now);
  const readPage = once(() => readFile(join(shop, 'index.html'), 'utf8'));

  const admit = ({ request }: RequestContext): void => {
    const given = request.headers.origin;
    const isOwn =
      given === undefined ? request.headers['sec-fetch-site'] === 'same-origin' : given === origin;
    // A page that makes its own name lead here (DNS rebinding) is of the same origin, under that name.
    if (!isOwn || request.headers.host !== host)
      throw new AppError('permission_denied', 'foreign-origin', 'This is for the demo page only');
    const { isAllowed, secondsToNext } = calls.take(addressGroupOf(request.ip));
    if (isAllowed) return;
    throw new AppError('resource_exhausted', 'rate-limited', 'Too many calls from this address', {
      retryAfterSeconds: secondsToNext,
    });
  };
  const answer = (context: RequestContext, data: unknown): void =>
    sendJson(context, 200, JSON.stringify(success(data, null)));

  return [
    {
      path: '/demo',
      show: async (context) => {
        // By another name, say localhost, it would be of an origin that may not use the SDK.
        if (context.request.headers.host !== host) {
          return send(context, 303, '', { Location: `${origin}/demo`, 'Cache-Control': 'no-store' });
        }
        const { workspaceId } = await readDemo(file);
        const html = (await readPage()).replaceAll('{{workspaceId}}', escaped(workspaceId));
        const fields = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
        send(context, 200, html, { ...pageFields, ...fields });
      },
    },
    ...assets.map(({ name, type }) => fileResource(`/demo/${name}`, join(shop, name), type)),
    {
      path: '/demo/token',
      show: async (context) => {
        admit(context);
        const { workspaceId, customerId } = await readDemo(file);
        const { rpc } = callOf(context);
        const { customerToken } = await identity.mintCustomerToken({ workspaceId, customerId }, rpc());
        sendJson(context, 200, JSON.stringify({ customerToken }));
      },
    },
    {
      path: '/demo/requests',
      show: async (context) => {
        admit(context);
        answer(context, requestsOf(await readDemo(file), origin));
      },
    },
    {
      path: '/demo/talks',
      show: async (context) => {
        admit(context);
        answer(context, await newestTalk(interactions, await readDemo(file), callOf(context).rpc));
      },
      post: async (context) => {
        admit(context);
        const demo = await readDemo(file);
        const parsed = wish.safeParse(await readJson(context.request, publicBodyBytesMax), {
          error: faultMessage,
        });
        if (!parsed.success) throw invalidRequest(faultsOf('body', parsed.error));
        const { talk: name } = parsed.data;
        const talk = Object.hasOwn(demo.talks, name) ? demo.talks[name] : undefined;
        if (!talk) throw invalidRequest([{ pointer: '/talk', detail: 'Is none of the demo' }]);
        const { id, linkToken } = await offerTalk(interactions, demo, talk, callOf(context).rpc);
        answer(context, { interactionId: id, link: `${landingUrl}/interactions/${linkToken}` });
      },
    },
  ];
}
