import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '@parley/local/system';
import type { Span } from '@parley/local/traces/otlp';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { npsBot } from '../conversations/sample-bots.ts';
import { browserWith, messageTo, openBrowser, type Snapshot } from '../conversations/conversation.ts';
import type { Observed } from './system.ts';
import type { TraceCollector } from './trace-collector.ts';

const stack = new AsyncDisposableStack();
let collector: TraceCollector;
let system: System;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;
let webhookId: string;

async function setUp(observed: Observed): Promise<void> {
  ({ collector, system } = observed);
  workspace = await createWorkspace(system.local().baseUrl, system.operator);
  receiver = stack.use(await startReceiver());
  const hook = { url: receiver.url, secretToken: 'a-secret-token', isActive: true };
  webhookId = (await workspace.api.post<{ id: string }>('/webhooks', hook)).body.data.id;
  botId = await workspace.publish(npsBot);
}

interface Interaction {
  id: string;
  link: string;
}

async function create(customerId: string): Promise<Interaction> {
  const wanted = { customerId, botId, status: 'Pending' };
  return (await workspace.api.post<Interaction>('/interactions', wanted)).body.data;
}

const goingOn = 'parley-interaction internal continue a conversation';

/** The ways to complete an interaction, as one call with the header, and the spans between it and the event. */
const completions: Record<
  string,
  {
    complete: (headers: Record<string, string>) => Promise<{ id: string; status: number }>;
    between?: string;
  }
> = {
  'the last answer of the customer': {
    complete: async (headers) => {
      const { id } = await create('converses');
      const browser = await openBrowser(system.local().baseUrl, workspace, 'converses');
      const first = await browser.say(id, await browser.start(id), { value: 10 });
      const last = messageTo(first, { skip: true });
      const answer = await browser.api.post<Snapshot>(`/conversations/${id}/messages`, last, headers);
      expect(answer.body.data.status).toBe('Completed');
      return { id, status: answer.status };
    },
  },
  'an answer that a model processes': {
    complete: async (headers) => {
      const { id } = await create('waits');
      const browser = await openBrowser(system.local().baseUrl, workspace, 'waits');
      const first = await browser.say(id, await browser.start(id), { value: 8 });
      const last = messageTo(first, { text: 'dear' });
      const answer = await browser.api.post<Snapshot>(`/conversations/${id}/messages`, last, headers);
      expect(answer.body.data.awaiting).toBe('llm');
      return { id, status: answer.status };
    },
    between: goingOn,
  },
  "the client's PATCH": {
    complete: async (headers) => {
      const { id } = await create('closed');
      const done = await workspace.api.patch(`/interactions/${id}`, { status: 'Completed' }, headers);
      return { id, status: done.status };
    },
  },
};

export function tracingTests(observed: () => Observed): void {
  beforeAll(() => setUp(observed()));
  afterAll(() => stack.disposeAsync());

  test.each(Object.entries(completions))('one trace goes from %s to the webhook', async (_name, way) => {
    const traceId = randomBytes(16).toString('hex');
    const callerSpanId = randomBytes(8).toString('hex');
    const before = receiver.requests.length;
    const requestId = `request-${traceId}`;
    const headers = { traceparent: `00-${traceId}-${callerSpanId}-01`, 'x-request-id': requestId };
    const { id: interactionId, status } = await way.complete(headers);
    expect(status).toBe(200);

    await eventually(() => expect(receiver.requests.length).toBe(before + 1));
    const [, sentTraceId, sentSpanId = '', flags] = String(
      receiver.requests.at(-1)?.headers['traceparent'],
    ).split('-');
    expect([sentTraceId, flags]).toEqual([traceId, '01']);

    await eventually(() => {
      const spans = collector.spans().filter((span) => span.traceId === traceId);
      const path = pathTo(sentSpanId, spans);
      expect(path.map(({ service, kind, name }) => `${service} ${kind} ${name}`)).toEqual([
        expect.stringMatching(/^parley-gateway server (POST|PATCH) \/.*\{interactionId\}/),
        expect.stringMatching(/^parley-gateway client parley\.interaction\.v1\./),
        expect.stringMatching(/^parley-interaction server parley\.interaction\.v1\./),
        ...(way.between ? [way.between] : []),
        'parley-interaction producer send parley.interaction.completed.v1',
        'parley-webhook consumer process parley.interaction.completed.v1',
        'parley-webhook client POST webhook',
      ]);
      expect(path[0]?.parentSpanId).toBe(callerSpanId);
      expectTree(spans, callerSpanId);
      expectIds(path, { requestId, interactionId });
      const statementsOf = (parent: Span | undefined) =>
        spans.filter((span) => span.parentSpanId === parent?.spanId && span.name === 'postgres.query').length;
      expect(statementsOf(path[2])).toBeGreaterThanOrEqual(2);
      expect(statementsOf(path.at(-2))).toBeGreaterThanOrEqual(2);
      const inside = spans.filter((span) => span.parentSpanId === path.at(3)?.spanId).map(({ name }) => name);
      if (way.between) expect(inside).toEqual(expect.arrayContaining(['ask the model', 'postgres.query']));
    });
  });

  /** Every span has its parent in the trace, but for the first one. */
  function expectTree(spans: Span[], callerSpanId: string): void {
    const known = new Set(spans.map(({ spanId }) => spanId));
    expect(known.size).toBe(spans.length);
    const outside = spans.filter(({ parentSpanId }) => !known.has(String(parentSpanId)));
    expect(outside.map(({ parentSpanId }) => parentSpanId)).toEqual([callerSpanId]);
    expect(new Set(spans.map(({ version }) => version))).toEqual(new Set([manifest.version]));
  }

  /** Each part knows what the message that it has says: events have no request id. */
  function expectIds(
    path: Span[],
    { requestId, interactionId }: { requestId: string; interactionId: string },
  ) {
    const workspaceIds = path.map(({ attributes }) => attributes['parley.workspace.id']);
    expect(workspaceIds).toEqual(path.map(() => workspace.id));
    const idOf = (name: string) => (span: Span | undefined) => span?.attributes[`parley.${name}.id`];
    expect(path.slice(0, 3).map(idOf('request'))).toEqual([requestId, requestId, requestId]);
    expect([...path.slice(0, 3), ...path.slice(-2)].map(idOf('interaction'))).toEqual(
      Array(5).fill(interactionId),
    );
  }

  test('an entry of the delivery log has the trace of the call that completed the interaction', async () => {
    const { traceId, headers } = newTrace();
    const { id: interactionId } = await create('logged');
    await workspace.api.patch(`/interactions/${interactionId}`, { status: 'Completed' }, headers);
    await eventually(async () => {
      const path = `/webhooks/${webhookId}/deliveries?interactionId=${interactionId}`;
      const list = await workspace.api.get<{ traceId: string | null; state: string }[]>(path);
      expect(list.body.data).toMatchObject([{ traceId, state: 'succeeded' }]);
    });
  });

  /** The spans from the first of the trace to this one. */
  function pathTo(spanId: string | undefined, spans: Span[]): Span[] {
    const found = spans.find((span) => span.spanId === spanId);
    return found ? [...pathTo(found.parentSpanId, spans), found] : [];
  }

  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  /** A sampled trace, and what begins it. */
  function newTrace() {
    const traceId = randomBytes(16).toString('hex');
    return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` } };
  }

  test('neither polls nor probes create traces', async () => {
    const { baseUrl } = system.local();
    for (const path of ['/healthz', '/readyz', '/v1/nowhere']) await fetch(`${baseUrl}${path}`);
    // Each process exports in order: once this call has arrived, earlier ones have too.
    const { traceId, headers } = newTrace();
    expect((await workspace.api.get('/webhooks', headers)).status).toBe(200);
    await eventually(() => {
      const names = collector.spans().flatMap((span) => (span.traceId === traceId ? [span.service] : []));
      expect(names).toEqual(expect.arrayContaining(['parley-gateway', 'parley-webhook']));
    });
    const spans = collector.spans();
    // Of clients, of the operator, which has set up the workspace, and of events that no such call has raised.
    const ofGateway = 'gateway server (GET|POST|PATCH|DELETE|PROPFIND) ';
    const asked = new RegExp(
      `^parley-(${ofGateway}|identity server |interaction server .*BotService|\\w+ producer send )`,
    );
    const first = spans.filter((span) => span.parentSpanId === undefined);
    const others = first.map(({ service, kind, name }) => `${service} ${kind} ${name}`);
    expect(others.filter((one) => !asked.test(one))).toEqual([]);
    expect(others).toContain('parley-gateway server GET *');
    expect(spans.filter(({ name }) => /health|readyz/i.test(name))).toEqual([]);
  });

  test('callers without a valid credential decide neither about sampling nor about trace ids', async () => {
    const { baseUrl } = system.local();
    const { traceId, headers } = newTrace();
    const large = { tracestate: `a=${'x'.repeat(4_000)}`, baggage: `b=${'x'.repeat(4_000)}` };
    const wrong = `Basic ${btoa(`${workspace.apiKey}:prl_sec_${'0'.repeat(32)}`)}`;
    const inWorkspace = `/v1/workspaces/${workspace.id}`;
    const forged: [path: string, method?: string, authorization?: string][] = [
      [`${inWorkspace}/customers`],
      [`${inWorkspace}/customers`, 'GET', wrong],
      [`${inWorkspace}/customers`, 'POST', 'Basic !'],
      [`/public${inWorkspace}/pending`, 'GET', 'Bearer a.b.c'],
      [`/public${inWorkspace}/sessions`, 'POST'],
      ['/public/v1/link-sessions', 'OPTIONS'],
      ['/interactions/no-link'],
      ['/v1/nowhere'],
      ['/docs'],
    ];
    for (const [path, method = 'GET', authorization] of forged) {
      await fetch(baseUrl + path, {
        method,
        headers: { ...headers, ...large, ...(authorization && { authorization }) },
      });
    }
    const own = newTrace();
    expect((await workspace.api.get('/customers', { ...own.headers, ...large })).status).toBe(200);
    // Each process exports in order: once this call has arrived, earlier ones have too.
    await eventually(() => {
      const names = collector.spans().flatMap((span) => (span.traceId === own.traceId ? [span.service] : []));
      expect(names).toEqual(expect.arrayContaining(['parley-gateway', 'parley-customer']));
    });
    expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([]);
    expect(collector.text()).not.toContain('x'.repeat(100));
  });

  test('a failed attempt is marked as failed, and a call with 404 is not', async () => {
    const { traceId, headers } = newTrace();
    expect((await workspace.api.get('/customers/nobody', headers)).status).toBe(404);
    const failing = stack.use(await startReceiver(() => ({ status: 500 })));
    const hook = { url: failing.url, secretToken: 'of-the-failing-one', isActive: true };
    const made = await workspace.api.post<{ id: string }>('/webhooks', hook);
    const tested = newTrace();
    const path = `/webhooks/${made.body.data.id}/test`;
    expect((await workspace.api.post(path, undefined, tested.headers)).status).toBe(200);
    await eventually(() => {
      const marked = (id: string) => collector.spans().filter((span) => span.traceId === id);
      const ofMissing = marked(traceId);
      expect(ofMissing.map(({ name, kind }) => `${kind} ${name}`)).toEqual(
        expect.arrayContaining([
          'server parley.customer.v1.CustomerService/GetCustomer',
          'client parley.customer.v1.CustomerService/GetCustomer',
          expect.stringMatching(/^server GET /),
        ]),
      );
      expect(ofMissing.filter(({ isError }) => isError)).toEqual([]);
      const ofTest = marked(tested.traceId).filter(({ name }) => name === 'POST webhook');
      expect(ofTest.length).toBeGreaterThan(0);
      expect(ofTest.filter(({ isError }) => !isError)).toEqual([]);
    });
    await workspace.api.patch(`/webhooks/${made.body.data.id}`, { isActive: false });
  });

  test('no span contains a secret, a token or personal data', async () => {
    const { baseUrl } = system.local();
    const secrets: Record<string, string | undefined> = {
      apiSecret: workspace.apiSecret,
      operatorToken: system.operator.operatorToken,
      secretToken: 'a-secret-token',
      wrongSecret: 'prl_sec_wrong',
      email: 'anna@personal.example',
      lastName: 'Nováková',
      answer: 'a very personal answer',
    };
    const { api: own } = workspace;
    const wrong = api(`${baseUrl}/v1`, `Basic ${btoa(`${workspace.apiKey}:${secrets['wrongSecret']}`)}`);
    expect((await wrong.get('/workspaces')).status).toBe(401);

    const customer = {
      id: 'anna',
      firstName: 'Anna',
      lastName: secrets['lastName'],
      email: secrets['email'],
    };
    expect((await own.post('/customers', customer)).status).toBe(200);
    const token = await own.post<{ customerToken: string }>('/customers/anna/token');
    secrets['customerToken'] = token.body.data.customerToken;
    const { id, link } = await create('anna');
    secrets['linkToken'] = link.slice(link.lastIndexOf('/') + 1);
    expect((await fetch(link)).status).toBe(200);
    const anyone = api(`${baseUrl}/public/v1`, undefined);
    const opened = await anyone.post<{ sessionToken: string }>('/link-sessions', {
      token: secrets['linkToken'],
    });
    secrets['sessionToken'] = opened.body.data.sessionToken;
    const browser = browserWith(baseUrl, workspace.id, opened.body.data.sessionToken);
    const asked = await browser.say(id, await browser.start(id), { value: 10 });
    await browser.say(id, asked, { text: String(secrets['answer']) });

    const hook = { url: `${receiver.url}?key=in-the-url`, secretToken: 'another-secret-token' };
    const { body: made } = await own.post<{ id: string }>('/webhooks', hook);
    const rotation = await own.post<{ signingSecret: string }>(`/webhooks/${made.data.id}/secret/rotate`);
    Object.assign(secrets, { ...hook, signingSecret: rotation.body.data.signingSecret });
    const sdk = await own.post<{ secret: string }>('/sdk-secret/rotate');
    secrets['sdkSecret'] = sdk.body.data.secret;
    const rotated = await own.post<{ secret: string }>('/apikeys/rotate');
    secrets['rotatedSecret'] = rotated.body.data.secret;

    await eventually(() => expect(receiver.requests.at(-1)?.body.toString()).toContain(id));

    // Each process exports in order: once the spans of these calls have arrived, the spans of the other calls have too.
    const traceId = randomBytes(16).toString('hex');
    const last = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
    const rotatedApi = api(
      `${baseUrl}/v1/workspaces/${workspace.id}`,
      basic(workspace.apiKey, rotated.body.data.secret),
    );
    for (const path of ['/customers/anna', '/webhooks', '/branding'])
      expect((await rotatedApi.get(path, last)).status).toBe(200);
    await eventually(() => {
      const spans = collector.spans().filter((span) => span.traceId === traceId && span.kind === 'server');
      const services = new Set(spans.map(({ service }) => service));
      expect([...services].toSorted()).toEqual(
        ['customer', 'gateway', 'identity', 'interaction', 'webhook'].map((name) => `parley-${name}`),
      );
    });
    const exported = collector.text();
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).toBeTruthy();
      for (const form of [String(secret), encodeURIComponent(String(secret)), base64(String(secret))]) {
        expect(exported.includes(form), `${name} is in a span`).toBe(false);
      }
    }
    expect(exported).not.toContain('Basic ');
    expect(exported).not.toContain('Bearer ');
  });

  test.each([
    ['is not loaded without the standard variables', {}, false],
    ['is loaded for an exporter', { OTEL_TRACES_EXPORTER: 'console' }, true],
    [
      'is not loaded when switched off',
      { OTEL_TRACES_EXPORTER: 'console', OTEL_SDK_DISABLED: 'true' },
      false,
    ],
  ])('the SDK %s', async (_name, env, isLoaded) => {
    const telemetry = resolve(import.meta.dirname, '../../packages/runtime/src/telemetry/telemetry.ts');
    const program = `
    import { registerHooks } from 'node:module';
    const resolved = [];
    registerHooks({ resolve: (specifier, context, next) => (resolved.push(specifier), next(specifier, context)) });
    const { startTelemetry } = await import(${JSON.stringify(telemetry)});
    const stop = await startTelemetry('test', ${JSON.stringify(env)});
    console.log(resolved.some((specifier) => specifier.startsWith('@opentelemetry/sdk')));
    await stop();`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(stdout.trim()).toBe(String(isLoaded));
  });
}
