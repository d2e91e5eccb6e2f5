import { randomBytes } from 'node:crypto';
import { keyring } from '@parley/runtime/config/keyring';
import { type ApiDocument, Contract } from '@parley/testing/setup/contract';
import { quietLogger } from '@parley/testing/quiet';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Config } from '../../src/config.ts';
import { additionsOf, type DemoConfig } from '../../src/demo/config.ts';
import { start } from '../../src/service.ts';
import { known } from './known.ts';
import { type FakeServices, rpcToken, startFakeServices } from './services.ts';

const envelope = z.strictObject({
  success: z.boolean(),
  code: z.int(),
  detail: z.string(),
  data: z.unknown(),
  meta: z
    .record(z.string(), z.int())
    .or(z.strictObject({ nextCursor: z.string().nullable() }))
    .nullable(),
  type: z.string().optional(),
  requestId: z.string().optional(),
  errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).optional(),
});

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Returns the body as the envelope of every answer. */
  envelope(): z.output<typeof envelope>;
}

interface Options {
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; a string or buffer unchanged. */
  body?: unknown;
  credentials?: string | null;
}

/** A gateway in front of services with fixed answers. */
export interface Surface extends AsyncDisposable {
  services: FakeServices;
  url: string;
  /** Calls with the known key, unless `credentials` has others. */
  call(method: string, path: string, options?: Options): Promise<Answer>;
  /** Stops the gateway, not the services. */
  stop(): Promise<void>;
}

/** `Basic` credentials of the known key. */
export const basic = basicOf(`${known.apiKey}:${known.apiSecret}`);

/** Returns `Basic` credentials of any text. */
export function basicOf(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

const generous: Config['limits'] = {
  callsPerSecond: 10_000,
  callsBurst: 10_000,
  sessionsPerMinute: 10_000,
  pendingPerMinute: 10_000,
  conversationCallsPerMinute: 10_000,
  messagesPerMinute: 10_000,
  workspaceLookupsPerMinute: 10_000,
  signInsPerMinute: 10_000,
  authFailuresPerMinute: 10_000,
  startsPerAddressPerMinute: 10,
  startsPerLinkPerMinute: 600,
};

/** The changes of a test to the configuration, and what a local run adds. */
type Change = Partial<Omit<DemoConfig, 'limits'>> & { limits?: Partial<Config['limits']> };

/** The contracts of the descriptions so far: each compiles its schemas. */
const contracts = new Map<string, Contract>();

function contractOf(description: string): Contract {
  const contract = contracts.get(description) ?? new Contract(JSON.parse(description) as ApiDocument);
  contracts.set(description, contract);
  return contract;
}

/** Starts both on free loopback ports. Checks every answer against the description that the gateway serves. */
export async function startSurface(change: Change = {}): Promise<Surface> {
  const services = await startFakeServices();
  const config: DemoConfig = {
    listen: { host: '127.0.0.1', port: 0 },
    addresses: services.addresses,
    rpcToken,
    rpcTls: undefined,
    natsUrl: 'nats://127.0.0.1:1',
    sessionKeys: keyring.parse(`k1:${randomBytes(32).toString('base64')}`),
    landingUrl: 'https://talk.example',
    trustedProxies: [],
    docsExamplesFile: undefined,
    publicUrl: undefined,
    demoFile: undefined,
    tracesUrl: undefined,
    ...change,
    limits: { ...generous, ...change.limits },
  };
  const gateway = await start(config, quietLogger, additionsOf(config)).catch(async (error: unknown) => {
    await services[Symbol.asyncDispose]();
    throw error;
  });
  const url = `http://${gateway.address}`;
  const dispatcher = new Agent();
  const description = await request(`${url}/openapi.json`, { dispatcher });
  const contract = contractOf(await description.body.text());
  return {
    services,
    url,
    call: async (method, givenPath, { headers = {}, body, credentials = basic } = {}) => {
      // A prefix of the landing URL makes no difference to the contract.
      const path = givenPath.replace(/^\/t\/x(?=\/)/, '');
      const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
      const response = await request(url + givenPath, {
        method,
        dispatcher,
        headers: {
          ...(credentials !== null && { authorization: credentials }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
      });
      const text = await response.body.text();
      const { statusCode: status, headers: fields } = response;
      const isApi = /^\/(?:public\/)?v1(?:\/|$)/.test(path);
      const isFile = /^\/(?:interactions|open|sdk|demo|docs|guides|logos|favicon\.ico)(?:\/|$)/.test(path);
      const isPage = String(fields['content-type']).startsWith('text/html') || status === 301;
      if (isApi || !(isFile || isPage)) {
        expect(
          contract.faultOf({ method, path, status, headers: toHeaders(fields), body: text }),
        ).toBeUndefined();
      }
      return {
        status,
        headers: fields,
        text,
        envelope: () => envelope.parse(JSON.parse(text)),
      };
    },
    stop: async () => gateway[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: async () => {
      await dispatcher.close();
      await gateway[Symbol.asyncDispose]();
      await services[Symbol.asyncDispose]();
    },
  };
}

function toHeaders(fields: Answer['headers']): Headers {
  return new Headers(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
