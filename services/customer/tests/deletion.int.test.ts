import { randomUUID } from 'node:crypto';
import { customerAnonymised, customerDeleted } from '@parley/contracts/events';
import { openDatabase } from '@parley/postgres/connecting/open';
import { hashOldFences } from '@parley/postgres/fence';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { quietLogger } from '@parley/testing/quiet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  anna,
  annaAs,
  call,
  type CustomersUnderTest,
  oneDeletedPage,
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
  Object.assign(system.neighbours, { redact: onePage, remove: oneDeletedPage, removedEvents: [] });
});

const create = (id: string, key: string | null = null) =>
  customers.createCustomer(annaAs(workspaceId, id, key), call);
const get = (id: string) => customers.getCustomer({ workspaceId, id }, call);
const remove = (id: string, more: { ifVersion?: number; waitSeconds?: number } = {}) =>
  customers.deleteCustomer({ workspaceId, id, requestedBy, ...more }, call);
const erasuresOf = async (customerId: string) =>
  (await customers.listErasures({ workspaceId, customerId, cursor: '', limit: 50 }, call)).erasures;
const admin = async <Row extends object>(statement: string): Promise<Row[]> => {
  await using session = await openSqlConnection(system.adminUrl);
  return await session.query<Row>(statement, [workspaceId]);
};
const endLeases = () =>
  admin(`update customer.anonymisation set due_at = now() - interval '1 hour' where workspace_id = $1`);
/** A day passes for what is stored: the fences have forgotten whose they are. */
async function afterADay(): Promise<void> {
  await admin(
    `update customer.fence set raised_at = raised_at - interval '25 hours' where workspace_id = $1`,
  );
  await using stack = new AsyncDisposableStack();
  const url = `${system.databaseUrl}?application_name=test`;
  await hashOldFences(stack.use(openDatabase<unknown>({ url, logger: quietLogger })).db);
  expect(await admin('select from customer.fence where workspace_id = $1')).toEqual([]);
}
const away = async (): Promise<never> => {
  throw unavailable(new Error('away'));
};

/** The pages of a deletion: each ends when the test says so. */
function gatedPages(...pages: string[][]) {
  const gates = pages.map(() => Promise.withResolvers<void>());
  const begun: { customerVersion: number; pageToken: string }[] = [];
  system.neighbours.remove = async ({ customerVersion, pageToken }) => {
    begun.push({ customerVersion, pageToken });
    const at = Number(pageToken || '0');
    await gates[at]?.promise;
    return { interactionIds: pages[at] ?? [], nextPageToken: at + 1 < pages.length ? String(at + 1) : '' };
  };
  return { begun, open: (at: number) => gates[at]?.resolve() };
}

test('removes the customer at once, then page by page all that others store, and says so in its erasure', async () => {
  await create('a', randomUUID());
  const pages = gatedPages(['i1', 'i2'], ['i3']);
  const deleting = remove('a');
  await eventually(() => expect(pages.begun).toHaveLength(1));
  await expect(get('a')).rejects.toMatchObject({ code: 'not_found' });
  const [running] = await erasuresOf('a');
  expect(running).toMatchObject({
    kind: 'deletion',
    completedAt: null,
    removed: { customers: 1, interactions: 0, events: 0 },
  });
  pages.open(0);
  pages.open(1);
  expect(await deleting).toEqual({ erasureId: running?.id, continues: false });
  expect(pages.begun.map(({ pageToken }) => pageToken)).toEqual(['', '1']);
  expect(system.neighbours.removedEvents).toEqual([['i1', 'i2'], ['i3']]);
  expect(await erasuresOf('a')).toMatchObject([
    { completedAt: expect.any(Date) as Date, removed: { customers: 1, interactions: 3, events: 6 } },
  ]);
  const events = await admin<{ type: string; about: string }>(
    'select type, about from customer.event_log where workspace_id = $1',
  );
  expect(events).toEqual([{ type: customerDeleted.subject, about: 'a' }]);
  const tables = ['customer', 'anonymisation', 'finished_erasure', 'idempotency_record', 'event_log'];
  for (const table of tables) {
    const rows = await admin(`select ${table}::text from customer.${table} where workspace_id = $1`);
    const text = JSON.stringify(rows);
    const hex = Buffer.from(anna.firstName).toString('hex');
    for (const detail of [...Object.values(anna), hex]) expect(text).not.toContain(detail);
  }
});

test('is not found when repeated, and for an unknown customer', async () => {
  await create('a');
  await remove('a');
  for (const id of ['a', 'nobody']) await expect(remove(id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await customers.listCustomers({ workspaceId, page: { page: 1, pageSize: 10 } }, call)).toMatchObject(
    { customers: [], total: 0 },
  );
});

test('a call about another version is aborted; concurrent ones about one version share an erasure', async () => {
  await create('a');
  await expect(remove('a', { ifVersion: 7 })).rejects.toMatchObject({ code: 'aborted' });
  const pages = gatedPages(['i1']);
  const calls = [remove('a', { ifVersion: 1 }), remove('a', { ifVersion: 1 })];
  await eventually(() => expect(pages.begun).toHaveLength(1));
  pages.open(0);
  const [first, second] = await Promise.all(calls);
  expect(first).toEqual(second);
  // A call that a replica repeats after its end.
  expect(await remove('a', { ifVersion: 1 })).toEqual(first);
  await afterADay();
  expect(await remove('a', { ifVersion: 1 })).toEqual(first);
  await expect(remove('a', { ifVersion: 2 })).rejects.toMatchObject({ code: 'not_found' });
});

test('resumes after the failure of a peer, and after the death of its replica', async () => {
  await create('a');
  system.neighbours.remove = away;
  await expect(remove('a')).rejects.toMatchObject({ code: 'unavailable' });
  await expect(get('a')).rejects.toMatchObject({ code: 'not_found' });
  system.neighbours.remove = oneDeletedPage;
  await endLeases();
  await eventually(async () =>
    expect(await erasuresOf('a')).toMatchObject([
      { kind: 'deletion', completedAt: expect.any(Date) as Date, removed: { interactions: 1, events: 2 } },
    ]),
  );
});

test('a call that has waited long enough returns the erasure, which continues and ends', async () => {
  await create('a');
  const pages = gatedPages(['i1']);
  const { erasureId, continues } = await remove('a', { waitSeconds: 0 });
  expect(continues).toBe(true);
  pages.open(0);
  await eventually(async () => {
    const { completedAt } = await customers.getErasure({ workspaceId, id: erasureId }, call);
    expect(completedAt).not.toBeNull();
  });
});

test('an anonymisation under way becomes the deletion, in the same erasure', async () => {
  await create('a');
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  // The first page is recorded, the second under way.
  system.neighbours.redact = async (pageToken) => {
    begun.push(pageToken);
    if (pageToken !== '') await gate.promise;
    return { interactionId: randomUUID(), next: pageToken === '' ? '1' : '2' };
  };
  const anonymise = () => customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  const anonymising = [anonymise()];
  await eventually(() => expect(begun).toEqual(['', '1']));
  // Waits for another run, which the deletion replaces too.
  anonymising.push(anonymise());
  await eventually(async () =>
    expect(await admin('select asked_again from customer.anonymisation where workspace_id = $1')).toEqual([
      { asked_again: true },
    ]),
  );
  const pages = gatedPages(['i1'], ['i2', 'i3']);
  const deleting = customers.deleteCustomer({ workspaceId, id: 'a', requestedBy: 'prl_key_other' }, call);
  await eventually(async () => expect(await erasuresOf('a')).toMatchObject([{ kind: 'deletion' }]));
  gate.resolve();
  pages.open(0);
  pages.open(1);
  for (const one of anonymising) expect(await one).toEqual(await deleting);
  // The page that was under way has changed neither place nor counts of the deletion.
  expect(pages.begun.map(({ pageToken }) => pageToken)).toEqual(['', '1']);
  expect(begun).toEqual(['', '1']);
  expect(await erasuresOf('a')).toMatchObject([
    {
      kind: 'deletion',
      requestedBy: 'prl_key_other',
      completedAt: expect.any(Date) as Date,
      removed: { customers: 1, interactions: 3, events: 6 },
    },
  ]);
  const events = await admin('select type from customer.event_log where workspace_id = $1');
  expect(events).toEqual([{ type: customerDeleted.subject }]);
  expect(events).not.toContainEqual({ type: customerAnonymised.subject });
});

test('a customer that is created again has a later version, however it is created, also after a day', async () => {
  await create('a');
  await remove('a');
  await afterADay();
  expect(await create('a')).toMatchObject({ customer: { version: 3, deletedVersion: 2 } });
  await remove('a');
  await afterADay();
  expect(await customers.ensureCustomer({ workspaceId, id: 'a' }, call)).toMatchObject({
    firstName: '',
    version: 5,
    deletedVersion: 4,
  });
  expect(await create('b')).toMatchObject({ customer: { version: 1 } });
});

test('while a deletion runs, a customer that is created again can be neither anonymised nor deleted', async () => {
  await create('a');
  const pages = gatedPages(['i1']);
  const deleting = remove('a');
  await eventually(() => expect(pages.begun).toEqual([{ customerVersion: 2, pageToken: '' }]));
  await create('a');
  const refused = { code: 'unavailable' };
  await expect(remove('a')).rejects.toMatchObject(refused);
  await expect(
    customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call),
  ).rejects.toMatchObject(refused);
  pages.open(0);
  await deleting;
  expect(await get('a')).toMatchObject(anna);
  system.neighbours.remove = oneDeletedPage;
  await remove('a');
  expect((await erasuresOf('a')).map(({ kind }) => kind)).toEqual(['deletion', 'deletion']);
});

test('a creation that waits for the deletion gets the later version', async () => {
  await create('a');
  await using session = await openSqlConnection(system.adminUrl);
  await session.query('begin');
  await session.query(`select from customer.customer where workspace_id = $1 for update`, [workspaceId]);
  // It has the fence, and waits for the row.
  const deleting = remove('a');
  await eventually(async () => {
    const locks = await admin(
      `select from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and $1::uuid is not null
         and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(locks).toHaveLength(1);
  });
  const creating = [create('a'), customers.ensureCustomer({ workspaceId, id: 'a' }, call)];
  await session.query('commit');
  await deleting;
  await Promise.allSettled(creating);
  expect(await get('a')).toMatchObject({ version: 3 });
});

test('a retry of its creation with the Idempotency-Key creates nothing', async () => {
  const key = randomUUID();
  await create('a', key);
  await remove('a');
  for (let times = 0; times < 2; times += 1)
    await expect(create('a', key)).rejects.toMatchObject({ code: 'not_found' });
  await expect(get('a')).rejects.toMatchObject({ code: 'not_found' });
});

test('a retry of its creation creates nothing, also after the anonymisation of a later customer', async () => {
  const key = randomUUID();
  await create('a', key);
  await remove('a');
  await create('a');
  await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  await expect(create('a', key)).rejects.toMatchObject({ code: 'not_found' });
});

test('customers of open links are deleted at once, and only they', async () => {
  const [first, second] = ['0a', '9f'].map((digits) => `anonymous-${digits.repeat(16)}`) as [string, string];
  const others = [
    'anonymous',
    'anonymous-4711',
    `${first}0`,
    first.slice(0, -1),
    first.toUpperCase(),
    first.replace(/.$/, 'g'),
    `${first}\u2028`,
    `x${first}`,
  ];
  for (const id of [first, second, ...others]) await create(id);
  const deleted = await customers.deleteAnonymousCustomers({ workspaceId, requestedBy }, call);
  expect(deleted).toEqual({ deleted: 2, hasMore: false });
  for (const id of others) expect(await get(id)).toMatchObject({ id });
  await expect(get(first)).rejects.toMatchObject({ code: 'not_found' });
  await eventually(async () =>
    expect(await erasuresOf(second)).toMatchObject([{ kind: 'deletion', requestedBy }]),
  );
});

test('other customers and other workspaces keep theirs', async () => {
  const other = randomUUID();
  await create('a');
  await create('b');
  await customers.createCustomer(annaAs(other, 'a'), call);
  await remove('a');
  expect(await get('b')).toMatchObject(anna);
  expect(await customers.getCustomer({ workspaceId: other, id: 'a' }, call)).toMatchObject(anna);
});
