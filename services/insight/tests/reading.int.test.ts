import { randomUUID } from 'node:crypto';
import type { BotInsight, TimeFigures } from '@parley/contracts/insight/v1/insight';
import type { ConversationFacts } from '@parley/contracts/interaction/v1/facts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { questionsOf, randomFacts, versions } from './feedback-bot.ts';
import {
  asOf,
  type InsightRequest,
  type ReadingSystem,
  startReading,
  type TestBot,
} from './reading-system.ts';
import { completionSeconds, recount, totals, within } from './recount.ts';

/** In the 45 days after it, Berlin, St. John's and Lord Howe change their clocks. */
const since = new Date('2026-03-01T00:00:00Z');
const until = new Date('2026-04-15T00:00:00Z');

let system: ReadingSystem;
let bot: TestBot;
let facts: ConversationFacts[];

beforeAll(async () => {
  system = await startReading();
  bot = system.publishBot(versions);
  facts = randomFacts(bot, { since, count: 4_000, seed: 1 });
  await system.count(facts);
  // What must not count: another bot of the workspace, and figures that are being built.
  const other = { ...bot, id: system.publishBot(versions).id };
  await system.count(randomFacts(other, { since, count: 100, seed: 2 }));
  await system.count(facts.slice(0, 100), 2);
});

afterAll(() => system[Symbol.asyncDispose]());

const zones = [
  'UTC',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'America/Los_Angeles',
];

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Any instant, the beginning of an hour, or the creation of an interaction. */
const instant = fc.oneof(
  fc.integer({ min: since.getTime() - dayMs, max: until.getTime() + dayMs }),
  fc.integer({ min: 0, max: 45 * 24 }).map((hours) => since.getTime() + hours * hourMs),
  fc.nat(3_999).map((index) => facts[index]?.createdAt?.getTime() ?? 0),
);

const request = fc
  .record({
    instants: fc.tuple(instant, instant).filter(([one, other]) => one !== other),
    tz: fc.constantFrom(...zones),
    version: fc.constantFrom(null, null, 1, 2, 3),
  })
  .map(({ instants: [one, other], ...rest }) => ({
    ...rest,
    from: new Date(Math.min(one, other)),
    to: new Date(Math.max(one, other)),
  }));

test('every figure is that of a count of the facts, one by one, for any window, time zone and version', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ from, to, tz, version }) => {
      const insight = await system.insight(bot, { from, to, tz, version, withPrevious: true });
      const before = { from: new Date(2 * from.getTime() - to.getTime()), to: from };
      const expected = {
        botId: bot.id,
        botKey: 'feedback',
        botName: 'Feedback',
        from,
        to,
        asOf,
        ...recount({ facts, from, to, tz, version, questions: questionsOf(version) }),
        previous: totals(before, within(facts, before, version)),
      };
      expect(comparable(insight)).toEqual(comparable(expected));
      const seconds = completionSeconds(within(facts, { from, to }, version));
      expectQuantiles(insight.totals?.timeToComplete, seconds);
      expectQuantiles(
        insight.totals?.activeSeconds,
        seconds.map((one) => Math.min(one, 1_800)),
      );
    }),
    { numRuns: 60 },
  );
});

/** The smallest time that at least half, or nine tenths, of all times do not exceed. */
function expectQuantiles(figures: TimeFigures | null | undefined, rising: readonly number[]): void {
  expectNear(figures?.medianSeconds, rising[Math.ceil(rising.length * 0.5) - 1]);
  expectNear(figures?.p90Seconds, rising[Math.ceil(rising.length * 0.9) - 1]);
}

function expectNear(figure: number | null | undefined, exact: number | undefined): void {
  if (exact === undefined) return expect(figure ?? null).toBeNull();
  expect(Math.abs((figure ?? 0) / exact - 1)).toBeLessThan(0.05);
}

/** Returns a value without absent fields and quantiles, and with numbers of ten digits. */
function comparable(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, field: unknown) => {
      if (field === null || name === 'medianSeconds' || name === 'p90Seconds') return undefined;
      return typeof field === 'number' ? Number(field.toPrecision(10)) + 0 : field;
    }),
  );
}

test('a window of whole hours is read from the counters alone', async () => {
  const counted = system.publishBot(versions);
  await system.count(randomFacts(counted, { since, count: 50, seed: 3 }));
  const window = { from: since, to: until };
  const before = await system.insight(counted, window);
  await system.db.deleteFrom('contribution').where('botId', '=', counted.id).execute();
  expect(before.totals?.created).toBeGreaterThan(30);
  expect(await system.insight(counted, window)).toEqual(before);
});

test('a bot without interactions has all its steps and keys, and every day, with zeros', async () => {
  const empty = system.publishBot(versions);
  const window = { from: new Date('2026-03-01T10:00:00Z'), to: new Date('2026-03-03T09:00:00Z') };
  const insight = await system.insight(empty, window);
  const expected = recount({ facts: [], ...window, tz: 'UTC', version: null, questions: questionsOf(null) });
  expect(comparable(insight)).toMatchObject(comparable(expected) as object);
  expect(insight.previous).toBeNull();
  expect(insight.days.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
});

test('bots of other workspaces and unknown ones are not found', async () => {
  const window = { from: since, to: until };
  const notFound = { code: 'not_found' };
  await expect(system.insight({ workspaceId: randomUUID(), id: bot.id }, window)).rejects.toMatchObject(
    notFound,
  );
  await expect(system.insight({ ...bot, id: randomUUID() }, window)).rejects.toMatchObject(notFound);
  await expect(system.insight({ ...bot, id: 'feedback' }, window)).rejects.toMatchObject(notFound);
});

test('faults of a request are named by their field', async () => {
  const faultsOf = async (request: Partial<InsightRequest>): Promise<unknown> => {
    const call: Promise<BotInsight> = system.insight(bot, { from: since, to: until, ...request });
    return call.then(
      () => 'no fault',
      ({ code, faults }: { code: string; faults: unknown }) => [code, faults],
    );
  };
  const fault = (pointer: string, detail: string) => ['invalid_argument', [{ pointer, detail }]];
  expect(await faultsOf({ to: since })).toEqual(fault('/to', 'Must be after from'));
  const later = new Date(since.getTime() + 400 * dayMs + 1);
  expect(await faultsOf({ to: later })).toEqual(fault('/to', 'Must be at most 400 days after from'));
  expect(await faultsOf({ to: new Date(later.getTime() - 1) })).toBe('no fault');
  expect(await faultsOf({ version: 4 })).toEqual(fault('/version', 'Must be a version of the bot'));
  expect(await faultsOf({ version: 0 })).toEqual(fault('/version', 'Must be a version of the bot'));
  for (const tz of ['', 'Mars/Base', '+01:00']) {
    expect(await faultsOf({ tz })).toEqual(fault('/tz', 'Must be an IANA time zone, such as Europe/Berlin'));
  }
});

test('windows at the ends of time have figures', async () => {
  const windows = [
    { from: new Date('0001-01-01T00:00:00Z'), to: new Date('0001-03-01T00:00:00Z') },
    { from: new Date('9999-12-01T00:00:00Z'), to: new Date('9999-12-31T23:59:59.999Z') },
  ];
  for (const window of windows) {
    for (const tz of zones) {
      const { totals: none } = await system.insight(bot, { ...window, tz, withPrevious: true });
      expect(none?.created).toBe(0);
    }
  }
});
