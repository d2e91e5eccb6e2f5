import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { npsBot, sampleBot } from './sample-bots.ts';
import { openBrowser } from './conversation.ts';

// Seed: Bots. Contract, section 5.

interface Bot {
  id: string;
  name: string;
  context: string[];
  version?: number;
}

const { baseUrl } = inject('local');
const nowhere = '01890000-0000-7000-8000-000000000000';
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let workspace: TestWorkspace;
let made = 0;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
});

const askingBot = (fields: object = {}, words = 'Hello') => ({
  schemaVersion: 1,
  key: `bot-${(made += 1)}`,
  name: 'Asking bot',
  type: 'Test',
  locale: 'en',
  evaluation: { answer: {} },
  steps: [
    { id: 'hello', kind: 'say', text: words },
    { id: 'question', kind: 'ask', text: 'Well?', input: { type: 'text' }, evaluation: 'answer' },
    { id: 'bye', kind: 'end', text: `${words} again` },
  ],
  ...fields,
});

const publish = (definition: unknown) => workspace.api.post<Bot>('/bots', definition);

describe('reading', () => {
  test('a bot has three fields, in the list and by itself; the list is not paged', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    const ids = [await own.publish(npsBot), await own.publish(sampleBot('appointment-reminder'))];
    const expected = [
      { id: ids[0], name: 'NPS follow-up', context: ['productName'] },
      {
        id: ids[1],
        name: 'Appointment reminder',
        context: ['appointmentDate', 'appointmentTime', 'placeName', 'reference'],
      },
    ];
    const list = await own.api.get('/bots');
    expect(list.body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: expected,
      meta: null,
    });
    for (const [index, id] of ids.entries()) {
      expect(id).toMatch(uuidv7);
      const { body } = await own.api.get(`/bots/${id}`);
      expect([body.data, body.meta]).toEqual([expected[index], null]);
    }
  });

  test('a workspace without bots has an empty list', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    expect((await own.api.get('/bots')).body.data).toEqual([]);
  });

  test.each([nowhere, 'x', '1'])('%s is 404', async (id) => {
    const answers = [
      await workspace.api.get(`/bots/${id}`),
      await workspace.api.get(`/bots/${id}/versions`),
      await workspace.api.post(`/bots/${id}/versions`, npsBot),
    ];
    for (const { status, body } of answers)
      expect([status, body.type, body.data]).toEqual([404, 'not-found', null]);
  });

  test('one of another workspace is 404', async () => {
    const other = await createWorkspace(baseUrl, inject('operator'));
    const theirs = await other.publish(npsBot);
    expect((await workspace.api.get(`/bots/${theirs}`)).status).toBe(404);
    expect((await workspace.api.get(`/bots/${theirs}/versions`)).status).toBe(404);
    expect((await workspace.api.post(`/bots/${theirs}/versions`, npsBot)).status).toBe(404);
  });
});

describe('publishing', () => {
  test('creates version 1; later versions have rising numbers, and are listed newest first', async () => {
    const definition = askingBot();
    const { status, body } = await publish(definition);
    expect(status).toBe(200);
    const { id } = body.data;
    expect(body.data).toMatchObject({ name: 'Asking bot', context: [] });
    expect(body.data.version).toBe(1);
    const renamed = { ...definition, name: 'Renamed', context: [{ name: 'a' }, { name: 'b' }] };
    const second = await workspace.api.post<Bot>(`/bots/${id}/versions`, renamed);
    expect(second.body.data).toMatchObject({ id, name: 'Renamed', context: ['a', 'b'], version: 2 });
    expect((await workspace.api.get(`/bots/${id}`)).body.data).toEqual({
      id,
      name: 'Renamed',
      context: ['a', 'b'],
    });
    const { body: list } = await workspace.api.get<{ version: number; publishedAt: string }[]>(
      `/bots/${id}/versions`,
    );
    expect(list.data.map(({ version }) => version)).toEqual([2, 1]);
    expect(list.data[0]?.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/);
  });

  test('a key of another bot in the workspace is 409; another workspace may use it', async () => {
    const definition = askingBot();
    expect((await publish(definition)).status).toBe(200);
    const { status, body } = await publish(definition);
    expect([status, body.code, body.data]).toEqual([409, 409, null]);
    const other = await createWorkspace(baseUrl, inject('operator'));
    expect((await other.api.post('/bots', definition)).status).toBe(200);
  });

  test('concurrently published versions have different numbers', async () => {
    const definition = askingBot();
    const { body } = await publish(definition);
    const { id } = body.data;
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        workspace.api.post<Bot>(`/bots/${id}/versions`, { ...definition, name: `Name ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const versions = answers.map((answer) => answer.body.data.version ?? 0).toSorted((a, b) => a - b);
    expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('reports all faults at once, each with its place; nothing is published', async () => {
    const before = (await workspace.api.get<Bot[]>('/bots')).body.data.length;
    const faulty = {
      ...askingBot(),
      surprise: true,
      steps: [
        { id: 'a', kind: 'say', text: 'Hi {{context.nothing}}', next: 'nowhere' },
        {
          id: 'a',
          kind: 'ask',
          text: 'Well?',
          input: { type: 'choice', choices: [] },
          evaluation: 'unknown',
        },
        { id: 'c', kind: 'dance' },
        { id: 'd', kind: 'set', evaluation: { answer: 'answers.x +' } },
        { id: 'e', kind: 'end', text: 'Bye' },
      ],
    };
    const { status, body } = await publish(faulty);
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    const pointers = body.errors?.map(({ pointer }) => pointer) ?? [];
    for (const place of ['/surprise', '/steps/0', '/steps/1', '/steps/2', '/steps/3']) {
      expect(
        pointers.some((pointer) => pointer.startsWith(place)),
        place,
      ).toBe(true);
    }
    expect((await workspace.api.get<Bot[]>('/bots')).body.data).toHaveLength(before);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty object', {}],
    ['a list', []],
    ['null', null],
    ['a text', '"bot"'],
    ['no steps', askingBot({ steps: [] })],
    [
      'an unreachable step',
      askingBot({
        steps: [
          { id: 'a', kind: 'end' },
          { id: 'b', kind: 'end' },
        ],
      }),
    ],
    ['a loop without a question', askingBot({ steps: [{ id: 'a', kind: 'say', text: 'x', next: 'a' }] })],
    ['another version of the schema', askingBot({ schemaVersion: 2 })],
    ['a definition over 64 KiB', askingBot({ description: 'x'.repeat(70_000) })],
    ['a text with NUL', askingBot({ name: 'a\0b' })],
  ])('%s is 400', async (_name, definition) => {
    const { status, body } = await publish(definition);
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    expect(body.errors?.length).toBeGreaterThan(0);
  });

  test('a version with faults, or with the key of another bot, does not change the bot', async () => {
    const definition = askingBot();
    const { id } = (await publish(definition)).body.data;
    for (const faulty of [{}, { ...definition, steps: [] }, { ...definition, key: 'other-key' }]) {
      expect((await workspace.api.post(`/bots/${id}/versions`, faulty)).status).toBe(400);
    }
    expect((await workspace.api.get<unknown[]>(`/bots/${id}/versions`)).body.data).toHaveLength(1);
  });
});

describe('versions', () => {
  interface Interaction {
    id: string;
    type: string;
    data: string;
  }
  const create = async (botId: string, status: string) =>
    (await workspace.api.post<Interaction>('/interactions', { customerId: 'c', botId, status })).body.data;

  test('a conversation keeps the version of its start, a later one has the newest', async () => {
    const definition = askingBot({}, 'First');
    const { id: botId } = (await publish(definition)).body.data;
    const begun = await create(botId, 'InProgress');
    const waiting = await create(botId, 'Pending');
    const next = { ...askingBot({}, 'Second'), key: definition.key };
    expect((await workspace.api.post(`/bots/${botId}/versions`, next)).status).toBe(200);

    const browser = await openBrowser(baseUrl, workspace, 'c');
    const first = await browser.start(begun.id);
    const ended = await browser.say(begun.id, first, { text: 'x' });
    expect(ended.entries.map(({ body }) => body)).toEqual(['First', 'Well?', 'x', 'First again']);
    const second = await browser.start(waiting.id);
    expect(second.entries.map(({ body }) => body)).toEqual(['Second', 'Well?']);
  });

  test('type is that of the bot at the creation of the interaction', async () => {
    const definition = askingBot({ type: 'Old', typeLabel: 'Old label' });
    const { id: botId } = (await publish(definition)).body.data;
    const { id } = await create(botId, 'Draft');
    await workspace.api.post(`/bots/${botId}/versions`, {
      ...definition,
      type: 'New',
      typeLabel: 'New label',
    });
    expect((await workspace.api.get<Interaction>(`/interactions/${id}`)).body.data.type).toBe('Old');
    expect((await create(botId, 'Draft')).type).toBe('New');
  });

  test('without a label the type inside a customer is the type', async () => {
    const { id: botId } = (await publish(askingBot({ type: 'Plain' }))).body.data;
    await workspace.api.post('/interactions', { customerId: 'plain', botId });
    const { body } = await workspace.api.get<{ interactions: Interaction[] }>('/customers/plain');
    expect(body.data.interactions[0]?.type).toBe('Plain');
  });

  test('a conversation with a bot without questions ends at its start', async () => {
    const steps = [
      { id: 'a', kind: 'say', text: 'Hello' },
      { id: 'b', kind: 'end', text: 'Bye' },
    ];
    const { id: botId } = (await publish(askingBot({ steps, evaluation: {} }))).body.data;
    const { id } = await create(botId, 'Pending');
    const browser = await openBrowser(baseUrl, workspace, 'c');
    const snapshot = await browser.start(id);
    expect([snapshot.status, snapshot.input, snapshot.progress]).toEqual(['Completed', null, 1]);
    expect(snapshot.entries.map(({ body }) => body)).toEqual(['Hello', 'Bye']);
  });
});
