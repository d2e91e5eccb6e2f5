import { inWork } from '@parley/runtime/scheduling/work';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ReadingSystem, startReading, type TestVersion } from './reading-system.ts';

const window = { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-02T00:00:00Z') };

let system: ReadingSystem;

beforeAll(async () => {
  system = await startReading();
});

beforeEach(() => {
  system.readVersions.length = 0;
});

afterAll(() => system[Symbol.asyncDispose]());

/** A version that asks for each of the ids, and keeps the answers under the same names. */
function asking(...ids: string[]): TestVersion {
  const ask = (id: string): object => ({ id, kind: 'ask', text: id, input: { type: 'nps' }, evaluation: id });
  return {
    steps: [...ids.map(ask), { id: 'bye', kind: 'end' }],
    evaluation: Object.fromEntries(ids.map((id) => [id, {}])),
  };
}

test('a version of a bot is read once', async () => {
  const bot = system.publishBot([asking('a'), asking('b')]);
  await system.insight(bot, window);
  await system.insight(bot, window);
  expect(system.readVersions).toEqual([1, 2]);
  system.publishVersion(bot, asking('c'));
  const { steps } = await system.insight(bot, window);
  expect(steps.map(({ stepId }) => stepId)).toEqual(['c', 'b', 'a']);
  expect(system.readVersions).toEqual([1, 2, 3]);
});

test('a bot with many versions has the steps and keys of all, and those of one version on request', async () => {
  const numbers = Array.from({ length: 45 }, (_, index) => index + 1);
  const bot = system.publishBot(numbers.map((number) => asking('always', `only${number}`)));
  const { steps, evaluation } = await system.insight(bot, window);
  const ids = ['always', ...numbers.toReversed().map((number) => `only${number}`)];
  expect(steps.map(({ stepId }) => stepId)).toEqual(ids);
  expect(evaluation.map(({ key }) => key)).toEqual(ids);
  const publishedAt = (version: number) => bot.versions[version - 1]?.publishedAt;
  expect(steps.map(({ since }) => since)).toEqual([publishedAt(1), ...numbers.toReversed().map(publishedAt)]);
  const { steps: ofOne } = await system.insight(bot, { ...window, version: 7 });
  expect(ofOne).toEqual([
    expect.objectContaining({ stepId: 'always', since: publishedAt(1) }),
    expect.objectContaining({ stepId: 'only7', since: publishedAt(7) }),
  ]);
});

test('a step that returns keeps the time of its first version', async () => {
  const bot = system.publishBot([asking('a', 'b'), asking('b'), asking('a')]);
  const { steps } = await system.insight(bot, window);
  const first = bot.versions[0]?.publishedAt;
  expect(steps.map(({ stepId, since }) => [stepId, since])).toEqual([
    ['a', first],
    ['b', first],
  ]);
});

test('a text that Postgres cannot store has its other characters', async () => {
  const input = { type: 'yesNo' };
  const bot = system.publishBot([
    {
      steps: [
        { id: 'a', kind: 'ask', text: 'A\0\ud800?', input },
        { id: 'bye', kind: 'end' },
      ],
    },
  ]);
  const { steps } = await system.insight(bot, window);
  expect(steps[0]?.text).toBe('A\ufffd?');
});

test('a version that a newer validator refuses is passed over', async () => {
  const step = { id: 'x', kind: 'ask', text: 'x', input: { type: 'choice' }, evaluation: 'x' };
  const refused = { steps: [step], evaluation: { x: {} } };
  const bot = system.publishBot([asking('a'), refused, asking('b')]);
  const { steps } = await system.insight(bot, window);
  expect(steps.map(({ stepId }) => stepId)).toEqual(['b', 'a']);
  const { steps: ofRefused } = await system.insight(bot, { ...window, version: 2 });
  expect(ofRefused.map(({ stepId }) => stepId)).toEqual(['a']);
});

test('figures are read while all connections for writes are in use', async () => {
  const bot = system.publishBot([asking('a')]);
  await system.insight(bot, window);
  const ended = Promise.withResolvers<void>();
  const begun = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const holding = begun.map(({ resolve }, index) =>
    inWork({ tenant: `tenant ${index}`, signal: undefined }, () =>
      system.own.transaction().execute(() => {
        resolve();
        return ended.promise;
      }),
    ),
  );
  try {
    await Promise.all(begun.map(({ promise }) => promise));
    expect((await system.insight(bot, window)).totals).toMatchObject({ created: 0 });
  } finally {
    ended.resolve();
    await Promise.all(holding);
  }
});

test('calls fail with the progress of the first build until it has ended', async () => {
  await using building = await startReading();
  const bot = building.publishBot([asking('a')]);
  const message = 'The figures are being built for the first time: 15 %';
  await building.db.updateTable('generation').set({ state: 'building', counted: 12, total: 80 }).execute();
  await expect(building.insight(bot, window)).rejects.toMatchObject({ code: 'unavailable', message });
  await building.db.updateTable('generation').set({ state: 'live' }).execute();
  await building.db.updateTable('freshness').set({ asOf: null }).execute();
  await expect(building.insight(bot, window)).rejects.toMatchObject({ code: 'unavailable' });
  await building.db.updateTable('freshness').set({ asOf: window.to }).execute();
  expect((await building.insight(bot, window)).asOf).toEqual(window.to);
});
