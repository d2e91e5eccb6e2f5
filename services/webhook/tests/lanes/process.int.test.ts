import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Completed, completed, type System, startSystem } from '../system.ts';

// A process of the service: its log, its metrics, its connection to the broker and its end.

type LogLine = Record<string, unknown> & { level: number };

const secretToken = 'very-secret-token';
const stack = new AsyncDisposableStack();
let system: System;
let receiver: Receiver;
let collector: Receiver;
let child: ChildProcess;
/** When the process has ended, with all that it has written. */
let closed: Promise<unknown[]>;
const chunks: Buffer[] = [];
/** An event that is delivered at the second attempt. */
let event: Completed;

const log = (): string => Buffer.concat(chunks).toString();
const lines = (): LogLine[] =>
  log()
    .split('\n')
    .slice(0, -1)
    .map((line): LogLine => JSON.parse(line));

beforeAll(async () => {
  system = stack.use(await startSystem());
  receiver = stack.use(await startReceiver((_request, index) => ({ status: index === 0 ? 500 : 200 })));
  collector = stack.use(await startReceiver());
  event = completed();
  const { workspaceId } = event;
  await system.createWebhook({ workspaceId, url: `${receiver.url}?private=query`, secretToken });
  await system.stopFirst();
  const env = {
    ...process.env,
    ...system.env,
    LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    OTEL_METRIC_EXPORT_TIMEOUT: '1000',
  };
  const main = join(import.meta.dirname, '../../src/main.ts');
  const started = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  started.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child = started;
  closed = once(child, 'close');
  stack.defer(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await system.raise([event]);
  await eventually(async () => {
    const delivery = system.db.selectFrom('delivery').where('workspaceId', '=', workspaceId);
    expect(await delivery.select('state').execute()).toEqual([{ state: 'succeeded' }]);
  });
});
afterAll(() => stack.disposeAsync());

test('it logs each attempt, never a secret or the query', async () => {
  const ids = { workspaceId: event.workspaceId, eventId: event.id };
  const lane = { isProbe: false, waitedMs: expect.any(Number) };
  const times = { durationMs: expect.any(Number), firstByteMs: expect.any(Number) };
  const first = { isResponsive: true, attempt: 1, outcome: 'retry', status: 500, error: 'http_500' };
  const second = { isResponsive: false, attempt: 2, outcome: 'succeeded', status: 200, error: null };
  await eventually(() =>
    expect(lines().filter(({ msg }) => msg === 'delivery attempted')).toMatchObject([
      { ...ids, ...lane, ...times, ...first },
      { ...ids, ...lane, ...times, ...second },
    ]),
  );
  expect(receiver.requests[0]?.url).toContain(secretToken);
  for (const secret of [secretToken, 'private=query', 'whsec_']) expect(log()).not.toContain(secret);
});

test('it exports attempts by outcome, the age of what is due and open breakers when telemetry is on', async () => {
  const exported = (): string =>
    collector.requests
      .filter((request) => request.url.startsWith('/v1/metrics'))
      .map((request) => request.body.toString())
      .join('\n');
  await eventually(() => {
    const text = exported();
    for (const part of [
      'attempts',
      'attempt.duration',
      'first_attempt.delay',
      'own_faults',
      'oldest_due.age',
      'breakers.open',
      'lanes.paused',
      'egress.up',
      // The gauges exist before they have a count.
      'breaker.moves',
      'failing',
      'disabled',
    ]) {
      expect(text).toContain(`"parley.webhook.${part}"`);
    }
    for (const bound of [10, 20]) expect(text).toMatch(new RegExp(`"explicitBounds":[^\\]]*,${bound}[,\\]]`));
    const described = text.match(/"name":"parley\.[^"]+","description":"[^"]+","unit":"[^"]+"/g);
    expect(described).toHaveLength(text.split('"name":"parley.').length - 1);
    for (const value of ['retry', 'succeeded', 'http_500']) expect(text).toContain(`"${value}"`);
  });
});

// https://github.com/svix/svix-webhooks/issues/1844: a worker hung after a restart of Redis until it was restarted.
// Downstream (the-momentum/open-wearables#1111) it looped and logged millions of lines.
test('it reconnects to a broker that has lost its disk, without a restart and with few log lines', async () => {
  const before = receiver.requests.length;
  const { workspaceId } = event;
  for (let outage = 1; outage <= 2; outage += 1) {
    await system.raise([completed({ workspaceId })]);
    await eventually(() => expect(receiver.requests).toHaveLength(before + 2 * outage - 1));
    await system.nats.stop();
    await system.raise([completed({ workspaceId })]);
    await system.nats.start({ wipe: true });
    await eventually(() => expect(receiver.requests).toHaveLength(before + 2 * outage));
  }
  const info = 30;
  expect(lines().filter(({ level }) => level >= info).length).toBeLessThan(100);
});

test('it ends cleanly on a signal', async () => {
  child.kill('SIGTERM');
  expect(await closed).toEqual([0, null]);
  for (const secret of [secretToken, 'private=query', 'whsec_']) expect(log()).not.toContain(secret);
});
