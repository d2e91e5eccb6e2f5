import { randomUUID } from 'node:crypto';
import type { Erasure } from '@parley/contracts/customer/v1/customer';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  anna,
  annaAs,
  call,
  type CustomersUnderTest,
  onePage,
  requestedBy,
  startCustomers,
} from './fixture.ts';

let system: CustomersUnderTest;
let customers: CustomersUnderTest['customers'];
let workspaceId: string;

beforeAll(async () => {
  system = await startCustomers();
  ({ customers } = system);
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = randomUUID();
  system.neighbours.asked.length = 0;
  system.neighbours.redact = onePage;
});

const create = (id: string) => customers.createCustomer(annaAs(workspaceId, id), call);
// A busy machine takes a while for a customer with many pages.
const anonymise = (id: string, waitSeconds?: number) =>
  customers.anonymiseCustomer({ workspaceId, id, waitSeconds, requestedBy }, { ...call, timeoutMs: 30_000 });
const list = async (more: { customerId?: string; cursor?: string; limit?: number } = {}) =>
  customers.listErasures({ workspaceId, cursor: '', limit: 50, ...more }, call);
const only = async (customerId: string): Promise<Erasure> => {
  const { erasures } = await list({ customerId });
  expect(erasures).toHaveLength(1);
  return erasures[0] as Erasure;
};
const admin = async (statement: string): Promise<object[]> => {
  await using connection = await openSqlConnection(system.adminUrl);
  return await connection.query(statement, [workspaceId]);
};
const endLeases = () =>
  admin(`update customer.anonymisation set due_at = now() - interval '1 hour' where workspace_id = $1`);

/** Pages that end when the test says so. */
function gated(pages: number) {
  const gates = Array.from({ length: pages }, () => Promise.withResolvers<void>());
  let page = 0;
  system.neighbours.redact = async (token) => {
    const at = Number(token || '0');
    page = at + 1;
    await gates[at]?.promise;
    return { interactionId: randomUUID(), next: at + 1 < pages ? String(at + 1) : '' };
  };
  return { open: (at: number) => gates[at]?.resolve(), begun: () => page };
}

test('shows what was removed, page by page, and its end; and keeps no personal details', async () => {
  await create('a');
  const pages = gated(2);
  const answering = anonymise('a');
  await eventually(() => expect(pages.begun()).toBe(1));
  const { id, requestedAt } = await only('a');
  const begun = {
    id,
    customerId: 'a',
    kind: 'anonymisation',
    requestedAt,
    completedAt: null,
    requestedBy,
    receipt: null,
  };
  expect(await customers.getErasure({ workspaceId, id }, call)).toEqual({
    ...begun,
    removed: { customers: 1, interactions: 0, events: 0 },
  });
  pages.open(0);
  await eventually(async () =>
    expect(await only('a')).toEqual({ ...begun, removed: { customers: 1, interactions: 3, events: 1 } }),
  );
  pages.open(1);
  expect(await answering).toEqual({ erasureId: id, continues: false });
  expect(await only('a')).toEqual({
    ...begun,
    completedAt: expect.any(Date) as Date,
    receipt: expect.any(String) as string,
    removed: { customers: 1, interactions: 6, events: 2 },
  });
  const stored = JSON.stringify(
    await admin('select * from customer.finished_erasure where workspace_id = $1'),
  );
  for (const detail of Object.values(anna)) expect(stored).not.toContain(detail);
});

test('a call that has waited long enough returns the erasure, which continues and ends', async () => {
  await create('a');
  const pages = gated(1);
  const { erasureId, continues } = await anonymise('a', 0);
  expect(continues).toBe(true);
  pages.open(0);
  await eventually(async () => {
    const { completedAt } = await customers.getErasure({ workspaceId, id: erasureId }, call);
    expect(completedAt).not.toBeNull();
  });
});

test('calls during an anonymisation join its erasure and read each page once per run', async () => {
  await create('a');
  const pages = gated(1);
  const first = anonymise('a');
  await eventually(() => expect(pages.begun()).toBe(1));
  const others = await Promise.all([1, 2, 3].map(() => anonymise('a', 0)));
  expect(await admin('select asked_again from customer.anonymisation where workspace_id = $1')).toEqual([
    { asked_again: true },
  ]);
  pages.open(0);
  const { erasureId } = await first;
  for (const other of others) expect(other).toEqual({ erasureId, continues: true });
  await eventually(async () =>
    expect(await only('a')).toMatchObject({ completedAt: expect.any(Date) as Date }),
  );
  expect(system.neighbours.asked.map(({ customerVersion }) => customerVersion)).toEqual([2, 3]);
  expect(await only('a')).toMatchObject({ removed: { customers: 1, interactions: 3, events: 1 } });
});

test('a page counts once when it is processed again after a crash, and the run continues behind it', async () => {
  await create('a');
  const tokens: string[] = [];
  system.neighbours.redact = async (token) => {
    tokens.push(token);
    if (tokens.length === 2) throw unavailable(new Error('away'));
    return { interactionId: randomUUID(), next: token === '' ? 'second' : '' };
  };
  await expect(anonymise('a')).rejects.toMatchObject({ code: 'unavailable' });
  expect(await only('a')).toMatchObject({ completedAt: null, removed: { interactions: 3, events: 1 } });
  await endLeases();
  await eventually(async () => expect((await only('a')).completedAt).not.toBeNull());
  expect(tokens).toEqual(['', 'second', 'second']);
  expect((await only('a')).removed).toEqual({ customers: 1, interactions: 6, events: 2 });
});

test('a page that two replicas process at once counts once', async () => {
  await create('a');
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  system.neighbours.redact = async () => {
    calls += 1;
    await gate.promise;
    return { interactionId: randomUUID(), next: '' };
  };
  const answering = anonymise('a');
  await eventually(() => expect(calls).toBe(1));
  await endLeases();
  await eventually(() => expect(calls).toBe(2));
  gate.resolve();
  await answering;
  await eventually(() => expect(system.neighbours.asked).toHaveLength(2));
  expect((await only('a')).removed).toEqual({ customers: 1, interactions: 3, events: 1 });
});

test('workspaces take turns: many pages of one delay another by a page', async () => {
  const other = randomUUID();
  const order: string[] = [];
  system.neighbours.redact = async (token, _, customerId) => {
    order.push(customerId);
    const at = Number(token || '0');
    if (customerId === 'huge' && at === 4) await anonymiseOther();
    return { interactionId: randomUUID(), next: customerId === 'huge' && at < 40 ? String(at + 1) : '' };
  };
  const anonymiseOther = async () => {
    await customers.anonymiseCustomer({ workspaceId: other, id: 'small', waitSeconds: 0, requestedBy }, call);
  };
  for (const id of ['huge', 'later', 'latest']) await create(id);
  await customers.createCustomer(annaAs(other, 'small'), call);
  await Promise.all(['huge', 'later', 'latest'].map((id) => anonymise(id)));
  expect(order.indexOf('small')).toBeGreaterThan(0);
  expect(order.indexOf('small')).toBeLessThan(15);
});

test('lists are newest first, by page and by customer, and other workspaces see nothing', async () => {
  for (const id of ['a', 'b', 'a', 'c']) {
    await customers.ensureCustomer({ workspaceId, id }, call);
    await anonymise(id);
  }
  const all = await list();
  expect(all.erasures.map(({ customerId }) => customerId)).toEqual(['c', 'a', 'b', 'a']);
  expect(all.nextCursor).toBe('');
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, cursor: first.nextCursor });
  expect([...first.erasures, ...second.erasures]).toEqual(all.erasures);
  expect(second.nextCursor).toBe('');
  expect((await list({ customerId: 'a' })).erasures).toEqual([all.erasures[1], all.erasures[3]]);
  const foreign = { workspaceId: randomUUID(), cursor: '', limit: 50 };
  expect((await customers.listErasures(foreign, call)).erasures).toEqual([]);
  for (const key of [
    { ...foreign, id: all.erasures[0]?.id ?? '' },
    { workspaceId, id: randomUUID() },
    { workspaceId, id: 'a' },
  ]) {
    await expect(customers.getErasure(key, call)).rejects.toMatchObject({ code: 'not_found' });
  }
  await expect(list({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('an erasure that a restore has undone is repeated, and passes over a customer that was created later', async () => {
  const repeat = (customerId: string, kind: string, requestedAt: Date) =>
    system.operator.repeatErasure({ workspaceId, customerId, kind, requestedAt }, call);
  const later = new Date(Date.now() + 60_000);
  await Promise.all(['deleted', 'anonymised', 'new'].map(create));
  const { erasureId } = await repeat('deleted', 'deletion', later);
  expect(erasureId).not.toBe('');
  expect((await repeat('anonymised', 'anonymisation', later)).erasureId).not.toBe('');
  expect(await repeat('new', 'deletion', new Date(Date.now() - 60_000))).toEqual({ erasureId: '' });
  // Without a row: the data of another service may have been restored alone.
  expect((await repeat('unknown', 'deletion', later)).erasureId).not.toBe('');
  await eventually(async () =>
    expect(await only('unknown')).toMatchObject({ completedAt: expect.any(Date), removed: { customers: 0 } }),
  );
  expect(await repeat('nobody', 'anonymisation', later)).toEqual({ erasureId: '' });
  const found = async (id: string) => customers.getCustomer({ workspaceId, id }, call);
  expect(await found('anonymised')).toMatchObject({ firstName: '', email: '' });
  expect(await found('new')).toMatchObject(anna);
  await expect(found('deleted')).rejects.toMatchObject({ code: 'not_found' });
  expect(await only('deleted')).toMatchObject({ id: erasureId, kind: 'deletion', requestedBy: 'operator' });
  await expect(repeat('new', 'destruction', later)).rejects.toMatchObject({ code: 'invalid_argument' });
});
