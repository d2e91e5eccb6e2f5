import { diag } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { tellOfTelemetry } from './telemetry-log.ts';

test('what telemetry complains of is one warning a minute, which says how many were left out', () => {
  const lines: object[] = [];
  let nowMs = 0;
  tellOfTelemetry({ warn: (fields, message) => lines.push({ ...fields, message }) }, () => nowMs);
  diag.info('passed over');
  for (nowMs = 0; nowMs < 60_000; nowMs += 10_000) diag.error('cannot send', new Error('refused'));
  diag.warn('another');
  diag.error('the next is told of again');
  expect(lines).toEqual([
    { reason: 'cannot send refused', leftOut: 0, message: 'telemetry has a fault' },
    { reason: 'another', leftOut: 5, message: 'telemetry has a fault' },
  ]);
  nowMs += 60_000;
  diag.error('x'.repeat(10_000));
  expect(lines.at(-1)).toMatchObject({ reason: 'x'.repeat(1_000), leftOut: 1 });
});
