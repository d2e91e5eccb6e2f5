import { AppError, unavailable } from '@parley/runtime/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { figures } from '../fakes/insight.ts';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());
beforeEach(() => surface.services.before.clear());

const path = `/v1/workspaces/${known.workspaceId}/bots/${known.botId}/insight`;
const get = async (query = '') => (await surface.call('GET', `${path}${query}`)).envelope();
const asked = (): Record<string, unknown> =>
  Object(surface.services.seen.findLast(({ method }) => method === 'getBotInsight')?.request);

const totals = {
  created: 10,
  started: 8,
  completed: 4,
  expired: 2,
  stalled: 1,
  active: 1,
  startRate: 0.8,
  completionRate: 0.5,
  timeToComplete: { n: 4, medianSeconds: 129.6, p90Seconds: 367.8 },
  activeSeconds: { n: 4, medianSeconds: 80.4, p90Seconds: 207.2 },
};
const at = (text: string): string => `${text}.000000`;

test('the figures of the service are answered with their rates, and null where there is no denominator', async () => {
  const since = at('2026-11-20T00:00:00');
  const step = { since, seen: 8, answered: 6, skipped: 0, dropped: 2, dropRate: 0.25 };
  const { code, data } = await get();
  expect([code, data]).toEqual([
    200,
    {
      bot: { id: known.botId, key: 'nps', name: 'NPS' },
      from: since,
      to: at('2026-11-21T00:00:00'),
      asOf: '2026-11-21T09:30:00.123000',
      totals,
      steps: [
        { stepId: 'score', kind: 'ask', text: 'How likely?', ...step },
        {
          stepId: 'talk',
          kind: 'llm',
          text: null,
          ...step,
          seen: 0,
          answered: 0,
          dropped: 0,
          dropRate: null,
        },
      ],
      ways: [{ from: 'score', to: 'talk', n: 6 }],
      evaluation: Object.fromEntries([
        [
          'nps_score',
          {
            n: 2,
            score: 50,
            margin: 69.3,
            promoters: 1,
            passives: 1,
            detractors: 0,
            distribution: { 7: 1, 10: 1 },
          },
        ],
        ['rating', { n: 0, mean: null, median: null, distribution: { 1: 0 } }],
        ['__proto__', { n: 1, counts: Object.fromEntries([['__proto__', 1]]) }],
        ['name', { n: 3 }],
      ]),
      days: figures.days,
      weeks: figures.weeks,
    },
  ]);
});

test('days have no nps where the bot has no such key', async () => {
  const [nps, ...others] = figures.evaluation;
  figures.evaluation = others;
  try {
    const { data } = await get();
    expect(data).toMatchObject({ days: [{ created: 10 }, { created: 0 }] });
    expect(JSON.stringify(data)).not.toContain('"nps":');
  } finally {
    if (nps) figures.evaluation.unshift(nps);
  }
});

test('there are no ways if the service knows none', async () => {
  const { ways } = figures;
  figures.ways = [];
  try {
    expect((await get()).data).not.toHaveProperty('ways');
  } finally {
    figures.ways = ways;
  }
});

test('compare=previous adds the totals of the window before', async () => {
  const { data } = await get('?compare=previous');
  const nothing = { n: 0, medianSeconds: null, p90Seconds: null };
  expect(data).toMatchObject({
    totals,
    previous: { from: at('2026-11-20T00:00:00'), created: 0, startRate: null, timeToComplete: nothing },
  });
  expect(asked()).toMatchObject({ withPrevious: true });
});

describe('the window', () => {
  test('is the last 30 days from a full hour on, in UTC', async () => {
    const before = Date.now();
    await get();
    const { from, to, tz, version, withPrevious, botId, workspaceId } = asked();
    expect([tz, version, withPrevious]).toEqual(['UTC', null, false]);
    expect([workspaceId, botId]).toEqual([known.workspaceId, known.botId]);
    const [start, end] = [(from as Date).getTime(), (to as Date).getTime()];
    expect(end).toBeGreaterThanOrEqual(before);
    expect(end).toBeLessThanOrEqual(Date.now());
    expect(start % 3_600_000).toBe(0);
    expect(end - start).toBeGreaterThanOrEqual(30 * 86_400_000);
    expect(end - start).toBeLessThan(30 * 86_400_000 + 3_600_000);
  });

  test('ends where `to` says, with any offset', async () => {
    await get('?to=2026-03-01T01:15:00%2B01:00&tz=Asia/Kolkata&version=3');
    expect(asked()).toMatchObject({
      from: new Date('2026-01-30T00:00:00Z'),
      to: new Date('2026-03-01T00:15:00Z'),
      tz: 'Asia/Kolkata',
      version: 3,
    });
    await get('?from=2026-01-01T00:00:00.5Z&to=2026-02-01T00:00:00');
    expect(asked()).toMatchObject({
      from: new Date('2026-01-01T00:00:00.5Z'),
      to: new Date('2026-02-01T00:00:00Z'),
    });
  });
});

test.each([
  ['from=2026-02-01T00:00:00Z&to=2026-02-01T00:00:00Z', '/query/to', 'Must be after from'],
  ['from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/to', 'Must be after from'],
  ['from=2025-01-01T00:00:00Z&to=2026-02-06T00:00:00Z', '/query/to', 'The window must have at most 400 days'],
  [
    'from=2020-01-01T00:00:00Z',
    '/query/from',
    'The window must have at most 400 days: without to, it ends now',
  ],
  ['from=9000-01-01T00:00:00Z', '/query/from', 'Must be before now, where the window ends without to'],
  ['from=yesterday', '/query/from', 'Must be an instant such as 2026-11-21T09:30:00Z'],
  ['tz=Mars/Olympus', '/query/tz', 'Must be an IANA time zone, such as UTC or Europe/Berlin'],
  ['tz=', '/query/tz', 'Must be an IANA time zone, such as UTC or Europe/Berlin'],
  ['tz=%2B02:00', '/query/tz', 'Must be an IANA time zone, such as UTC or Europe/Berlin'],
  ['version=0', '/query/version', 'Must be at least 1'],
  ['version=1.5', '/query/version', 'Must be a whole number'],
  ['version=2147483648', '/query/version', 'Must be at most 2147483647'],
  ['compare=next', '/query/compare', 'Must be previous'],
])('%s is refused', async (query, pointer, detail) => {
  const { code, type, errors } = await get(`?${query}`);
  expect([code, type, errors]).toEqual([400, 'invalid-request', [{ pointer, detail }]]);
});

describe('an error of the service', () => {
  test('is answered, with the pointer into the query', async () => {
    surface.services.before.set('getBotInsight', () => {
      const faults = [{ pointer: '/version', detail: 'The bot has no version 7' }];
      throw new AppError('invalid_argument', 'invalid-request', 'The request is not valid', { faults });
    });
    expect(await get('?version=7')).toMatchObject({
      code: 400,
      errors: [{ pointer: '/query/version', detail: 'The bot has no version 7' }],
    });
  });

  test('such as an unknown bot is 404, and a service that is building its figures 503', async () => {
    const unknown = path.replace(known.botId, known.webhookId);
    expect((await surface.call('GET', unknown)).envelope()).toMatchObject({ code: 404, type: 'not-found' });
    const progress = 'The figures are being built for the first time: 15 %';
    surface.services.before.set('getBotInsight', () => {
      throw unavailable(undefined, progress);
    });
    expect(await get()).toMatchObject({ code: 503, type: 'unavailable', detail: progress });
  });
});

test('a stopped insight service is 503, and none at all 404, while everything else works', async () => {
  await using stopped = await startSurface();
  await stopped.services.stop('insight');
  expect((await stopped.call('GET', path)).envelope()).toMatchObject({ code: 503, type: 'unavailable' });
  const { addresses } = surface.services;
  await using without = await startSurface({ addresses: { ...addresses, insight: undefined } });
  expect((await without.call('GET', path)).envelope()).toMatchObject({
    code: 404,
    type: 'no-insight',
    detail: 'This deployment has no insight service',
  });
  for (const one of [stopped, without])
    expect((await one.call('GET', `/v1/workspaces/${known.workspaceId}/bots`)).status).toBe(200);
});
