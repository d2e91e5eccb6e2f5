import { expect, test } from 'vitest';
import { currentIds, currentTraceparent, inSpan, parentOfRequest, startTelemetry } from './telemetry.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

await startTelemetry('test', {});

function within<T>(traceparent: string | undefined, read: () => T): Promise<T> {
  return inSpan('test', { parent: parentOfRequest(traceparent) }, async () => read());
}

const passedOn = (traceparent: string | undefined) => within(traceparent, currentTraceparent);

test('without an exporter the ids of a trace are passed on, and are those of the log', async () => {
  const given = `00-${traceId}-${spanId}-01`;
  expect(await passedOn(given)).toBe(given);
  expect(await within(given, currentIds)).toEqual({ traceId, spanId });
  expect(currentIds()).toBeUndefined();
});

test('nothing else that a client writes into traceparent is passed on', async () => {
  expect(await passedOn(`cc-${traceId}-${spanId}-09-ada@example.com`)).toBe(`00-${traceId}-${spanId}-01`);
  for (const malformed of [
    undefined,
    '',
    'ada@example.com',
    `00-${traceId}-${spanId}`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
  ]) {
    const made = await passedOn(malformed);
    expect(made).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(made).not.toContain('0'.repeat(32));
  }
});

test('a request without a trace begins one of its own', async () => {
  const made = await Promise.all(Array.from({ length: 1_000 }, () => passedOn(undefined)));
  expect(new Set(made).size).toBe(1_000);
});

test('after something inside, what is around it is active again, whatever became of it', async () => {
  const outer = `00-${traceId}-${spanId}-00`;
  const inner = `00-${'1'.repeat(32)}-${spanId}-00`;
  const seen = await within(outer, () => {
    const before = currentTraceparent();
    const started = within(inner, currentTraceparent);
    const between = currentTraceparent();
    const thrown = () =>
      inSpan('fails', { parent: inner }, () => {
        throw new Error('at once');
      });
    expect(thrown).toThrow('at once');
    return started.then((inside) => [before, inside, between, currentTraceparent()]);
  });
  expect(seen).toEqual([outer, inner, outer, outer]);
  expect(currentTraceparent()).toBeUndefined();
});
