import { expect, test } from 'vitest';
import { eventsThatWait } from './shares.ts';

const ms = 1_000_000;

/** Events of a workspace, each with so many milliseconds of work. */
const events = (workspaceId: string, ...works: number[]) =>
  works.map((work, at) => ({
    id: `${workspaceId}${at}`,
    workspaceId,
    subscribers: [{ units: work * ms }],
  }));

const log = { isShare: false };

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
