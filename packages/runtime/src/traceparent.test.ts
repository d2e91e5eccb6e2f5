import { expect, test } from 'vitest';
import { readTraceparent } from './traceparent.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  [`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`],
  [`00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-00`],
  [`00-${traceId}-${spanId}-03`, `00-${traceId}-${spanId}-01`],
  [`01-${traceId}-${spanId}-01-more`, `00-${traceId}-${spanId}-01`],
])('%s is read as %s', (traceparent, read) => {
  expect(readTraceparent(traceparent)).toBe(read);
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
])('%j is none', (traceparent) => {
  expect(readTraceparent(traceparent)).toBeUndefined();
});
