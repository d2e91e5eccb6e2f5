import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '@parley/local/system';
import type { Span } from '@parley/local/traces/otlp';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { npsBot } from '../conversations/sample-bots.ts';
import { messageTo, openBrowser, type Snapshot } from '../conversations/conversation.ts';
import type { Observed } from './system.ts';
import { newTrace, type TraceCollector } from './trace-collector.ts';

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
