import { diag } from '@opentelemetry/api';
import { expect, test } from 'vitest';
import { logTelemetryFaults } from './telemetry-log.ts';

test('faults of telemetry are one warning a minute, with the number of omitted ones', () => {
  const lines: object[] = [];
  let nowMs = 0;
  logTelemetryFaults({ warn: (fields, message) => lines.push({ ...fields, message }) }, () => nowMs);
  diag.info('omitted');
  for (nowMs = 0; nowMs < 60_000; nowMs += 10_000) diag.error('cannot send', new Error('refused'));
  diag.warn('another');
  diag.error('omitted too');
  expect(lines).toEqual([
    { reason: 'cannot send refused', leftOut: 0, message: 'telemetry has a fault' },
    { reason: 'another', leftOut: 5, message: 'telemetry has a fault' },
  ]);
  nowMs += 60_000;
  diag.error('x'.repeat(10_000));
  expect(lines.at(-1)).toMatchObject({ reason: 'x'.repeat(1_000), leftOut: 1 });
});
