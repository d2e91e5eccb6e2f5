import { expect, test, vi } from 'vitest';
import { createEvents } from './events.ts';

test('a listener that throws stops no other, and its error is reported to the page', () => {
  const report = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', report);
  const events = createEvents<{ open: number }>();
  const heard: number[] = [];
  events.on('open', () => {
    throw new Error('of the page');
  });
  const off = events.on('open', (payload) => heard.push(payload));
  events.emit('open', 1);
  off();
  events.emit('open', 2);
  expect(heard).toEqual([1]);
  expect(report).toHaveBeenCalledTimes(2);
});
