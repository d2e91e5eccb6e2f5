import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { auditEventsOf } from '../people/audit-log.ts';

// Contract 3, section 18: drafts and templates of bots.

interface Draft {
  definition: unknown;
  baseVersion: number;
  updatedAt: string;
  updatedBy: string;
  faults: { pointer: string; detail: string }[];
}

interface Bot {
  id: string;
  name: string;
  version: number;
}

const { baseUrl } = inject('local');
let made = 0;
const definition = () => ({
  schemaVersion: 1,
  key: `drafted-${(made += 1)}`,
  name: 'Drafted',
  type: 'Feedback',
  steps: [
    { id: 'why', kind: 'ask', text: 'Why?', input: { type: 'text' } },
    { id: 'bye', kind: 'end', text: 'Bye' },
  ],
});

let workspace: TestWorkspace;
let stranger: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  stranger = await createWorkspace(baseUrl, inject('operator'));
});

let live: ReturnType<typeof definition>;
let botId: string;
let path: string;
beforeEach(async () => {
  live = definition();
  botId = await workspace.publish(live);
  path = `/bots/${botId}`;
});

const first = { 'if-none-match': '*' };
const save = (body: unknown, headers: Record<string, string> = first) =>
  workspace.api.call<Draft>('PUT', `${path}/draft`, { body, headers });
const tagOf = ({ headers }: { headers: Headers }): string => headers.get('etag') ?? '';
const saved = async (body: unknown, headers?: Record<string, string>): Promise<string> => {
  const answer = await save(body, headers);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return tagOf(answer);
};
const publish = (body: object = {}, headers: Record<string, string> = {}) =>
  workspace.api.post<Bot>(`${path}/versions`, { publishDraft: true, ...body }, headers);
const hasDraft = async (): Promise<boolean> => (await workspace.api.get(`${path}/draft`)).status === 200;

describe('a draft', () => {
  test('keeps a definition byte for byte, and changes nothing that customers see', async () => {
    const text = '{ "steps" : [ 1.0, "\\u0041" ],\n "key": 7 }';
    const answer = await save(`{"baseVersion": 1, "definition": ${text}}`);
    expect(answer.body.data).toEqual({
      definition: { steps: [1, 'A'], key: 7 },
      baseVersion: 1,
      updatedAt: expect.any(String),
      updatedBy: workspace.apiKey,
      faults: expect.arrayContaining([expect.objectContaining({ pointer: '/steps/0' })]),
    });
    const read = await workspace.api.get<Draft>(`${path}/draft`);
    expect([read.body.data, tagOf(read)]).toEqual([answer.body.data, tagOf(answer)]);
    const basic = Buffer.from(`${workspace.apiKey}:${workspace.apiSecret}`).toString('base64');
    const url = `${baseUrl}/v1/workspaces/${workspace.id}${path}/draft`;
    const raw = await fetch(url, { headers: { authorization: `Basic ${basic}` } });
    expect(await raw.text()).toContain(text);
    expect((await workspace.api.get(`${path}/versions/1`)).body.data).toMatchObject({ definition: live });
    expect((await workspace.api.get<unknown[]>(`${path}/versions`)).body.data).toHaveLength(1);
  });

  test('has the faults that publishing it would meet, also another key', async () => {
    const faults = async (): Promise<string[]> =>
      (await workspace.api.get<Draft>(`${path}/draft`)).body.data.faults.map(({ pointer }) => pointer);
    let tag = await saved({ definition: {} });
    expect(await faults()).toContain('/key');
    tag = await saved({ definition: { ...live, key: 'other' } }, { 'if-match': tag });
    expect(await faults()).toEqual(['/key']);
    await saved({ definition: { ...live, name: 'New' } }, { 'if-match': tag });
    expect(await faults()).toEqual([]);
  });

  test('is saved only over the state that its author knows: 412 says who has saved, and when', async () => {
    expect([(await save({ definition: {} }, {})).status, await hasDraft()]).toEqual([428, false]);
    const nothing = await save({ definition: {} }, { 'if-match': '*' });
    expect([nothing.status, nothing.body.detail]).toEqual([412, expect.stringContaining('no draft')]);
    const tag = await saved({ definition: { name: 'A' } });
    const next = await saved({ definition: { name: 'B' } }, { 'if-match': tag });
    expect(next).not.toBe(tag);
    for (const headers of [first, { 'if-match': tag }, { 'if-match': '"x"' }] as Record<string, string>[]) {
      const late = await save({ definition: { name: 'C' } }, headers);
      const { data } = (await workspace.api.get<Draft>(`${path}/draft`)).body;
      expect([late.status, late.body.type]).toEqual([412, 'precondition-failed']);
      expect(late.body.detail).toContain(workspace.apiKey);
      expect(late.body.detail).toContain(data.updatedAt);
      expect(data.definition).toEqual({ name: 'B' });
    }
    await saved({ definition: { name: 'D' } }, { 'if-match': '*' });
    expect((await save({ definition: {} }, { 'if-none-match': next })).status).toBe(400);
    expect((await save({ definition: {} }, { ...first, 'if-match': next })).status).toBe(400);
  });

  test('accepts a repetition of the last save, whose answer was lost', async () => {
    const tag = await saved({ definition: { name: 'A' } });
    expect(await saved({ definition: { name: 'A' } })).toBe(tag);
    const next = await saved({ definition: { name: 'B' } }, { 'if-match': tag });
    expect(await saved({ definition: { name: 'B' } }, { 'if-match': tag })).toBe(next);
  });

  test('of many that are saved over one state wins one', async () => {
    const tag = await saved({ definition: {} });
    const saves = Array.from({ length: 10 }, (_, n) =>
      save({ definition: { name: `${n}` } }, { 'if-match': tag }),
    );
    const statuses = (await Promise.all(saves)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(9);
  });

  test('that is discarded is gone, and its ETag fits no later one', async () => {
    const tag = await saved({ definition: {} });
    const discard = (headers = {}) => workspace.api.delete(`${path}/draft`, headers);
    expect((await discard({ 'if-match': '"x"' })).status).toBe(412);
    expect([(await discard({ 'if-match': tag })).status, await hasDraft()]).toEqual([200, false]);
    expect((await discard()).status).toBe(404);
    const { bots } = workspace.client;
    await expect(bots.discardDraft(botId)).rejects.toMatchObject({ status: 404 });
    await saved({ definition: { name: 'Another' } });
    expect((await save({ definition: {} }, { 'if-match': tag })).status).toBe(412);
  });

  test('is an object within the limit of definitions, from a version that exists', async () => {
    for (const definition of [[], 'x', null, undefined])
      expect((await save({ definition })).status).toBe(400);
    const large = await save({ definition: { name: 'x'.repeat(65 * 1024) } });
    expect([large.status, large.body.errors]).toMatchObject([400, [{ pointer: '/definition' }]]);
    expect((await save({ definition: {}, baseVersion: 2 })).body.errors).toMatchObject([
      { pointer: '/baseVersion' },
    ]);
    expect(await hasDraft()).toBe(false);
  });

  test('is in the list of drafts of its workspace, and in no other workspace', async () => {
    await saved({ definition: {} });
    const entry = expect.objectContaining({ botId, baseVersion: 1, updatedBy: workspace.apiKey });
    expect((await workspace.api.get('/bot-drafts')).body.data).toEqual(expect.arrayContaining([entry]));
    expect((await stranger.api.get('/bot-drafts')).body.data).toEqual([]);
    for (const [method, headers] of [
      ['GET', {}],
      ['DELETE', {}],
      ['PUT', first],
    ] as const) {
      const body = method === 'PUT' ? { definition: {} } : undefined;
      const answer = await stranger.api.call(method, `${path}/draft`, { body, headers });
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect((await stranger.api.post(`${path}/versions`, { publishDraft: true })).status).toBe(404);
    expect(await hasDraft()).toBe(true);
  });

  test('leaves a row of the audit log with the places, one a minute for an author', async () => {
    const steps = [{ ...live.steps[0], text: 'Why not?' }, live.steps[1]];
    const tag = await saved({ definition: { ...live, steps } });
    await saved({ definition: { ...live, name: 'Renamed', steps } }, { 'if-match': tag });
    await workspace.api.delete(`${path}/draft`);
    const events = await auditEventsOf(workspace, { target: botId });
    expect(events.map(({ action }) => action)).toEqual([
      'botDraft.discarded',
      'botDraft.saved',
      'bot.created',
    ]);
    expect(events[1]?.changes).toEqual({ baseVersion: [null, 1], places: [null, ['steps.why.text']] });
  });
});

describe('publishing a draft', () => {
  test('makes it the live version and removes it', async () => {
    const tag = await saved({ definition: { ...live, name: 'New' } });
    expect((await publish({ expectedVersion: 9 })).status).toBe(409);
    expect((await publish({}, { 'if-match': '"x"' })).status).toBe(412);
    const answer = await publish({ expectedVersion: 1, note: 'Better' }, { 'if-match': tag });
    expect(answer.body.data).toMatchObject({ version: 2, name: 'New' });
    expect(await hasDraft()).toBe(false);
    const { data } = (await workspace.api.get<object[]>(`${path}/versions`)).body;
    expect(data[0]).toMatchObject({ version: 2, note: 'Better', isLive: true });
    expect((await publish()).body.errors).toMatchObject([{ pointer: '/publishDraft' }]);
  });

  test('of a draft with faults is refused with them, and loses nothing', async () => {
    await saved({ definition: { ...live, steps: [] } });
    const refused = await publish();
    expect([refused.status, refused.body.errors]).toMatchObject([400, [{ pointer: '/steps' }]]);
    expect((await workspace.api.get<Draft>(`${path}/draft`)).body.data.definition).toMatchObject({
      steps: [],
    });
  });

  test('has one effect when it is sent twice with one Idempotency-Key', async () => {
    await saved({ definition: { ...live, name: 'New' } });
    const key = { 'idempotency-key': `draft-${botId}` };
    const answers = [await publish({}, key), await publish({}, key)];
    expect(answers.map(({ status, body }) => [status, body.data.version])).toEqual([
      [200, 2],
      [200, 2],
    ]);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
  });

  test('stands alone in its body', async () => {
    await saved({ definition: live });
    for (const other of [{ definition: live }, { restore: 1 }, { name: 'x' }]) {
      expect([other, (await publish(other)).status]).toEqual([other, 400]);
    }
    expect(await hasDraft()).toBe(true);
  });
});

describe('templates', () => {
  test.each(['en', 'de'] as const)('each makes a bot, in %s', async (locale) => {
    const { data } = await stranger.client.bots.listTemplates({ locale });
    expect(data).toHaveLength(12);
    for (const { id: template, name, definition } of data) {
      const key = `${template}-${locale}`;
      const body = { key, name: `My ${name}`, template, locale };
      const { id, version } = (await stranger.api.post<Bot>('/bots', body)).body.data;
      const made = (await stranger.api.get<{ definition: unknown }>(`/bots/${id}/versions/${version}`)).body
        .data;
      expect(made.definition).toEqual({ ...definition, key, name: `My ${name}`, locale });
    }
  });

  test('that do not exist, and fields beside them, are named', async () => {
    const pointers = async (body: object) =>
      (await stranger.api.post('/bots', body)).body.errors?.map(({ pointer }) => pointer);
    expect(await pointers({ template: 'none', key: 'x', name: 'X' })).toEqual(['/template']);
    expect(await pointers({ template: 'nps', locale: 'xx', steps: [] })).toEqual(['/steps', '/locale']);
    expect(await pointers({ template: 'nps', key: 'NOT A KEY', name: '' })).toEqual(['/key', '/name']);
  });
});
