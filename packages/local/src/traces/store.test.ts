import { expect, test } from 'vitest';
import type { Span } from './otlp.ts';
import { createTraceStore } from './store.ts';
import { rowsOf, summaryOf } from './tree.ts';

function span(traceId: string, spanId: string, more: Partial<Span> = {}): Span {
  const times = { startMs: 10, endMs: 20 };
  const about = { service: 'parley-some', version: undefined, name: spanId, kind: 'internal' } as const;
  return {
    traceId,
    spanId,
    parentSpanId: undefined,
    ...about,
    ...times,
    isError: false,
    attributes: {},
    ...more,
  };
}

test('the oldest traces are evicted above the limits of traces and bytes', () => {
  const few = createTraceStore({ tracesMax: 2, bytesMax: 1_000_000 });
  for (const id of ['a', 'b', 'a', 'c']) few.add([span(id, 'x')]);
  expect(few.list().map(({ traceId }) => traceId)).toEqual(['c', 'b']);
  const small = createTraceStore({ tracesMax: 1_000, bytesMax: 10_000 });
  const bytes = () => small.list().reduce((sum, { spans }) => sum + JSON.stringify(spans).length, 0);
  for (let n = 0; n < 500; n += 1) {
    small.add([span(`t${n % 100}`, 'x', { name: 'x'.repeat(n % 300) })]);
    expect(bytes()).toBeLessThan(10_500);
  }
  expect(small.list()[0]?.traceId).toBe('t99');
  small.add([span('endless', 'x', { name: 'x'.repeat(20_000) })]);
  expect(small.list()).toEqual([]);
});

test('spans are in the order of a waterfall, whatever the order of their arrival', () => {
  const spans = [
    span('t', 'grandchild', { parentSpanId: 'second', startMs: 16 }),
    span('t', 'second', { parentSpanId: 'first', startMs: 15, isError: true }),
    span('t', 'late', { parentSpanId: 'not-here', startMs: 40, endMs: 50 }),
    span('t', 'first', { attributes: { 'parley.request.id': 'r' } }),
    span('t', 'other', { parentSpanId: 'first', startMs: 12 }),
  ];
  const trace = { traceId: 't', spans };
  const rows = rowsOf(trace).map(({ span: { spanId }, depth }) => `${depth} ${spanId}`);
  expect(rows).toEqual(['0 first', '1 other', '1 second', '2 grandchild', '0 late']);
  expect(summaryOf(trace)).toMatchObject({
    first: { spanId: 'first' },
    startMs: 10,
    durationMs: 40,
    isError: true,
    isPoll: false,
    ids: { request: ['r'], interaction: [] },
  });
});

test('spans that are no tree are shown once or not at all', () => {
  const twice = [span('t', 'a'), span('t', 'a'), span('t', 'b', { parentSpanId: 'a' })];
  expect(rowsOf({ traceId: 't', spans: twice })).toHaveLength(3);
  const circle = [span('t', 'a', { parentSpanId: 'b' }), span('t', 'b', { parentSpanId: 'a' })];
  expect(summaryOf({ traceId: 't', spans: circle })).toBeUndefined();
});
