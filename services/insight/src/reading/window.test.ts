import { expect, test } from 'vitest';
import { dayAt, daysOf, isTimeZone, partsAfterMidnight, partsOutside } from './window.ts';

const at = (text: string): Date => new Date(text);

/** The days of a window: date and beginning. */
function days(from: string, to: string, tz: string): string[] {
  return daysOf({ from: at(from), to: at(to) }, tz).map(
    ({ date, beginsAt }) => `${date} ${beginsAt.toISOString().replace(':00.000Z', 'Z')}`,
  );
}

test('days begin at midnight, the first one with its window', () => {
  expect(days('2026-05-01T10:30:00Z', '2026-05-03T00:00:00Z', 'UTC')).toEqual([
    '2026-05-01 2026-05-01T10:30Z',
    '2026-05-02 2026-05-02T00:00Z',
  ]);
  expect(days('2026-05-01T00:00:00.001Z', '2026-05-02T00:00:00.001Z', 'UTC')).toEqual([
    '2026-05-01 2026-05-01T00:00:00.001Z',
    '2026-05-02 2026-05-02T00:00Z',
  ]);
});

test('midnight of zones is inside of UTC hours', () => {
  expect(days('2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z', 'Asia/Kathmandu')).toEqual([
    '2026-05-01 2026-05-01T00:00Z',
    '2026-05-02 2026-05-01T18:15Z',
  ]);
  expect(days('2026-05-01T00:00:00Z', '2026-05-02T00:00:00Z', 'America/St_Johns')).toEqual([
    '2026-04-30 2026-05-01T00:00Z',
    '2026-05-01 2026-05-01T02:30Z',
  ]);
});

test.each([
  ['a day of 23 hours', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29'],
  ['a day of 25 hours', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', '2026-10-25'],
  [
    'a day of 24.5 hours',
    'Australia/Lord_Howe',
    '2026-04-04T13:00:00Z',
    '2026-04-05T13:30:00Z',
    '2026-04-05',
  ],
  ['a day without midnight', 'Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z', '2026-04-24'],
  [
    'a day with two midnights',
    'America/Havana',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00:00Z',
    '2026-11-01',
  ],
])('%s is one day', (_, tz, from, to, date) => {
  const found = daysOf({ from: new Date(at(from).getTime() - 1), to: new Date(at(to).getTime() + 1) }, tz);
  expect(found.slice(1)).toMatchObject([{ date, beginsAt: at(from) }, { beginsAt: at(to) }]);
});

test('a date that a zone has skipped is no day', () => {
  expect(days('2011-12-29T10:00:00Z', '2011-12-31T00:00:00Z', 'Pacific/Apia')).toEqual([
    '2011-12-29 2011-12-29T10:00Z',
    '2011-12-31 2011-12-30T10:00Z',
  ]);
});

test('a year has all its days', () => {
  const year = daysOf(
    { from: at('2026-01-01T05:00:00Z'), to: at('2027-01-01T05:00:00Z') },
    'America/New_York',
  );
  expect(year).toHaveLength(365);
  expect(new Set(year.map(({ date }) => date)).size).toBe(365);
});

test('dates of early years have four digits', () => {
  expect(days('0099-01-01T00:00:00Z', '0099-01-01T01:00:00Z', 'UTC')).toEqual([
    '0099-01-01 0099-01-01T00:00Z',
  ]);
});

test('an instant belongs to the day that has begun last', () => {
  const found = daysOf({ from: at('2026-05-01T10:00:00Z'), to: at('2026-05-03T10:00:00Z') }, 'UTC');
  expect(dayAt(found, at('2026-05-01T00:00:00Z'))).toBe(0);
  expect(dayAt(found, at('2026-05-02T00:00:00Z'))).toBe(1);
  expect(dayAt(found, at('2026-05-09T00:00:00Z'))).toBe(2);
});

test('only names of IANA are time zones', () => {
  const names = ['UTC', 'Europe/Berlin', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'];
  expect(names.filter(isTimeZone)).toEqual(names);
  expect(['', '+01:00', '-05', 'Berlin', 'Europe/Berlin ', 'Europe/../Berlin'].filter(isTimeZone)).toEqual(
    [],
  );
});

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
