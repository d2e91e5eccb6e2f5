import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runCommand } from '../../packages/cli/tests/run-command.ts';
import { anonymise } from '../customers/anonymise.ts';
import { messageId, openBrowser } from '../conversations/conversation.ts';
import {
  ask,
  countsOf,
  end,
  figuresOf,
  header,
  hold,
  holdAll,
  newPlace,
  type Place,
  type Planned,
  score,
  simple,
  stepsOf,
  waysOf,
} from './insight-conversations.ts';

// Contract 2, section 11: the figures of known conversations.

const { baseUrl } = inject('local');

describe('the example of docs/insight.md', () => {
  let page: string;
  let place: Place;
  beforeAll(async () => {
    page = await readFile(resolve(import.meta.dirname, '../../docs/insight.md'), 'utf8');
    const fileOf = (name: string): unknown =>
      JSON.parse(new RegExp(`^\`\`\`json ${name}\n([^]*?)^\`\`\``, 'm').exec(page)?.[1] ?? 'null');
    place = await newPlace(fileOf('feedback.json') as Record<string, unknown>);
    await holdAll(place, fileOf('conversations.json') as Planned[]);
  });

  test('prints what it says, but for dates and times', async () => {
    await figuresOf(place);
    const masked = (text: string): string =>
      text
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, 'DATE')
        .replaceAll(/median .+, 90 % within .+$/gm, 'median TIME, 90 % within TIME');
    const { apiKey, apiSecret } = place.workspace;
    const env = { PARLEY_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
    const { stdout, stderr } = await runCommand(['bot', 'insight', 'feedback'], { env });
    expect(stderr).toBe('');
    const [, shown = ''] = /^```console\n\$ parley bot insight feedback\n([^]*?)^```/m.exec(page) ?? [];
    expect(masked(stdout)).toBe(masked(shown));
  });

  test('has these figures in the API', async () => {
    const insight = await figuresOf(place);
    expect(insight.bot).toEqual({ id: place.botId, key: 'feedback', name: 'Feedback' });
    expect(countsOf(insight)).toEqual({
      created: 10,
      started: 8,
      completed: 5,
      expired: 1,
      stalled: 1,
      active: 1,
    });
    const { startRate, completionRate, timeToComplete, activeSeconds } = insight.totals;
    expect([startRate, completionRate, timeToComplete.n, activeSeconds.n]).toEqual([0.8, 0.625, 5, 5]);
    for (const { medianSeconds, p90Seconds } of [timeToComplete, activeSeconds]) {
      expect(medianSeconds).toBeGreaterThan(0);
      expect(p90Seconds).toBeGreaterThanOrEqual(medianSeconds ?? 0);
    }
    expect(stepsOf(insight)).toEqual({ score: [9, 8, 0, 1], problem: [3, 2, 0, 1], name: [7, 2, 3, 1] });
    expect(insight.steps.map(({ dropRate }) => dropRate)).toEqual([1 / 9, 1 / 3, 1 / 7]);
    expect(insight.ways).toEqual([
      { from: 'score', to: 'problem', n: 3 },
      { from: 'score', to: 'name', n: 5 },
      { from: 'problem', to: 'name', n: 2 },
      { from: 'name', to: 'bye', n: 5 },
    ]);
    const distribution = { 0: 0, 1: 0, 2: 1, 3: 1, 4: 0, 5: 0, 6: 1, 7: 0, 8: 1, 9: 2, 10: 2 };
    expect(insight.evaluation).toEqual({
      nps_score: {
        n: 8,
        score: 12.5,
        margin: expect.closeTo(196 * Math.sqrt((0.5 + 0.375 - 0.125 ** 2) / 8), 9) as number,
        promoters: 4,
        passives: 1,
        detractors: 3,
        distribution,
      },
      problem: { n: 2, counts: { price: 1, delivery: 1, other: 0 } },
      name: { n: 2 },
    });
    expect(insight.days.reduce((sum, { created }) => sum + created, 0)).toBe(10);
    expect(insight.days.length).toBeGreaterThanOrEqual(31);
    expect(insight.previous).toBeUndefined();
  });

  test('leads from each step to the interactions that it counts as dropped', async () => {
    const { from, to, steps } = await figuresOf(place, { version: 1 });
    const { interactions } = place.workspace.client;
    const { botId } = place;
    for (const { stepId, dropped } of steps) {
      expect(dropped).toBe(1);
      const window = { createdFrom: `${from}Z`, createdTo: `${to}Z` };
      for (const filters of [{}, { botVersion: 1 }, window]) {
        const { data, meta } = await interactions.list({ botId, stoppedAt: stepId, ...filters });
        expect([stepId, meta.totalResults, data.length]).toEqual([stepId, dropped, dropped]);
        const exported = [];
        for await (const { id } of interactions.export({ botId, stoppedAt: stepId, ...filters }))
          exported.push(id);
        expect(exported).toEqual(data.map(({ id }) => id));
      }
    }
    const stopped = await interactions.list({ botKey: 'feedback', stoppedAt: 'score', include: 'details' });
    expect(stopped.data).toMatchObject([
      { customerId: 'hal', details: { botId, botVersion: 1, completedAt: null } },
    ]);
    expect((await interactions.list({ botId, stoppedAt: 'score', botVersion: 2 })).data).toEqual([]);
  });
});

test('every kind of key, also of conversations that did not end, by its type', async () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));
  const place = await newPlace({
    ...header,
    key: 'kinds',
    name: 'Kinds',
    evaluation: {
      rating: {},
      number: {},
      choice: {},
      yesno: {},
      multi: {},
      text: {},
      person: { pii: true },
      twice: {},
    },
    steps: [
      ask('rating', { type: 'rating', max: 5 }, { retry: { text: 'A number, please.' } }),
      ask('number', { type: 'number' }),
      ask('choice', { type: 'choice', choices }),
      ask('yesno', { type: 'yesNo' }),
      ask('multi', { type: 'multiChoice', choices }),
      ask('text', { type: 'text' }),
      ask('person', { type: 'nps' }, { pii: true }),
      { id: 'twice', kind: 'set', evaluation: { twice: 'answers.rating * 2' } },
      end,
    ],
  });
  await holdAll(place, [
    { customerId: 'ada', answers: [5, 1.5, 'a', true, ['a', 'b'], 'x', 9] },
    { customerId: 'ben', answers: [2, 1.5, 'b', false, ['b'], 'y', 3] },
    { customerId: 'cem', answers: [4, -10, 'a'] },
    { customerId: 'dan', answers: [4, 7], becomes: 'expired' },
  ]);
  const { evaluation } = await figuresOf(place);
  expect(evaluation).toEqual({
    rating: { n: 4, mean: 3.75, median: 4, distribution: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 1 } },
    number: { n: 4, mean: 0, median: 1.5, distribution: { '-10': 1, 1.5: 2, 7: 1 } },
    choice: { n: 3, counts: { a: 2, b: 1, c: 0 } },
    yesno: { n: 2, counts: { yes: 1, no: 1 } },
    multi: { n: 2, counts: { a: 1, b: 2, c: 0 } },
    text: { n: 2 },
    person: { n: 2 },
    twice: { n: 2, mean: 7, median: 7, distribution: { 4: 1, 10: 1 } },
  });
  expect(Object.keys(evaluation)).toEqual([
    'rating',
    'number',
    'choice',
    'yesno',
    'multi',
    'text',
    'person',
    'twice',
  ]);
});

test('rankings, matrices, consents and own words: their figures, their columns, and what an erasure keeps', async () => {
  const choices = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));
  const other = { label: 'Else' };
  const label = 'I agree';
  const place = await newPlace({
    ...header,
    key: 'rare',
    name: 'Rare',
    evaluation: { rank: {}, rows: {}, terms: {}, one: {}, several: {} },
    steps: [
      ask('rank', { type: 'ranking', choices, rankMax: 2, order: 'random' }),
      ask('rows', { type: 'matrix', rows: choices, columns: choices, rowsRequired: false, order: 'random' }),
      ask('terms', { type: 'consent', label }, { required: false }),
      ask('one', { type: 'choice', choices, other }),
      ask('several', { type: 'multiChoice', choices, other }),
      end,
    ],
  });
  const { client } = place.workspace;
  const own = { other: 'b, says Ada' };
  const [ada = ''] = await holdAll(place, [
    { customerId: 'ada', answers: [['b', 'a'], { a: 'c', b: 'a' }, true, own, ['c', own]] },
    { customerId: 'ben', answers: [['c', 'b'], { a: 'c' }, false, 'a', ['b']] },
    { customerId: 'cem', answers: [['b', 'c']] },
  ]);
  const figures = {
    rank: {
      n: 3,
      items: [
        { value: 'a', meanRank: 2, first: 0 },
        { value: 'b', meanRank: 4 / 3, first: 2 },
        { value: 'c', meanRank: 1.5, first: 1 },
      ],
    },
    rows: {
      n: 2,
      rows: [
        { value: 'a', counts: { a: 0, b: 0, c: 2 } },
        { value: 'b', counts: { a: 1, b: 0, c: 0 } },
        { value: 'c', counts: { a: 0, b: 0, c: 0 } },
      ],
    },
    terms: { n: 2, counts: { yes: 1, no: 1 } },
    one: { n: 2, counts: { a: 1, b: 0, c: 0, other: 1 } },
    several: { n: 2, counts: { a: 0, b: 1, c: 1, other: 1 } },
  };
  expect((await figuresOf(place)).evaluation).toEqual(figures);
  expect(JSON.stringify(figures)).not.toContain('Ada');

  const csv = async () => {
    const stream = await client.interactions.export({ botKey: 'rare' }).csv();
    return (await new Response(stream).text()).split('\r\n').map((line) => line.split(',').slice(10).join());
  };
  const [columns, ...lines] = await csv();
  expect(columns).toBe('rank,rows.a,rows.b,rows.c,terms,one,several');
  expect(lines).toContain('"b, a",c,a,,yes,"b, says Ada","c,b, says Ada"');
  expect(lines).toContain('"c, b",c,,,no,a,b');

  const { data } = await client.interactions.get(ada);
  const { transcript } = JSON.parse(data ?? '') as { transcript: Record<string, unknown>[] };
  const answers = transcript.filter(({ type }) => type === 'customer');
  expect(answers.map(({ order }) => (order as string[] | undefined)?.toSorted())).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    undefined,
    undefined,
    undefined,
  ]);
  const sha256 = createHash('sha256').update(label).digest('hex');
  expect(answers[2]).toMatchObject({ body: label, consent: { sha256, locale: 'en' } });

  await client.customers.update('ada', { firstName: 'Ada' });
  await anonymise(place.workspace, 'ada');
  expect((await figuresOf(place)).evaluation).toEqual(figures);
  expect(await csv()).toContain('"b, a",c,a,,yes,"b, says [removed]","c,b, says [removed]"');
  expect((await client.interactions.get(ada)).data).not.toContain('Ada');
});

test('a step that is asked again counts once, and an answer in words as one', async () => {
  const rating = ask('rating', { type: 'rating', max: 5 }, { retry: { text: 'A number, please.' } });
  const steps = [rating, ask('why', { type: 'text' }, { required: false }), end];
  const place = await newPlace({ ...simple, evaluation: { rating: {}, why: {} }, steps });
  const id = await hold(place, { customerId: 'ada' });
  const browser = await openBrowser(baseUrl, place.workspace, 'ada');
  let snapshot = await browser.start(id);
  for (const text of ['well', 'very well', '4']) snapshot = await browser.say(id, snapshot, { text });
  await browser.say(id, snapshot, { skip: true });
  const insight = await figuresOf(place);
  expect(stepsOf(insight)).toEqual({ rating: [1, 1, 0, 0], why: [1, 0, 1, 0] });
  expect(countsOf(insight)).toMatchObject({ started: 1, completed: 1 });
  expect(insight.evaluation['why']).toEqual({ n: 0 });
});

test('each way counts once per interaction: of arms, loops, steps that are left out, and a model that fails', async () => {
  const yesNo = (id: string, more: object = {}) => ({
    ...ask(id, { type: 'yesNo' }, more),
    evaluation: undefined,
  });
  const place = await newPlace({
    ...simple,
    revise: true,
    steps: [
      { ...score, next: [{ if: 'answers.score <= 6', goto: 'why' }, { else: 'rate' }] },
      { ...ask('why', { type: 'text' }), evaluation: undefined },
      yesNo('rate', { when: 'answers.score > 3' }),
      {
        id: 'sort',
        kind: 'llm',
        mode: 'classify',
        prompt: 'Sort {{answers.score}}.',
        labels: ['a', 'b'],
        saveAs: 'label',
        onError: { goto: 'again' },
      },
      { id: 'sorted', kind: 'say', text: 'Sorted.' },
      yesNo('again', { next: [{ if: 'answers.again', goto: 'score' }, { else: 'bye' }] }),
      end,
    ],
  });
  await hold(place, { customerId: 'ada', answers: [10, true, false] });
  const ben = await hold(place, { customerId: 'ben', answers: [2, 'x', true, 9, true, false] });
  await hold(place, { customerId: 'dan', answers: [] });
  // This one changes an answer, so nothing of its former path counts.
  const cem = await hold(place, { customerId: 'cem' });
  const browser = await openBrowser(baseUrl, place.workspace, 'cem');
  const { seq: expectedSeq } = await browser.say(cem, await browser.start(cem), { value: 5 });
  expect(waysOf(await figuresOf(place))).toMatchObject({ 'score why': 2, 'score rate': 2 });
  const revision = { clientMessageId: messageId(), expectedSeq, stepId: 'score', answer: { value: 9 } };
  expect((await browser.api.post(`/conversations/${cem}/revise`, revision)).status).toBe(200);
  const { data: snapshot } = (await browser.look(cem)).body;
  await browser.say(cem, snapshot, { value: false });

  const ways = {
    'score why': 1,
    'score rate': 3,
    'why rate': 1,
    'rate sort': 3,
    'sort again': 3,
    'again score': 1,
    'again bye': 2,
  };
  const insight = await figuresOf(place);
  expect(Object.entries(waysOf(insight))).toEqual(Object.entries(ways));
  expect(stepsOf(insight)).toEqual({
    score: [4, 3, 0, 0],
    why: [1, 1, 0, 0],
    rate: [3, 3, 0, 0],
    again: [3, 2, 0, 0],
  });
  expect(waysOf(await figuresOf(place, { version: 1 }))).toEqual(ways);

  await place.workspace.client.interactions.delete(ben);
  expect(waysOf(await figuresOf(place))).toEqual({
    'score rate': 2,
    'rate sort': 2,
    'sort again': 2,
    'again bye': 1,
  });
});

test('imports are left out, deleting removes, and anonymising changes nothing', async () => {
  const place = await newPlace(simple);
  const { client } = place.workspace;
  const planned: Planned[] = [
    { customerId: 'ada', answers: [10] },
    { customerId: 'ben', answers: [0] },
    { customerId: 'cem', answers: [9] },
    { customerId: 'cem', answers: [] },
    { customerId: 'dan', status: 'Completed' },
    { customerId: 'dan', status: 'Expired' },
  ];
  const [ada = ''] = await holdAll(place, planned);
  const before = await figuresOf(place);
  expect(countsOf(before)).toMatchObject({ created: 4, started: 3, completed: 3 });
  await anonymise(place.workspace, 'ben');
  const { totals, steps, evaluation } = await figuresOf(place);
  expect({ totals, steps, evaluation }).toEqual({
    totals: before.totals,
    steps: before.steps,
    evaluation: before.evaluation,
  });
  await client.interactions.delete(ada);
  expect(await figuresOf(place)).toMatchObject({
    totals: { created: 3, started: 2 },
    evaluation: { score: { n: 2, promoters: 1, detractors: 1 } },
  });
  await client.customers.delete('cem');
  const last = await figuresOf(place);
  expect(countsOf(last)).toMatchObject({ created: 1, started: 1, completed: 1, active: 0 });
  expect(stepsOf(last)).toEqual({ score: [1, 1, 0, 0] });
  expect(last.evaluation['score']).toMatchObject({ n: 1, score: -100, margin: 0 });
});

test('a conversation that has expired or stalled counts as what it is after it goes on', async () => {
  const steps = [score, ask('why', { type: 'text' }), end];
  const place = await newPlace({ ...simple, evaluation: { score: {}, why: {} }, steps });
  const { interactions } = place.workspace.client;
  const expired = await hold(place, { customerId: 'ada', answers: [9], becomes: 'expired' });
  const stalled = await hold(place, { customerId: 'ben', answers: [0], becomes: 'stalled' });
  const before = await figuresOf(place);
  expect(countsOf(before)).toMatchObject({ started: 2, expired: 1, stalled: 1, active: 0 });
  expect(stepsOf(before)).toEqual({ score: [2, 2, 0, 0], why: [2, 0, 0, 2] });

  await interactions.update(expired, { status: 'Pending', expiry: 600 });
  const reopened = await figuresOf(place);
  expect(countsOf(reopened)).toMatchObject({ started: 2, expired: 0, stalled: 1, active: 1 });
  for (const [customerId, id] of [['ada', expired] as const, ['ben', stalled] as const]) {
    const browser = await openBrowser(baseUrl, place.workspace, customerId);
    await browser.say(id, await browser.start(id), { text: 'Because.' });
  }
  const after = await figuresOf(place);
  expect(countsOf(after)).toMatchObject({ started: 2, completed: 2, expired: 0, stalled: 0, active: 0 });
  expect(stepsOf(after)).toEqual({ score: [2, 2, 0, 0], why: [2, 2, 0, 0] });
});

test('a rebuild does not change the figures', async () => {
  const place = await newPlace(simple);
  await holdAll(place, [
    { customerId: 'ada', answers: [10] },
    { customerId: 'ben', answers: [], becomes: 'expired' },
  ]);
  const window = { to: new Date(Date.now() + 60_000).toISOString() };
  const before = await figuresOf(place, window);
  const { exitCode, stdout } = await runCommand(['insight', 'rebuild', '--data-dir', inject('dataDir')]);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^The rebuild ended at .+ interactions in /)]);
  expect({ ...(await figuresOf(place, window)), asOf: before.asOf }).toEqual(before);
});

test('an unknown bot is 404, as one of another workspace, and an unknown version or time zone 400', async () => {
  const place = await newPlace(simple);
  const other = await newPlace(simple);
  const { api } = place.workspace;
  for (const id of [other.botId, '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b'])
    expect(await api.get(`/bots/${id}/insight`)).toMatchObject({ status: 404, body: { type: 'not-found' } });
  for (const [query, pointer] of [
    ['version=2', '/query/version'],
    ['tz=Mars/Olympus', '/query/tz'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '/query/to'],
    ['compare=next', '/query/compare'],
  ]) {
    const { status, body } = await api.get(`/bots/${place.botId}/insight?${query}`);
    expect([status, body.errors?.map((fault) => fault.pointer)]).toEqual([400, [pointer]]);
  }
});
