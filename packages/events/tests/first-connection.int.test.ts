import { getEventListeners } from 'node:events';
import v8 from 'node:v8';
import { type Broker, openBroker } from '@parley/events/nats';
import { startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';

// Callers wait for the first connection. While NATS is unavailable, there can be many.

/** An address where nothing listens. */
const nowhere = 'nats://127.0.0.1:1';
const callers = 1_000;

const callAll = ({ streams }: Broker, signal: AbortSignal) =>
  Promise.allSettled(Array.from({ length: callers }, () => streams(signal)));

/** Their number after a garbage collection. */
const promises = (): number => v8.queryObjects(Promise, { format: 'count' });

test.each([
  ['are aborted', /stopped/, (stop: AbortController) => stop.abort(new Error('stopped'))],
  ['give up', /not connected/, () => {}],
])('callers that %s leak nothing', async (_name, reason, end) => {
  await using broker = await openBroker({ url: nowhere, logger });
  const stop = new AbortController();
  const before = promises();
  const calls = callAll(broker, stop.signal);
  expect(promises() - before).toBeGreaterThan(callers);
  end(stop);
  const outcomes = await calls;
  expect(promises() - before).toBeLessThan(callers / 10);
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(reason) } });
  }
});

test('waiting callers resume with the first connection', async () => {
  await using nats = await startPrivateNats();
  await nats.stop();
  await using broker = await openBroker({ url: nats.url, logger, streamReplicas: 1 });
  const { signal } = new AbortController();
  const calls = callAll(broker, signal);
  await nats.start();
  const [first, ...others] = await calls;
  expect(first).toMatchObject({ status: 'fulfilled' });
  for (const other of others) expect(other).toEqual(first);
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

test('waiting callers are rejected when the broker is disposed of', async () => {
  const broker = await openBroker({ url: nowhere, logger });
  const call = expect(broker.streams()).rejects.toThrow('NATS is not connected');
  await broker[Symbol.asyncDispose]();
  await call;
  await expect(broker.streams()).rejects.toThrow('NATS is not connected');
});
