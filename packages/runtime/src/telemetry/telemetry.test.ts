import { trace } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { currentTraceparent, inSpan, inSpans, SpanKind } from './telemetry.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function within<T>(traceparent: string | undefined, read: () => T): Promise<T> {
  return inSpan('test', { kind: SpanKind.SERVER, parent: traceparent }, async () => read());
}

const propagated = (traceparent: string | undefined) => within(traceparent, currentTraceparent);

const ids = () => trace.getActiveSpan()?.spanContext();

test('without an exporter the ids of a trace are propagated, and are those of the log', async () => {
  const given = `00-${traceId}-${spanId}-01`;
  expect(await propagated(given)).toBe(given);
  expect(await within(given, ids)).toMatchObject({ traceId, spanId });
  expect(ids()).toBeUndefined();
});

test.each([
  [`00-${traceId}-${spanId}-00`, '00'],
  [`00-${traceId}-${spanId}-03`, '01'],
  [`00-${traceId}-${spanId}-fe`, '00'],
  [`cc-${traceId}-${spanId}-09-ada@example.com`, '01'],
])('of %s, only the ids and the flag %s are propagated', async (traceparent, flag) => {
  expect(await propagated(traceparent)).toBe(`00-${traceId}-${spanId}-${flag}`);
});

test.each([
  undefined,
  '',
  'ada@example.com',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
])('%j is no trace: a request gets a new one, and other work gets none', async (traceparent) => {
  const made = await propagated(traceparent);
  expect(made).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-00$/);
  expect(made).not.toContain(traceId);
  expect(await inSpan('test', { parent: traceparent }, async () => currentTraceparent())).toBeUndefined();
  expect(await inSpans('test', [{ parent: traceparent }], async (one) => one)).toEqual([undefined]);
});

test('a read without a trace starts none, and continues a given one', async () => {
  const read = (parent: string | undefined) =>
    inSpan('test', { kind: SpanKind.SERVER, parent, asRoot: 'recorded' }, async () => currentTraceparent());
  expect(await read(undefined)).toBeUndefined();
  const given = `00-${traceId}-${spanId}-01`;
  expect(await read(given)).toBe(given);
});

test('each request without a trace starts its own', async () => {
  const made = await Promise.all(Array.from({ length: 1_000 }, () => propagated(undefined)));
  expect(new Set(made).size).toBe(1_000);
});

test('several traces are propagated in order, and only a single one is active', async () => {
  const traces = ['1', '2'].map((digit) => `00-${digit.repeat(32)}-${spanId}-01`);
  const seen = async (given: (string | undefined)[]) => [...given, currentTraceparent()];
  const spans = traces.map((parent) => ({ parent }));
  expect(await inSpans('test', spans, seen)).toEqual([...traces, undefined]);
  expect(await inSpans('test', spans.slice(0, 1), seen)).toEqual([traces[0], traces[0]]);
});

test('after an inner span ends or fails, the outer span is active again', async () => {
  const outer = `00-${traceId}-${spanId}-00`;
  const inner = `00-${'1'.repeat(32)}-${spanId}-00`;
  const seen = await within(outer, async () => {
    const before = currentTraceparent();
    const started = within(inner, currentTraceparent);
    const between = currentTraceparent();
    const thrown = within(inner, () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    return [before, await started, between, currentTraceparent()];
  });
  expect(seen).toEqual([outer, inner, outer, outer]);
  expect(currentTraceparent()).toBeUndefined();
});
