import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { type ReceivedRequest, type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { npsBot } from '../conversations/sample-bots.ts';

// Seed: Webhooks, Events. Contract, section 6.

interface Webhook {
  id: string;
  url: string;
  isActive: boolean;
  event: string;
}

const { baseUrl } = inject('local');
const nowhere = '01890000-0000-7000-8000-000000000000';
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const url = 'https://example.com/hook?a=1';

let workspace: TestWorkspace;
let botId: string;

beforeEach(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
});

const create = (body: object) => workspace.api.post<Webhook>('/webhooks', body);
const patch = (id: string, body: unknown) => workspace.api.patch<Webhook>(`/webhooks/${id}`, body);
const get = (id: string) => workspace.api.get<Webhook>(`/webhooks/${id}`);
const list = async () => (await workspace.api.get<Webhook[]>('/webhooks')).body.data;

describe('the resource', () => {
  test('has four fields, is inactive by default, and never shows a secret', async () => {
    const secretToken = 'never-to-be-seen';
    const { status, body } = await create({ url, secretToken });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: {
        id: expect.stringMatching(uuidv7) as string,
        url,
        isActive: false,
        event: 'InteractionCompleted',
      },
      meta: null,
    });
    const { id } = body.data;
    const everywhere = await Promise.all([
      get(id),
      workspace.api.get('/webhooks'),
      patch(id, { isActive: true }),
      create({ url, secretToken }),
      workspace.api.delete(`/webhooks/${id}`),
    ]);
    expect(JSON.stringify(everywhere.map((answer) => answer.body))).not.toContain(secretToken);
    expect(everywhere[0]?.body).toEqual(body);
  });

  test('can be active from the start', async () => {
    expect((await create({ url, secretToken: 'x', isActive: true })).body.data.isActive).toBe(true);
    expect((await create({ url, secretToken: 'y', isActive: false })).body.data.isActive).toBe(false);
  });

  test('is listed oldest first, without paging', async () => {
    expect(await list()).toEqual([]);
    const made: Webhook[] = [];
    for (let index = 0; index < 25; index += 1)
      made.push((await create({ url, secretToken: `t${index}` })).body.data);
    const { body } = await workspace.api.get('/webhooks');
    expect([body.data, body.meta]).toEqual([made, null]);
  });

  test('a secretToken is unique: 409; that of a deleted one is free again', async () => {
    const { id } = (await create({ url, secretToken: 'again' })).body.data;
    const { status, body } = await create({ url: 'https://example.com/other', secretToken: 'again' });
    expect([status, body.type, body.data]).toEqual([409, 'secret-token-in-use', null]);
    await workspace.api.delete(`/webhooks/${id}`);
    expect((await create({ url, secretToken: 'again' })).status).toBe(200);
  });

  test.each([
    ['http', 'http://example.com'],
    ['a port and a path', 'https://example.com:8443/a/b'],
    ['2,048 characters', `https://example.com/${'x'.repeat(2028)}`],
  ])('a URL with %s is stored unchanged', async (_name, long) => {
    expect((await create({ url: long, secretToken: 'x' })).body.data?.url).toBe(long);
  });

  test.each<[string, object, string[]]>([
    ['no url', { secretToken: 'x' }, ['/url']],
    ['no secretToken', { url }, ['/secretToken']],
    ['an empty secretToken', { url, secretToken: '' }, ['/secretToken']],
    ['a secretToken of 257 characters', { url, secretToken: 'x'.repeat(257) }, ['/secretToken']],
    [
      'a URL of 2,049 characters',
      { url: `https://example.com/${'x'.repeat(2029)}`, secretToken: 'x' },
      ['/url'],
    ],
    ['ftp', { url: 'ftp://example.com', secretToken: 'x' }, ['/url']],
    ['javascript', { url: 'javascript:alert(1)', secretToken: 'x' }, ['/url']],
    ['a path', { url: '/hook', secretToken: 'x' }, ['/url']],
    ['a host alone', { url: 'example.com', secretToken: 'x' }, ['/url']],
    ['no host', { url: 'https://', secretToken: 'x' }, ['/url']],
    ['a blank behind the URL', { url: `${url} `, secretToken: 'x' }, ['/url']],
    ['a blank before the URL', { url: ` ${url}`, secretToken: 'x' }, ['/url']],
    ['a line end in the URL', { url: 'https://exam\nple.com/', secretToken: 'x' }, ['/url']],
    ['an empty URL', { url: '', secretToken: 'x' }, ['/url']],
    ['isActive as text', { url, secretToken: 'x', isActive: 'true' }, ['/isActive']],
    ['isActive as null', { url, secretToken: 'x', isActive: null }, ['/isActive']],
    ['isActive as 1', { url, secretToken: 'x', isActive: 1 }, ['/isActive']],
    ['an unknown event', { url, secretToken: 'x', event: '*' }, ['/event']],
    ['no events', { url, secretToken: 'x', events: [] }, ['/events']],
    [
      'an event twice',
      { url, secretToken: 'x', events: ['InteractionCreated', 'InteractionCreated'] },
      ['/events'],
    ],
    [
      'an unknown one of events',
      { url, secretToken: 'x', events: ['InteractionCreated', 'x'] },
      ['/events/1'],
    ],
    [
      'event and events',
      { url, secretToken: 'x', event: 'InteractionCreated', events: ['InteractionCreated'] },
      ['/events'],
    ],
    [
      'all at once',
      { url: 1, secretToken: [], isActive: 'no', id: 'x' },
      ['/id', '/isActive', '/secretToken', '/url'],
    ],
  ])('with %s is 400 with a pointer to each fault, nothing created', async (_name, body, pointers) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code, answer.body.data]).toEqual([400, 400, null]);
    expect([...new Set(answer.body.errors?.map(({ pointer }) => pointer))].toSorted()).toEqual(pointers);
    expect(await list()).toEqual([]);
  });

  test('a secretToken of any 256 characters is accepted', async () => {
    expect((await create({ url, secretToken: '😀'.repeat(256) })).status).toBe(200);
    expect((await create({ url, secretToken: 'a b&c=d?e#f%g/' })).status).toBe(200);
  });

  test('PATCH changes only isActive', async () => {
    const { body } = await create({ url, secretToken: 'x' });
    const { id } = body.data;
    for (const isActive of [true, true, false, false, true]) {
      const changed = await patch(id, { isActive });
      expect([changed.status, changed.body.data]).toEqual([200, { ...body.data, isActive }]);
      expect((await get(id)).body.data).toEqual({ ...body.data, isActive });
    }
    for (const change of [
      undefined,
      {},
      { isActive: 'false' },
      { isActive: null },
      { url: 'https://example.com' },
      { isActive: false, url: 'https://example.com' },
      { isActive: false, secretToken: 'new' },
      { isActive: false, event: 'x' },
    ]) {
      expect((await patch(id, change)).status).toBe(400);
    }
    expect((await get(id)).body.data).toEqual({ ...body.data, isActive: true });
  });

  test('DELETE returns null, and then the webhook is not found', async () => {
    const { id } = (await create({ url, secretToken: 'x' })).body.data;
    const { status, body } = await workspace.api.delete(`/webhooks/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: null,
      meta: null,
    });
    const after = await Promise.all([
      get(id),
      patch(id, { isActive: true }),
      workspace.api.delete(`/webhooks/${id}`),
      workspace.api.post(`/webhooks/${id}/secret/rotate`),
    ]);
    expect(after.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect(await list()).toEqual([]);
  });

  test.each([nowhere, 'x'])('%s is 404', async (id) => {
    const answers = await Promise.all([
      get(id),
      patch(id, { isActive: true }),
      workspace.api.delete(`/webhooks/${id}`),
      workspace.api.post(`/webhooks/${id}/secret/rotate`),
    ]);
    for (const { status, body } of answers)
      expect([status, body.type, body.data]).toEqual([404, 'not-found', null]);
  });

  test('one of another workspace is 404 and stays unchanged', async () => {
    const { id } = (await create({ url, secretToken: 'x' })).body.data;
    const other = await createWorkspace(baseUrl, inject('operator'));
    const answers = await Promise.all([
      other.api.get(`/webhooks/${id}`),
      other.api.patch(`/webhooks/${id}`, { isActive: true }),
      other.api.delete(`/webhooks/${id}`),
      other.api.post(`/webhooks/${id}/secret/rotate`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await get(id)).body.data.isActive).toBe(false);
  });

  test('only its rotation shows the signing secret', async () => {
    const { id } = (await create({ url, secretToken: 'x' })).body.data;
    const rotate = (body?: unknown, headers = {}) =>
      workspace.api.post<{ signingSecret: string }>(`/webhooks/${id}/secret/rotate`, body, headers);
    const secrets: string[] = [];
    for (const body of [undefined, {}, { overlapSeconds: 0 }, { overlapSeconds: 60 }]) {
      const answer = await rotate(body);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body.data)).toEqual(['signingSecret']);
      secrets.push(answer.body.data.signingSecret);
    }
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    expect(new Set(secrets).size).toBe(4);
    for (const body of [{ overlapSeconds: -1 }, { overlapSeconds: '1' }, { overlapSeconds: 1.5 }, { x: 1 }]) {
      expect((await rotate(body)).status).toBe(400);
    }
    expect((await rotate({}, { 'idempotency-key': 'k' })).status).toBe(400);
  });
});

describe('deliveries', () => {
  beforeEach(async () => {
    botId = await workspace.publish(npsBot);
  });

  async function complete(): Promise<string> {
    const body = { customerId: 'c', botId, status: 'Pending' };
    const { body: made } = await workspace.api.post<{ id: string }>('/interactions', body);
    const closed = await workspace.api.patch(`/interactions/${made.data.id}`, { status: 'Completed' });
    expect(closed.status).toBe(200);
    return made.data.id;
  }
  const hook = async (receiver: Receiver, secretToken: string, isActive = true): Promise<string> =>
    (await create({ url: receiver.url, secretToken, isActive })).body.data.id;
  const idsOf = (requests: ReceivedRequest[]): string[] =>
    requests.map(({ body }) => (JSON.parse(body.toString()) as { interaction_id: string }).interaction_id);

  test('every active webhook of the workspace gets the event once; inactive ones and others get nothing', async () => {
    await using one = await startReceiver();
    await using two = await startReceiver();
    await using none = await startReceiver();
    const other = await createWorkspace(baseUrl, inject('operator'));
    await other.api.post('/webhooks', { url: none.url, secretToken: 'theirs', isActive: true });
    await hook(one, 'one');
    await hook(two, 'two');
    await hook(none, 'inactive', false);
    const id = await complete();
    await eventually(() => {
      expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
    });
    const last = await complete();
    await eventually(() => {
      expect([idsOf(one.requests), idsOf(two.requests)]).toEqual([
        [id, last],
        [id, last],
      ]);
    });
    expect(none.requests).toEqual([]);
    const [request] = one.requests;
    expect(request?.method).toBe('POST');
    expect(request?.headers['content-type']).toMatch(/^application\/json/);
    for (const field of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(request?.headers[field], field).toBeTruthy();
    }
    expect(request?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      customer_id: 'c',
      interaction_id: id,
      evaluation: {},
      transcript: [],
    });
  });

  test('the URL has the secretToken added and its query kept', async () => {
    const queries: Record<string, string> = {
      '': '?secretToken=0',
      '?': '?secretToken=1',
      '?a=1&a=2&b': '?a=1&a=2&b&secretToken=2',
      '?x=%20%2B+#fragment': '?x=%20%2B+&secretToken=3',
    };
    await using receiver = await startReceiver();
    for (const [index, query] of Object.keys(queries).entries())
      await create({ url: receiver.url + query, secretToken: `${index}`, isActive: true });
    await complete();
    await eventually(() => expect(receiver.requests).toHaveLength(4));
    const sent = receiver.requests.map((request) => [...new URL(request.url, receiver.url).searchParams]);
    const expected = Object.values(queries).map((query) => [...new URLSearchParams(query)]);
    expect(sent).toHaveLength(expected.length);
    expect(sent).toEqual(expect.arrayContaining(expected));
  });

  test('imports of completed interactions, and all other changes, cause no delivery', async () => {
    await using receiver = await startReceiver();
    await hook(receiver, 'quiet');
    await workspace.api.post('/interactions', { customerId: 'c', botId, status: 'Completed' });
    const { body } = await workspace.api.post<{ id: string }>('/interactions', { customerId: 'c', botId });
    await workspace.api.patch(`/interactions/${body.data.id}`, { status: 'Expired' });
    const id = await complete();
    await workspace.api.patch(`/interactions/${id}`, { status: 'Completed' });
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    const last = await complete();
    await eventually(() => expect(idsOf(receiver.requests)).toEqual([id, last]));
  });
});
