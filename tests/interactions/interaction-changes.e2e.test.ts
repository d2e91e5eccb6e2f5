import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { describe, expect, inject, test } from 'vitest';
import { createNpsWorkspace, type Interaction } from '../insight/nps-workspace.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Contract, section 4: expiry, and the effects of PATCH (its table of transitions: transitions.e2e.test.ts).

const { baseUrl } = inject('local');
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}$/;
const nowhere = '01890000-0000-7000-8000-000000000000';

const { workspace, create, patch, get } = await createNpsWorkspace(baseUrl, inject('operator'));
const instant = (text: string | null): number => Date.parse(`${text}Z`);

describe('expiry', () => {
  /** Expects this many seconds after some moment between `from` and now, with a second for clocks that differ. */
  const near = (text: string | null, seconds: number, from: number): void => {
    expect(text).toMatch(timestamp);
    expect(instant(text) - seconds * 1000).toBeGreaterThanOrEqual(from - 1000);
    expect(instant(text) - seconds * 1000).toBeLessThanOrEqual(Date.now() + 1000);
  };

  test.each([1, 60.5, 86_400, 10 * 365 * 86_400])(
    'of %d is this many seconds after the request',
    async (expiry) => {
      const from = Date.now();
      const { status, body } = await create({ expiry });
      expect(status).toBe(200);
      near(body.data.expiresAt, expiry, from);
      const { data } = (await get(body.data.id)).body;
      expect(data.expiresAt).toBe(body.data.expiresAt);
    },
  );

  test.each([0, null])('of %j means none on creation', async (expiry) => {
    expect((await create({ expiry })).body.data.expiresAt).toBeNull();
  });

  test('is reset from the time of the PATCH, and cleared by 0 and null', async () => {
    const { id } = (await create({ expiry: 10 })).body.data;
    for (const nothing of [0, null]) {
      const from = Date.now();
      near((await patch(id, { expiry: 500 })).body.data.expiresAt, 500, from);
      expect((await patch(id, { priority: 'Low' })).body.data.expiresAt).not.toBeNull();
      expect((await patch(id, { expiry: nothing })).body.data.expiresAt).toBeNull();
      expect((await get(id)).body.data.expiresAt).toBeNull();
    }
  });

  test.each(['Draft', 'Pending', 'InProgress'])('ends a %s one, at once in every view', async (status) => {
    const customerId = `expires-${status}`;
    const { id } = (await create({ customerId, status, expiry: 0.2 })).body.data;
    await create({ customerId, status });
    await eventually(async () => {
      expect((await get(id)).body.data.status).toBe('Expired');
    });
    const { body } = await workspace.api.get<{ interactions: Interaction[] }>(`/customers/${customerId}`);
    expect(body.data.interactions.map((one) => one.status)).toEqual([status, 'Expired']);
    const list = async (filter: string) =>
      (await workspace.api.get(`/interactions?customerId=${customerId}&status=${filter}`)).body.meta
        ?.totalResults;
    expect([await list(status), await list('Expired')]).toEqual([1, 1]);
  });

  test('that has passed counts in a list without an earlier read: totals by status are correct', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    const bot = await own.publish(npsBot);
    const body = { customerId: 'c', botId: bot, status: 'Pending', expiry: 0.2 };
    await Promise.all(Array.from({ length: 5 }, () => own.api.post('/interactions', body)));
    await eventually(async () => {
      const { body: expired } = await own.api.get<Interaction[]>('/interactions?status=Expired');
      expect(expired.meta?.totalResults).toBe(5);
      expect(expired.data.every(({ status }) => status === 'Expired')).toBe(true);
    });
    const { body: pending } = await own.api.get('/interactions?status=Pending');
    expect([pending.data, pending.meta?.totalResults]).toEqual([[], 0]);
  });

  test('does not affect a Completed one', async () => {
    // Long enough to be completed before; the other one ends later.
    const { id } = (await create({ status: 'Pending', expiry: 3 })).body.data;
    const other = (await create({ status: 'Pending', expiry: 3 })).body.data;
    expect((await patch(id, { status: 'Completed' })).status).toBe(200);
    await eventually(async () => expect((await get(other.id)).body.data.status).toBe('Expired'));
    expect((await get(id)).body.data.status).toBe('Completed');
  });
});

describe('changing', () => {
  test('status, priority and expiry together', async () => {
    const { body: made } = await create({});
    const { status, body } = await patch(made.data.id, { status: 'Pending', priority: 'High', expiry: 100 });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...made.data,
      status: 'Pending',
      priority: 'High',
      expiresAt: expect.stringMatching(timestamp) as string,
    });
    expect((await get(made.data.id)).body.data).toEqual(body.data);
  });

  test('a rejected status rejects the whole PATCH', async () => {
    const { id } = (await create({ status: 'InProgress' })).body.data;
    const { status, body } = await patch(id, { status: 'Draft', priority: 'High', expiry: 100 });
    expect([status, body.code, body.data]).toEqual([409, 409, null]);
    expect((await get(id)).body.data).toMatchObject({
      status: 'InProgress',
      priority: 'Medium',
      expiresAt: null,
    });
  });

  test.each<[string, unknown, string[] | undefined]>([
    ['nothing', undefined, undefined],
    ['an empty body', {}, undefined],
    ['an unknown status', { status: 'Open' }, ['/status']],
    ['null for a status', { status: null }, ['/status']],
    ['an unknown priority', { priority: 'high' }, ['/priority']],
    ['a negative expiry', { expiry: -5 }, ['/expiry']],
    ['an expiry over ten years', { expiry: 1e10 }, ['/expiry']],
    ['an unknown field', { priority: 'High', link: 'x' }, ['/link']],
    ['another customer', { customerId: 'x' }, ['', '/customerId']],
    [
      'all at once',
      { status: 1, priority: 2, expiry: 'x', botId: 'y' },
      ['/botId', '/expiry', '/priority', '/status'],
    ],
  ])('with %s is 400 and changes nothing', async (_name, change, pointers) => {
    const { body: made } = await create({});
    const { status, body } = await patch(made.data.id, change);
    expect([status, body.code, body.data]).toEqual([400, 400, null]);
    if (pointers) expect(body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
    expect((await get(made.data.id)).body.data).toEqual(made.data);
  });

  test.each(['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'])(
    '%s to itself is a no-op',
    async (status) => {
      const { body: made } = await create({ status });
      const answer = await patch(made.data.id, { status });
      expect([answer.status, answer.body.data]).toEqual([200, made.data]);
    },
  );

  test('twenty concurrent starts give one conversation', async () => {
    const { id } = (await create({ status: 'Pending' })).body.data;
    const answers = await Promise.all(Array.from({ length: 20 }, () => patch(id, { status: 'InProgress' })));
    expect(new Set(answers.map(({ body }) => body.data.data)).size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('an expired conversation that is reopened keeps its history and continues', async () => {
    const { id, data } = (await create({ status: 'InProgress' })).body.data;
    const expired = await patch(id, { status: 'Expired' });
    expect(expired.body.data.data).toBe(data);
    const revived = await patch(id, { status: 'Pending', expiry: 60 });
    expect(revived.body.data).toMatchObject({ status: 'Pending', data });
    const resumed = await patch(id, { status: 'InProgress' });
    expect(resumed.body.data).toMatchObject({ status: 'InProgress', data });
  });

  test.each([nowhere, 'x', '1', `${nowhere}0`])('%s is 404', async (id) => {
    for (const { status, body } of [await get(id), await patch(id, { priority: 'Low' })]) {
      expect([status, body.code, body.data, body.type]).toEqual([404, 404, null, 'not-found']);
    }
  });

  test('one of another workspace is 404', async () => {
    const { id } = (await create({})).body.data;
    const other = await createWorkspace(baseUrl, inject('operator'));
    expect((await other.api.get(`/interactions/${id}`)).status).toBe(404);
    expect((await other.api.patch(`/interactions/${id}`, { priority: 'Low' })).status).toBe(404);
  });
});
