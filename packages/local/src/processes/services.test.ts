import { expect, test } from 'vitest';
import { alarmInLog } from './services.ts';

const common = { time: '2026-11-21T09:30:00.000Z', traceId: 't', spanId: 's', service: 'webhook' };

test('a warning is shown with its fields, an error with its cause, and lower levels are hidden', () => {
  const fields = { webhookId: 'w-1', openings: 1, pauseMs: null, isProbe: false, more: {} };
  const warning = JSON.stringify({ level: 40, ...common, ...fields, msg: 'breaker changed state' });
  expect(alarmInLog(warning)).toBe('breaker changed state (webhookId w-1, openings 1, isProbe false)');
  const failure = { level: 50, ...common, err: { message: 'no luck', stack: '...' }, msg: 'failed' };
  expect(alarmInLog(JSON.stringify(failure))).toBe('failed: no luck');
  expect(alarmInLog(JSON.stringify({ level: 30, ...common, ...fields, msg: 'started' }))).toBeUndefined();
});

test('a line that is not from the logger is shown unchanged', () => {
  expect(alarmInLog('Error: out of memory')).toBe('Error: out of memory');
  expect(alarmInLog('{ broken')).toBe('{ broken');
  expect(alarmInLog('  ')).toBeUndefined();
});
