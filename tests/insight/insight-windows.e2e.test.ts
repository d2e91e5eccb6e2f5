import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openBrowser } from '../conversations/conversation.ts';
import {
  ask,
  end,
  figuresOf,
  hold,
  holdAll,
  moveCreation,
  newPlace,
  type Place,
  score,
  simple,
  stepsOf,
} from './insight-conversations.ts';

// Contract 2, section 11: the figures of versions, windows and days.

const { baseUrl } = inject('local');

test('steps and keys are joined over versions, and a version has its own', async () => {
  const place = await newPlace(simple);
  const { bots } = place.workspace.client;
  const { botId } = place;
  await holdAll(place, [{ customerId: 'ada', answers: [10] }, { customerId: 'ben' }]);
  const happy = ask('happy', { type: 'yesNo' });
  const newer = {
    ...simple,
    evaluation: { happy: {}, score: {} },
    steps: [happy, { ...score, text: 'How?' }, end],
  };
  await bots.publishVersion(botId, newer);
  await hold(place, { customerId: 'cem', answers: [true, 0] });
  const last = { ...simple, evaluation: { happy: {} }, steps: [happy, end] };
  await bots.publishVersion(botId, last);
  await hold(place, { customerId: 'dan', answers: [false] });

  const { data: versions } = await bots.listVersions(botId);
  const [, second, first] = versions.map(({ publishedAt }) => publishedAt);
  const all = await figuresOf(place);
  expect(stepsOf(all)).toEqual({ happy: [2, 2, 0, 0], score: [2, 2, 0, 0] });
  expect(all.steps.map(({ stepId, text, since }) => [stepId, text, since])).toEqual([
    ['happy', 'Your happy?', second],
    ['score', 'How?', first],
  ]);
  expect(Object.keys(all.evaluation)).toEqual(['happy', 'score']);
  const one = await figuresOf(place, { version: 1 });
  expect(one.totals).toMatchObject({ created: 1, started: 1 });
  expect([stepsOf(one), Object.keys(one.evaluation)]).toEqual([{ score: [1, 1, 0, 0] }, ['score']]);
  const three = await figuresOf(place, { version: 3 });
  expect([stepsOf(three), Object.keys(three.evaluation)]).toEqual([{ happy: [1, 1, 0, 0] }, ['happy']]);
  expect(three.days.every((day) => !('nps' in day))).toBe(true);
});

describe('windows and days', () => {
  const at = (time: string): string => `2026-03-10T${time}Z`;
  let place: Place;
  beforeAll(async () => {
    place = await newPlace(simple);
    // Midnight in India is 18:30 in UTC.
    for (const [index, time] of ['18:29:59.999', '18:30:00', '18:45:00'].entries()) {
      const id = await hold(place, { customerId: `c${index}`, answers: [] });
      await moveCreation(place, id, at(time));
      if (index === 0) continue;
      const browser = await openBrowser(baseUrl, place.workspace, `c${index}`);
      const { body } = await browser.look(id);
      await browser.say(id, body.data, { value: index === 1 ? 10 : 0 });
    }
  });
  const created = async (from: string, to: string) =>
    (await figuresOf(place, { from: at(from), to: at(to) })).totals.created;

  test('a window includes its start and excludes its end, also within an hour', async () => {
    expect(await created('18:00:00', '19:00:00')).toBe(3);
    expect(await created('18:29:59.999', '18:30:00')).toBe(1);
    expect(await created('18:30:00', '18:45:00')).toBe(1);
    expect(await created('18:30:00.001', '18:45:00.001')).toBe(1);
    expect(await created('19:00:00', '20:00:00')).toBe(0);
  });

  test('days begin at midnight of the time zone', async () => {
    const window = { from: at('12:00:00'), to: '2026-03-11T12:00:00Z' };
    const first = { date: '2026-03-10', created: 1, started: 0, completed: 0, nps: null };
    const second = { date: '2026-03-11', created: 2, started: 2, completed: 2, nps: 0 };
    expect((await figuresOf(place, { ...window, tz: 'Asia/Kolkata' })).days).toEqual([first, second]);
    expect((await figuresOf(place, window)).days).toEqual([
      { ...second, date: '2026-03-10', created: 3 },
      { ...first, date: '2026-03-11', created: 0 },
    ]);
  });

  test('the window before has the same length', async () => {
    const window = { from: at('18:30:00'), to: at('18:31:00'), compare: 'previous' } as const;
    const { totals, previous } = await figuresOf(place, window);
    expect(totals).toMatchObject({ created: 1, started: 1 });
    expect(previous).toMatchObject({
      from: '2026-03-10T18:29:00.000000',
      to: '2026-03-10T18:30:00.000000',
      created: 1,
      started: 0,
      startRate: 0,
      completionRate: null,
    });
  });
});
