import { detailOf, noDetails, perDetail, searchedDetails } from '@parley/contracts/customer-details';
import { randomUUID } from 'node:crypto';
import { type EnsuredCustomer, ListCustomersResponse } from '@parley/contracts/customer/v1/customer';
import { openDatabase } from '@parley/postgres/connecting/open';
import { notFound, unavailable } from '@parley/runtime/errors';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tables } from '../src/schema.ts';
import { listCustomers } from '../src/customers/store.ts';
import { anna, annaAs, call, type CustomersUnderTest, existingWorkspace, startCustomers } from './fixture.ts';

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
  system.neighbours.askedWorkspaces.length = 0;
  system.neighbours.getWorkspace = existingWorkspace;
});

const create = (id: string, key: string | null = null) =>
  customers.createCustomer(annaAs(workspaceId, id, key), call);
const ensure = (id: string) => customers.ensureCustomer({ workspaceId, id }, call);

describe('searching', () => {
  test('each detail that searches look into has an index for them', async () => {
    await using connection = await openSqlConnection(system.adminUrl);
    const indexes = await connection.query(
      `select indexdef from pg_indexes where schemaname = 'customer' and tablename = 'customer'`,
    );
    for (const name of searchedDetails) {
      const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const index = `(workspace_id, lower(${column}) text_pattern_ops)`;
      expect(indexes).toContainEqual({ indexdef: expect.stringContaining(index) });
    }
  });

  const named = (id: string, firstName: string, lastName = '', email = '', of = workspaceId) =>
    customers.createCustomer(
      { workspaceId: of, id, ...noDetails, firstName, lastName, email, idempotency: null },
      call,
    );
  const search = (beginning: string, page = { page: 1, pageSize: 20 }) =>
    customers.listCustomers({ workspaceId, page, beginning }, call);

  test('finds the beginning of id, names, both names and address, whatever the case, oldest first, with the total', async () => {
    await named('Order-7', 'Élodie', "O'Brien", 'E.Brien@Example.com');
    await named('x_100%', 'Order', 'Größe', '');
    await named('other', 'Anna', 'ORDER');
    await named('Order-7', 'Élodie', '', '', randomUUID());
    const idsOf = async (beginning: string) => {
      const { customers: found, total } = await search(beginning);
      expect(total).toBe(found.length);
      return found.map(({ id }) => id);
    };
    expect(await idsOf('order')).toEqual(['Order-7', 'x_100%', 'other']);
    expect(await idsOf('ORDER-')).toEqual(['Order-7']);
    expect(await idsOf('éL')).toEqual(['Order-7']);
    expect(await idsOf('GRÖß')).toEqual(['x_100%']);
    expect(await idsOf("o'b")).toEqual(['Order-7']);
    expect(await idsOf('e.brien@example.COM')).toEqual(['Order-7']);
    expect(await idsOf('X_1')).toEqual(['x_100%']);
    for (const none of ['rder', '%%', 'x%', '__', 'example', 'zz']) expect(await idsOf(none)).toEqual([]);
    expect(await idsOf("élodie o'b")).toEqual(['Order-7']);
    expect(await idsOf("O'Brien, Élo")).toEqual(['Order-7']);
    expect(await idsOf('anna order')).toEqual(['other']);
    for (const none of ['anna brien', 'anna  ', ' order', 'nna order']) expect(await idsOf(none)).toEqual([]);
    expect(await search('order', { page: 2, pageSize: 2 })).toMatchObject({
      customers: [{ id: 'other' }],
      total: 3,
    });
    await expect(search('o')).rejects.toMatchObject({ code: 'invalid_argument' });
  });
});

test('customers are found by their ids, oldest first; unknown ids and those of others are left out', async () => {
  for (const id of ['b', 'a', 'A']) await create(id);
  await customers.createCustomer(annaAs(randomUUID(), 'c', null), call);
  const found = await customers.getCustomers({ workspaceId, ids: ['A', 'nobody', 'c', 'b'] }, call);
  expect(found.customers).toMatchObject([
    { id: 'b', ...anna },
    { id: 'A', ...anna },
  ]);
});

describe('creating', () => {
  test('stores the given details and rejects the id a second time', async () => {
    const { customer, replayed } = await create('a');
    expect(customer).toEqual({ id: 'a', ...anna, version: 1, deletedVersion: null });
    expect(replayed).toBe(false);
    await expect(create('a')).rejects.toMatchObject({ code: 'already_exists', type: 'customer-exists' });
  });

  test('compares ids exactly: case, accents, slashes and normal forms differ', async () => {
    const ids = ['x', 'X', 'é', 'e\u0301', 'a/b', '😀', ' ', '%2F'];
    for (const id of ids) await create(id);
    const { customers: all, total } = await customers.listCustomers(
      { workspaceId, page: { page: 1, pageSize: 50 } },
      call,
    );
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(total).toBe(ids.length);
  });

  test('once per idempotency key, also for twenty concurrent calls', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('once', key)));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ customer }) => JSON.stringify(customer))).size).toBe(1);
  });

  test('ensuring creates one customer for twenty concurrent calls and changes no existing one', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => ensure('new')));
    expect(made.every(({ id, email, version }) => id === 'new' && email === '' && version === 1)).toBe(true);
    await create('old');
    expect(await ensure('old')).toEqual({ id: 'old', ...anna, version: 1, deletedVersion: null });
  });
});

describe('ensuring several', () => {
  const ensureAll = async (wanted: EnsuredCustomer[]) =>
    (await customers.ensureCustomers({ workspaceId, customers: wanted }, call)).customers;

  test('returns one for each, in order, and sets the given details', async () => {
    await create('old');
    const all = await ensureAll([
      { id: 'new' },
      { id: 'old', lastName: 'L' },
      { id: 'named', email: 'n@example.com' },
    ]);
    expect(all).toEqual([
      { id: 'new', ...noDetails, version: 1, deletedVersion: null },
      { id: 'old', ...anna, lastName: 'L', version: 2, deletedVersion: null },
      { id: 'named', ...noDetails, email: 'n@example.com', version: 1, deletedVersion: null },
    ]);
    expect(
      await ensureAll([
        { id: 'old', lastName: 'L' },
        { id: 'new', firstName: '' },
      ]),
    ).toEqual([all[1], all[0]]);
  });

  test('a repeated id has the details that were given until its turn, and one change', async () => {
    const all = await ensureAll([
      { id: 'a', firstName: 'One' },
      { id: 'b' },
      { id: 'a' },
      { id: 'a', firstName: 'Two' },
      { id: 'a', lastName: 'L' },
    ]);
    expect(all.map(({ id, firstName, lastName }) => [id, firstName, lastName].join(' '))).toEqual([
      'a One ',
      'b  ',
      'a One ',
      'a Two ',
      'a Two L',
    ]);
    expect(await ensure('a')).toMatchObject({ firstName: 'Two', lastName: 'L', version: 1 });
    const again = await ensureAll(['A', 'B', 'C'].map((firstName) => ({ id: 'a', firstName })));
    expect(again.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).toEqual(['A L', 'B L', 'C L']);
    expect(await ensure('a')).toMatchObject({ firstName: 'C', lastName: 'L', version: 2 });
  });

  test('changes none of them for a call that may only create', async () => {
    await create('old');
    const wanted = [
      { id: 'new', firstName: 'One' },
      { id: 'old', firstName: 'Eva' },
      { id: 'old', email: anna.email },
      { id: 'new', firstName: 'Two' },
      { id: 'new', firstName: 'One' },
      { id: 'old' },
    ];
    const answer = await customers.ensureCustomers(
      { workspaceId, customers: wanted, onlyCreates: true },
      call,
    );
    expect(answer.unchanged).toEqual([1, 3]);
    expect(answer.customers.map(({ firstName, version }) => [firstName, version])).toEqual([
      ['One', 1],
      [anna.firstName, 1],
      [anna.firstName, 1],
      ['One', 1],
      ['One', 1],
      [anna.firstName, 1],
    ]);
  });

  test('creates one, for a call that may only create, with the first detail of each kind', async () => {
    const wanted = [
      { id: 'x' },
      { id: 'x', firstName: 'Ada' },
      { id: 'x', firstName: 'Eva', lastName: 'L' },
      { id: 'x', lastName: 'L' },
    ];
    for (const version of [1, 1]) {
      const request = { workspaceId, customers: wanted, onlyCreates: true };
      const answer = await customers.ensureCustomers(request, call);
      expect(answer.unchanged).toEqual([2]);
      expect(answer.customers).toMatchObject(
        wanted.map(() => ({ firstName: 'Ada', lastName: 'L', version })),
      );
    }
  });

  test('concurrent calls for the same customers in any order all succeed, and ids are compared exactly', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `${n % 2 ? 'É' : 'e'}${n % 10}${n}`);
    const calls = Array.from({ length: 10 }, (_, n) => {
      const wanted = ids.map((id) => ({ id, firstName: `n${n}` }));
      return ensureAll(n % 2 ? wanted : wanted.toReversed());
    });
    for (const [n, all] of (await Promise.all(calls)).entries()) {
      expect(all.map(({ firstName }) => firstName)).toEqual(ids.map(() => `n${n}`));
    }
    const { total } = await customers.listCustomers({ workspaceId, page: { page: 1, pageSize: 1 } }, call);
    expect(total).toBe(ids.length);
  });

  test('another workspace’s customers are neither read nor changed', async () => {
    await create('a');
    const request = { workspaceId: randomUUID(), customers: [{ id: 'a', firstName: 'Eva' }] };
    const { customers: all } = await customers.ensureCustomers(request, call);
    expect(all).toMatchObject([{ firstName: 'Eva', lastName: '' }]);
    expect(await ensure('a')).toEqual({ id: 'a', ...anna, version: 1, deletedVersion: null });
  });
});

describe('the check of the workspace at identity', () => {
  const asked = () => system.neighbours.askedWorkspaces;

  test('both calls reject an unknown workspace, and no row is stored', async () => {
    system.neighbours.getWorkspace = async () => {
      throw notFound();
    };
    for (const refused of [create('a'), create('b', randomUUID()), ensure('c')]) {
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    }
    await using connection = await openSqlConnection(system.adminUrl);
    for (const table of ['customer', 'idempotency_record']) {
      const stored = `select 1 from customer.${table} where workspace_id = $1`;
      expect(await connection.query(stored, [workspaceId])).toEqual([]);
    }
    // A workspace that exists by now is found: failures are not cached.
    system.neighbours.getWorkspace = existingWorkspace;
    await ensure('c');
  });

  test('twenty concurrent calls and later ones check a workspace once', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? create(`c${n}`) : ensure(`c${n}`))));
    await create('later');
    expect(asked()).toEqual([workspaceId]);
  });

  test('only a first write in a workspace needs identity', async () => {
    const away = async () => {
      throw unavailable(new Error('away'));
    };
    system.neighbours.getWorkspace = away;
    await expect(create('a')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(ensure('a')).rejects.toMatchObject({ code: 'unavailable' });
    system.neighbours.getWorkspace = existingWorkspace;
    await create('a');
    system.neighbours.getWorkspace = away;
    await create('b');
    await ensure('c');
  });

  test('an existing customer is ensured without a check', async () => {
    await using connection = await openSqlConnection(system.adminUrl);
    await connection.query('set search_path = customer');
    await connection.query(`insert into customer values ($1, 'a', '', '', '')`, [workspaceId]);
    expect(await ensure('a')).toMatchObject({ id: 'a' });
    expect(asked()).toEqual([]);
  });
});

describe('reading', () => {
  test('a customer of another workspace is not found', async () => {
    await create('a');
    const missing = await customers
      .getCustomer({ workspaceId, id: 'b' }, call)
      .catch((error: unknown) => error);
    const foreign = await customers
      .getCustomer({ workspaceId: randomUUID(), id: 'a' }, call)
      .catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'not_found' });
    expect(String(foreign)).toBe(String(missing));
  });

  test('a page of the largest customers has less than 256 KiB', async () => {
    const longest = '\u{1f600}'.repeat(254);
    const details = {
      ...perDetail((name) => longest.slice(0, 2 * detailOf(name).charactersMax)),
      email: `${'x'.repeat(60)}@example.com`,
    };
    for (let n = 0; n < 50; n += 1) {
      const id = `${String.fromCodePoint(0x4e00 + n)}${longest}`;
      await customers.createCustomer({ workspaceId, id, ...details, idempotency: null }, call);
    }
    const page = { page: 1, pageSize: 50 };
    const answer = await customers.listCustomers({ workspaceId, page }, call);
    expect(answer.customers).toHaveLength(50);
    expect(ListCustomersResponse.encode(answer).finish().length).toBeLessThan(256 * 1024);
  });

  test('pages of any size are oldest first, empty past the last one, with the true total', async () => {
    const ids = ['g', 'c', 'a', 'f', 'b', 'e', 'd'];
    for (const id of ids) await create(id);
    for (let pageSize = 1; pageSize <= ids.length + 1; pageSize += 1) {
      for (let page = 1; page <= ids.length + 2; page += 1) {
        const answer = await customers.listCustomers({ workspaceId, page: { page, pageSize } }, call);
        const expected = ids.slice((page - 1) * pageSize, page * pageSize);
        expect(answer).toMatchObject({ customers: expected.map((id) => ({ id })), total: ids.length });
      }
    }
  });

  test('a page keeps its customers when others are created after the total was read', async () => {
    const ids = ['c', 'a', 'd', 'b', 'e'];
    for (const id of ids) await create(id);
    await using database = openDatabase<Tables>({ url: system.databaseUrl, logger: quietLogger });
    for (const total of [4, 5]) {
      const [first, last] = await Promise.all([
        listCustomers(database.db, workspaceId, { limit: 2, offset: 0 }, total),
        listCustomers(database.db, workspaceId, { limit: 2, offset: 3 }, total),
      ]);
      expect(first.map(({ id }) => id)).toEqual(['c', 'a']);
      expect(last.map(({ id }) => id)).toEqual(ids.slice(3, total));
    }
  });

  test('a page past the last one reads no customers', async () => {
    await create('a');
    await using connection = await openSqlConnection(system.adminUrl);
    await connection.query('begin');
    await connection.query('lock table customer.customer in access exclusive mode');
    const page = { page: 1_000_000, pageSize: 50 };
    expect(await customers.listCustomers({ workspaceId, page }, call)).toEqual({ customers: [], total: 1 });
  });
});

describe('updating', () => {
  test('sets the given details, keeps the others and raises the version', async () => {
    await create('a');
    const changed = await customers.updateCustomer({ workspaceId, id: 'a', lastName: '' }, call);
    expect(changed).toEqual({ id: 'a', ...anna, lastName: '', version: 2, deletedVersion: null });
  });

  test('of ten updates with one expected version, one succeeds and the others are rejected', async () => {
    await create('a');
    const updates = Array.from({ length: 10 }, (_, index) =>
      customers.updateCustomer({ workspaceId, id: 'a', firstName: `n${index}`, ifVersion: 1 }, call),
    );
    const outcomes = await Promise.allSettled(updates);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refusals.every(({ reason }) => (reason as { code: string }).code === 'aborted')).toBe(true);
  });

  test('an unknown customer is not found, with any expected version', async () => {
    const update = customers.updateCustomer(
      { workspaceId, id: 'nobody', firstName: 'x', ifVersion: 1 },
      call,
    );
    await expect(update).rejects.toMatchObject({ code: 'not_found' });
  });
});
