import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { callsIn, createKey } from '../people/limited-keys.ts';
import { createNpsWorkspace, type Interaction } from '../insight/nps-workspace.ts';

// Contract 2, section 10: bulk creation.

interface Item {
  index: number;
  interaction?: Interaction;
  error?: { code: number; type: string; detail: string; errors?: { pointer: string; detail: string }[] };
}

let nps: Awaited<ReturnType<typeof createNpsWorkspace>>;
beforeAll(async () => {
  nps = await createNpsWorkspace(inject('local').baseUrl, inject('operator'));
});

const post = (interactions: unknown, headers: Record<string, string> = {}) =>
  nps.workspace.api.post<Item[]>('/interactions/bulk', { interactions }, headers);
const total = async (): Promise<number> => {
  const { body } = await nps.workspace.api.get('/interactions?pageSize=1');
  return body.meta?.totalResults ?? 0;
};
const customerId = (): string => `bulk-${randomUUID()}`;

describe('bulk creation', () => {
  test('answers one item per body, in order, and a bad one harms no other', async () => {
    const { botId } = nps;
    const [first, second, unborn] = [customerId(), customerId(), customerId()];
    const before = await total();
    const { status, body, headers } = await post([
      { customerId: first, botId, status: 'Pending', priority: 'High', expiry: 60 },
      { customerId: unborn, botId, status: 'Nope', colour: 'red', __proto__: null },
      'not an object',
      { customerId: unborn, botId: randomUUID() },
      { customerId: unborn, botId, context: [{ key: 'colour', value: 'red' }] },
      { customerId: second, botKey: 'nps-follow-up' },
    ]);
    expect(status).toBe(200);
    expect(headers.get('etag')).toBeNull();
    expect(body.meta).toBeNull();
    const { data } = body;
    expect(data.map((item) => item.index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(data[0]?.interaction).toMatchObject({ customerId: first, status: 'Pending', priority: 'High' });
    expect(data[5]?.interaction).toMatchObject({ customerId: second, status: 'Draft', priority: 'Medium' });
    const invalid = { code: 400, type: 'invalid-request', detail: 'The request is not valid' };
    const pointers = data.map(({ error }) => error?.errors?.map(({ pointer }) => pointer).toSorted());
    for (const index of [1, 2, 3, 4]) {
      expect(data[index]).toEqual({ index, error: { ...invalid, errors: expect.any(Array) } });
    }
    expect(pointers.slice(1, 5)).toEqual([['/colour', '/status'], [''], ['/botId'], ['/context/0/key']]);
    expect(await total()).toBe(before + 2);
    expect((await nps.workspace.api.get(`/customers/${unborn}`)).status).toBe(404);
    const link = data[0]?.interaction?.link ?? '';
    expect((await fetch(link)).status).toBe(200);
    expect((await nps.get(data[0]?.interaction?.id ?? '')).body.data).toEqual(data[0]?.interaction);
  });

  test('an item has the errors of the single call', async () => {
    const { botId } = nps;
    const bodies = [
      { botId },
      { customerId: '.', botId },
      { customerId: 'c' },
      { customerId: 'c', botId, botKey: 'nps-follow-up' },
      { customerId: 'c', botId, expiry: -1 },
      { customerId: 'c', botId, context: [{ key: 'k', value: 'v' }] },
      { customerId: 'c', botKey: 'unknown' },
      { customerId: 'c', botId, customer: { email: 'nobody' } },
      null,
      [],
    ];
    const { body } = await post(bodies);
    for (const [index, one] of bodies.entries()) {
      const single = await nps.workspace.api.post('/interactions', one);
      const { code, type, detail, errors } = single.body;
      expect(body.data[index]).toEqual({ index, error: { code, type, detail, errors } });
    }
  });

  test('a member named __proto__ is a fault of its item', async () => {
    const item = `{"customerId": "c", "botId": "${nps.botId}"`;
    const raw = `{"interactions": [${item}, "__proto__": {}}, ${item}}]}`;
    const { body } = await nps.workspace.api.post<Item[]>('/interactions/bulk', raw);
    expect(body.data[0]?.error?.errors).toEqual([{ pointer: '/__proto__', detail: 'Is not a known field' }]);
    expect(body.data[1]?.interaction).toMatchObject({ customerId: 'c' });
  });

  test('items of one customer follow each other as single calls do', async () => {
    const { botId } = nps;
    const id = customerId();
    const names = ['Ada', 'Grace', 'Eva'];
    const items = names.map((firstName) => ({
      customerId: id,
      botId,
      status: 'InProgress',
      customer: { firstName },
    }));
    const { body } = await post([...items, { customerId: id, botId, customer: { lastName: 'Last' } }]);
    const made = body.data.map(({ interaction }) => interaction);
    for (const [index, name] of names.entries()) expect(made[index]?.data).toContain(name);
    const { body: read } = await nps.workspace.api.get(`/customers/${id}`);
    expect(read.data).toMatchObject({
      firstName: 'Eva',
      lastName: 'Last',
      interactions: made.toReversed().map((one) => ({ id: one?.id })),
    });
  });

  test('details of a customer are set as PATCH sets them, also by a single call', async () => {
    const id = customerId();
    const customer = { firstName: 'Ada', email: 'ada@example.com' };
    expect((await nps.create({ customerId: id, customer })).status).toBe(200);
    await nps.create({ customerId: id, customer: { lastName: 'Lovelace', firstName: '' } });
    await nps.create({ customerId: id });
    const { data } = (await nps.workspace.api.get(`/customers/${id}`)).body;
    expect(data).toMatchObject({ firstName: '', lastName: 'Lovelace', email: 'ada@example.com' });
  });

  test('without customers:write, they are set for a new customer only, as PATCH is refused', async () => {
    const { workspace, botId } = nps;
    const { baseUrl } = inject('local');
    const partner = callsIn(baseUrl, workspace.id, await createKey(workspace, ['interactions:write']));
    const [id, other] = [customerId(), customerId()];
    const details = { firstName: 'Ada', email: 'ada@example.com' };
    const create = (customer: object) => partner.post('/interactions', { customerId: id, botId, customer });
    const refusal = {
      code: 403,
      type: 'missing-scope',
      errors: [{ pointer: '/customer', detail: 'customers:write' }],
    };
    expect((await create(details)).status).toBe(200);
    expect((await create({ email: 'ada@example.com' })).status).toBe(200);
    for (const change of [
      { firstName: 'Eva' },
      { email: 'eva@example.com' },
      { ...details, lastName: 'L' },
    ]) {
      expect((await create(change)).body).toMatchObject(refusal);
    }
    const items = [
      { customerId: other, botId, customer: { firstName: 'Grace' } },
      { customerId: id, botId, customer: { firstName: 'Eva' } },
      { customerId: other, botId, customer: { firstName: 'Eva' } },
      { customerId: id, botId },
    ];
    const { body } = await partner.post<Item[]>('/interactions/bulk', { interactions: items });
    expect(body.data.map(({ error }) => error ?? null)).toMatchObject([null, refusal, refusal, null]);
    const customers = [id, other].map((one) => workspace.api.get(`/customers/${one}`));
    const [ada, grace] = (await Promise.all(customers)).map((answer) => answer.body.data);
    expect(ada).toMatchObject({ ...details, lastName: '', interactions: [{}, {}, {}] });
    expect(grace).toMatchObject({ firstName: 'Grace', email: '', interactions: [{}] });
  });

  test('400 and 413 are for the request as a whole, which then has no effect', async () => {
    const { botId } = nps;
    const before = await total();
    const item = { customerId: 'c', botId };
    const tooMany = Array.from({ length: 501 }, () => item);
    for (const interactions of [[], tooMany, undefined, 'x', { 0: item }]) {
      const { status, body } = await post(interactions);
      expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/interactions']);
    }
    const unknown = await nps.workspace.api.post('/interactions/bulk', {
      interactions: [item],
      dryRun: true,
    });
    expect(unknown.body.errors).toMatchObject([{ pointer: '/dryRun' }]);
    const text = JSON.stringify({ interactions: [item] });
    const atLimit = await nps.workspace.api.post('/interactions/bulk', text.padEnd(2 * 1024 * 1024));
    expect(atLimit.status).toBe(200);
    const beyond = await nps.workspace.api.post('/interactions/bulk', text.padEnd(2 * 1024 * 1024 + 1));
    expect([beyond.status, beyond.body.type]).toEqual([413, 'body-too-large']);
    expect(await total()).toBe(before + 1);
  });

  test('500 items are created in order', async () => {
    const { botId } = nps;
    const ids = Array.from({ length: 500 }, () => customerId());
    const { status, body } = await post(ids.map((id) => ({ customerId: id, botId, status: 'Pending' })));
    expect(status).toBe(200);
    expect(body.data.map(({ interaction }) => interaction?.customerId)).toEqual(ids);
    expect(body.data.map(({ interaction }) => interaction?.id)).toEqual(
      body.data.map(({ interaction }) => interaction?.id ?? '').toSorted(),
    );
  });

  test('an Idempotency-Key covers the request: a replay has the same interactions and errors', async () => {
    const { botId } = nps;
    const items = [
      { customerId: customerId(), botId, status: 'Pending' },
      { customerId: 'c', botId: randomUUID() },
      { customerId: 'c', botId, status: 'Nope' },
      { customerId: customerId(), botId, status: 'InProgress' },
    ];
    const before = await total();
    const key = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(items, key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    expect((await post(items, key)).body).toEqual(answers[0]?.body);
    expect(await total()).toBe(before + 2);
    // Another fault in an item that has no effect is another body, too.
    for (const other of [items.slice(1), items.toSpliced(2, 1, { customerId: 'c', botId, status: 'No' })]) {
      const { status, body } = await post(other, key);
      expect([status, body.type]).toEqual([422, 'idempotency-key-reused']);
    }
  });

  test('an anonymisation reaches the answer that a replay would have', async () => {
    const { botId } = nps;
    const [id, other] = [customerId(), customerId()];
    const item = { botId, status: 'InProgress', customer: { firstName: 'Zebulon' } };
    const items = [
      { ...item, customerId: id },
      { ...item, customerId: other },
    ];
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await post(items, key);
    expect(body.data[0]?.interaction?.data).toContain('Zebulon');
    expect((await nps.workspace.api.post(`/customers/${id}/anonymise`)).status).toBe(200);
    const { body: replay } = await post(items, key);
    expect(replay.data[0]?.interaction?.data).not.toContain('Zebulon');
    expect(replay.data[1]).toEqual(body.data[1]);
  });

  test('a replay does not create an interaction again that was deleted since', async () => {
    const { botId, workspace } = nps;
    const items = [
      { customerId: customerId(), botId },
      { customerId: customerId(), botId },
      { customerId: customerId(), botId },
    ];
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await post(items, key);
    const [first, second, third] = body.data.map(({ interaction }) => interaction);
    expect((await workspace.api.delete(`/interactions/${first?.id}`)).status).toBe(200);
    expect((await workspace.api.delete(`/customers/${second?.customerId}`)).status).toBe(200);
    const before = await total();
    const { data } = (await post(items, key)).body;
    expect(data.map((item) => item.error?.type)).toEqual(['not-found', 'not-found', undefined]);
    expect(data[2]?.interaction).toEqual(third);
    expect(await total()).toBe(before);
  });

  test('each interaction raises the events of a single call', async () => {
    const { botId, workspace } = nps;
    const url = 'http://127.0.0.1:9/';
    const { body: hook } = await workspace.api.post<{ id: string }>('/webhooks', {
      url,
      secretToken: randomUUID(),
      isActive: true,
      events: ['InteractionCreated', 'InteractionStarted'],
    });
    const { body } = await post([
      { customerId: customerId(), botId, status: 'Pending' },
      { customerId: customerId(), botId, status: 'InProgress' },
      { customerId: customerId(), botId, status: 'Completed' },
    ]);
    const ids = body.data.map(({ interaction }) => interaction?.id);
    await eventually(async () => {
      const { body: log } = await workspace.api.get<{ event: string; interactionId: string }[]>(
        `/webhooks/${hook.data.id}/deliveries`,
      );
      expect(
        log.data.map(({ event, interactionId }) => `${event} ${ids.indexOf(interactionId)}`).toSorted(),
      ).toEqual(['InteractionCreated 0', 'InteractionCreated 1', 'InteractionStarted 1']);
    });
  });
});
