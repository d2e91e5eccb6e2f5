import { expect, test } from 'vitest';
import { everyHour } from './every-hour.ts';

const of = (hour: string, attempts: number) => ({ hour, attempts, failures: 0, meanMs: 5, maxMs: 9 });
const now = new Date('2026-03-02T10:20:00Z');

test('hours without attempts have zeros, so that gaps are seen', () => {
  const hours = everyHour([of('2026-03-01T23:00:00.000000', 3), of('2026-03-02T09:00:00.000000', 4)], now);
  expect(hours).toHaveLength(24);
  expect([hours[0], hours.at(-1)].map((one) => one?.hour.toISOString())).toEqual([
    '2026-03-01T11:00:00.000Z',
    '2026-03-02T10:00:00.000Z',
  ]);
  expect(hours.map(({ attempts }) => attempts).filter(Boolean)).toEqual([3, 4]);
  expect(hours.at(-1)).toMatchObject({ attempts: 0, failures: 0, meanMs: 0, maxMs: 0 });
});

test('an earlier hour, and one after a clock that is late, are shown, too', () => {
  const hours = everyHour([of('2026-03-01T10:00:00.000000', 1), of('2026-03-02T11:00:00.000000', 2)], now);
  expect(hours).toHaveLength(26);
  expect([hours[0]?.attempts, hours.at(-1)?.attempts]).toEqual([1, 2]);
});
