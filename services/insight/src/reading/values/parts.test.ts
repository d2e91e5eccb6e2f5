import { expect, test } from 'vitest';
import { daysOf } from './days.ts';
import { partsAfterMidnight, partsOutside } from './parts.ts';

/** The parts of a window, as `begin-end: day of the hour > own day`. */
function parts(from: string, to: string, tz: string): { outside: string[]; afterMidnight: string[] } {
  const window = { from: new Date(`2026-05-${from}Z`), to: new Date(`2026-05-${to}Z`) };
  const days = daysOf(window, tz);
  const shown = (found: ReturnType<typeof partsOutside>): string[] =>
    found.map(({ beginsAt, endsAt, countedOn, belongsTo }) => {
      const [begin, end] = [beginsAt, endsAt].map((at) => at.toISOString().slice('2026-05-'.length, -8));
      return `${begin}-${end}: ${countedOn} > ${belongsTo ?? 'none'}`;
    });
  return {
    outside: shown(partsOutside(window, days)),
    afterMidnight: shown(partsAfterMidnight(window, days)),
  };
}

test('a window of whole hours has no parts in zones of whole hours', () => {
  expect(parts('01T10:00', '03T12:00', 'Europe/Berlin')).toEqual({ outside: [], afterMidnight: [] });
});

test('what the hours at both ends have outside of the window does not count', () => {
  expect(parts('01T10:20', '03T12:30', 'UTC')).toEqual({
    outside: ['01T10:00-01T10:20: 0 > none', '03T12:30-03T13:00: 2 > none'],
    afterMidnight: [],
  });
  expect(parts('01T10:20', '01T10:30', 'UTC').outside).toEqual([
    '01T10:00-01T10:20: 0 > none',
    '01T10:30-01T11:00: 0 > none',
  ]);
});

test('what follows midnight inside of an hour belongs to the next day, up to the end of the window', () => {
  expect(parts('01T10:00', '03T18:40', 'Asia/Kolkata')).toEqual({
    outside: ['03T18:40-03T19:00: 2 > none'],
    afterMidnight: ['01T18:30-01T19:00: 0 > 1', '02T18:30-02T19:00: 1 > 2', '03T18:30-03T18:40: 2 > 3'],
  });
  expect(parts('01T18:30', '02T18:30', 'Asia/Kolkata')).toEqual({
    outside: ['01T18:00-01T18:30: 0 > none', '02T18:30-02T19:00: 0 > none'],
    afterMidnight: [],
  });
});
