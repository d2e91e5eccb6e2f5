import { expect, test } from 'vitest';
import { divide, eventsThatWait } from './shares.ts';

const ms = 1_000_000;

/** Events of a workspace, each with so many milliseconds of work. */
const events = (workspaceId: string, ...works: number[]) =>
  works.map((work, at) => ({
    id: `${workspaceId}${at}`,
    workspaceId,
    subscribers: [{ units: work * ms }],
  }));

const [log, share] = [{ isShare: false }, { isShare: true }];

test('the workspace with most work waits, with all its events, wherever they are in the batch', () => {
  const [first, ...rest] = events('a', 0.1, 15, 0.1);
  if (!first) throw new Error('an event');
  const batch = [first, ...events('b', 1, 1), ...rest, ...events('c', 5)];
  expect(eventsThatWait(batch, log)).toEqual(['a0', 'a1', 'a2']);
});

test('a batch of cheap events waits for nothing, however large it is', () => {
  const cheap = Array.from({ length: 500 }, (_, at) => events(String(at % 3), 0.2)).flat();
  expect(eventsThatWait(cheap, log)).toEqual([]);
});

test('a batch of many workspaces with costly events lets some of them wait', () => {
  const batch = ['a', 'b', 'c', 'd'].flatMap((workspaceId) => events(workspaceId, 8));
  expect(eventsThatWait(batch, log)).toEqual(['c0', 'd0']);
});

test('a share begins with the oldest event, whatever it takes, and ends in time', () => {
  expect(eventsThatWait(events('a', 1_000, 1, 1), { isShare: true })).toEqual(['a1', 'a2']);
  expect(eventsThatWait(events('a', 100, 100, 100, 1), { isShare: true })).toEqual(['a3']);
});

const costlyUnits = ms;
const startMs = Date.UTC(2026, 0, 1);
const at = (seconds: number): Date => new Date(startMs + 1_000 * seconds);

/** Events that were raised a second apart, each for a webhook with a costly filter and for one without. */
const mixed = (workspaceId: string, count: number, cheap = { hadFilter: false, since: at(-3_600) }) =>
  Array.from({ length: count }, (_, index) => ({
    id: `${workspaceId}${index}`,
    workspaceId,
    raisedAt: at(index),
    subscribers: [
      { units: costlyUnits, hadFilter: true, since: at(-3_600) },
      { units: 1, ...cheap },
    ],
  }));

const nobody = new Map<string, Date>();
const unitsOf = ({ subscribers }: { subscribers: { units: number }[] }) =>
  subscribers.map(({ units }) => units);

test('with little work, costly filters are evaluated at once', () => {
  const batch = [...mixed('a', 3), ...mixed('b', 3)];
  const { now, postponed, waits } = divide(batch, nobody, log);
  expect(new Set(now)).toEqual(new Set(batch));
  expect([postponed.size, waits.size]).toEqual([0, 0]);
});

test('a share with too much work postpones costly filters, and no event waits', () => {
  const { now, postponed, waits } = divide(mixed('a', 30), nobody, share);
  expect(now.map(unitsOf)).toEqual(Array.from({ length: 30 }, () => [1]));
  expect([postponed.size, waits.size]).toEqual([30, 0]);
});

test('of a batch with too much work, events wait for the share of their workspace, and nothing is postponed', () => {
  const { now, postponed, waits } = divide([...mixed('a', 30), ...mixed('b', 1)], nobody, log);
  expect(now.map(({ workspaceId }) => workspaceId)).toEqual(['b']);
  expect([postponed.size, waits.size]).toEqual([0, 30]);
});

test('behind a postponed event, the costly filters of its workspace are postponed too, those of others are not', () => {
  const { now, postponed } = divide([...mixed('a', 1), ...mixed('b', 1)], new Map([['a', at(-60)]]), log);
  expect(now.map(unitsOf)).toEqual([[1], [costlyUnits, 1]]);
  expect([...postponed]).toEqual(['a0']);
});

test('what is too much without costly filters waits', () => {
  const cheap = Array.from({ length: 1_000 }, () => ({
    units: 0.2 * ms,
    hadFilter: false,
    since: at(-3_600),
  }));
  const batch = mixed('a', 2).map((event) => ({ ...event, subscribers: [...event.subscribers, ...cheap] }));
  const { now, postponed, waits } = divide(batch, nobody, share);
  expect(now.map(unitsOf)).toEqual([[1, ...cheap.map(({ units }) => units)]]);
  expect([postponed, waits]).toEqual([new Set(['a0']), new Set(['a1'])]);
});

test.each([
  ['waits for events that were raised before its filter changed', true, at(-59), ['a0', 'a1']],
  ['does not wait if its filter changed long before', true, at(-3_600), []],
])('an ordered webhook %s', (_, hadFilter, since, waiting) => {
  const { now, waits } = divide(mixed('a', 2, { hadFilter, since }), new Map([['a', at(-60)]]), log);
  expect([...waits]).toEqual(waiting);
  expect(now).toHaveLength(2 - waiting.length);
});

test('without an order, or a filter before, a webhook does not wait', () => {
  const { waits } = divide(
    mixed('a', 2, { hadFilter: false, since: at(-59) }),
    new Map([['a', at(-60)]]),
    log,
  );
  expect(waits.size).toBe(0);
});

test('in a share, events behind one that is postponed wait only if a filter has changed after it', () => {
  const before = mixed('a', 30, { hadFilter: true, since: at(0) });
  expect(divide(before, nobody, share)).toMatchObject({ waits: new Set() });
  const many = mixed('a', 30, { hadFilter: true, since: at(0.5) });
  const { now, postponed, waits } = divide(many, nobody, share);
  expect([now.map(({ id }) => id), postponed]).toEqual([['a0'], new Set(['a0'])]);
  expect([...waits]).toEqual(many.slice(1).map(({ id }) => id));
});
