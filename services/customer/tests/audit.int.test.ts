import { randomUUID } from 'node:crypto';
import type { EnsuredCustomer } from '@parley/contracts/customer/v1/customer';
import { withClientAddress } from '@parley/rpc/grants';
import { testGrants } from '@parley/testing/peers/callers';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { annaAs, call, type CustomersUnderTest, startCustomers } from './fixture.ts';

let system: CustomersUnderTest;
let admin: SqlConnection;
let workspaceId: string;

beforeAll(async () => {
  system = await startCustomers();
  admin = await openSqlConnection(system.adminUrl);
});
afterAll(async () => {
  await admin[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
});
beforeEach(() => {
  workspaceId = randomUUID();
});

interface Row {
  action: string;
  customer: string;
  changes: object;
}

/** The rows of the workspace, oldest first. */
async function rows(): Promise<Row[]> {
  return admin.query<Row>(
    `select action, targets -> 0 ->> 'id' as customer, changes from customer.audit_log where workspace_id = $1
     order by id`,
    [workspaceId],
  );
}

const key = { $case: 'apiKey', value: 'prl_key_shop' } as const;

/** A call that the interaction service makes for a call of a key. */
const onBehalf = (of = workspaceId) => {
  const grant = testGrants.issue({ workspaceIds: [of], holder: key, holderName: 'Shop' }, 60);
  return { ...call, grant: withClientAddress(grant, '192.0.2.7') };
};

const ensure = (wanted: EnsuredCustomer[], options = onBehalf()) =>
  system.customers.ensureCustomers({ workspaceId, customers: wanted }, options);

describe('a customer that an interaction brings along', () => {
  test('has a row with who did it', async () => {
    await system.customers.ensureCustomer({ workspaceId, id: 'new' }, onBehalf());
    expect(
      await admin.query(
        `select action, actor_type, actor_id, actor_name, request_id, client_address, targets, changes
         from customer.audit_log where workspace_id = $1`,
        [workspaceId],
      ),
    ).toEqual([
      {
        action: 'customer.created',
        actor_type: 'key',
        actor_id: 'prl_key_shop',
        actor_name: 'Shop',
        request_id: call.requestId,
        client_address: '192.0.2.7',
        targets: [{ type: 'customer', id: 'new' }],
        changes: {},
      },
    ]);
    await system.customers.ensureCustomer({ workspaceId, id: 'new' }, onBehalf());
    expect(await rows()).toHaveLength(1);
  });

  test('has one row for its creation with details, one for each change, and none without a change', async () => {
    await ensure([{ id: 'a', firstName: 'Ada' }, { id: 'b' }, { id: 'a' }]);
    const created = ['a', 'b'].map((customer) => ({ action: 'customer.created', customer, changes: {} }));
    expect(await rows()).toEqual(created);
    await ensure([{ id: 'a', firstName: 'Ada' }, { id: 'b' }]);
    expect(await rows()).toEqual(created);
    await ensure([{ id: 'c' }, { id: 'a', firstName: '', email: 'ada@example.com' }]);
    const hidden = { firstName: ['[hidden]', null], email: [null, '[hidden]'] };
    expect((await rows()).slice(2)).toEqual([
      { action: 'customer.created', customer: 'c', changes: {} },
      { action: 'customer.updated', customer: 'a', changes: hidden },
    ]);
  });

  test('has one row for each change of a call, however often the call repeats it', async () => {
    const names = Array.from({ length: 250 }, (_, n) => `n${n}`);
    const wanted = names.map((firstName) => ({ id: 'a', firstName }));
    await ensure([...wanted, ...wanted]);
    expect((await rows()).map(({ action }) => action)).toEqual(['customer.created']);
    await ensure([...wanted.toReversed(), { id: 'b' }, { id: 'a', lastName: 'L' }, { id: 'a' }]);
    expect((await rows()).slice(1).toSorted((one, other) => one.action.localeCompare(other.action))).toEqual([
      { action: 'customer.created', customer: 'b', changes: {} },
      {
        action: 'customer.updated',
        customer: 'a',
        changes: { firstName: ['[hidden]', '[hidden]'], lastName: [null, '[hidden]'] },
      },
    ]);
  });

  test('has as many rows as changes when twenty calls create and rename it at once', async () => {
    const wanted = ['x', 'y'].map((id) => ({ id, firstName: 'Ada' }));
    const calls = Array.from({ length: 20 }, (_, n) => ensure(n % 2 ? wanted : wanted.toReversed()));
    await Promise.all(calls);
    expect((await rows()).map(({ action }) => action)).toEqual(['customer.created', 'customer.created']);
    await Promise.all(
      Array.from({ length: 20 }, () => ensure(wanted.map(({ id }) => ({ id, firstName: 'Eva' })))),
    );
    expect((await rows()).slice(2).map(({ action }) => action)).toEqual([
      'customer.updated',
      'customer.updated',
    ]);
  });

  test('is created, or changed, with its row or not at all', async () => {
    await system.customers.createCustomer(annaAs(workspaceId, 'anna'), call);
    const before = await rows();
    await admin.query(
      `alter table customer.audit_log add constraint none check (workspace_id <> '${workspaceId}') not valid`,
    );
    try {
      await expect(ensure([{ id: 'new' }])).rejects.toMatchObject({ code: 'internal' });
      await expect(ensure([{ id: 'anna', firstName: 'Eva' }])).rejects.toMatchObject({ code: 'internal' });
    } finally {
      await admin.query('alter table customer.audit_log drop constraint none');
    }
    const page = { page: 1, pageSize: 5 };
    const { customers } = await system.customers.listCustomers({ workspaceId, page }, call);
    expect(customers).toMatchObject([{ id: 'anna', firstName: 'Anna', version: 1 }]);
    expect(await rows()).toEqual(before);
  });
});

describe('a call of the interaction service', () => {
  test('without a grant leaves no row: a replica of an earlier release forwards none', async () => {
    await ensure([{ id: 'a', firstName: 'Ada' }], call as ReturnType<typeof onBehalf>);
    await system.customers.ensureCustomer({ workspaceId, id: 'b' }, call);
    expect(await rows()).toEqual([]);
  });

  test('is refused with a grant for another workspace, of a session, or that nobody signed', async () => {
    const session = { $case: 'customerId', value: 'a' } as const;
    const wrong = [
      onBehalf(randomUUID()),
      { ...call, grant: testGrants.issue({ workspaceIds: [workspaceId], holder: session }, 60) },
      { ...call, grant: 'nobody.signed' },
    ];
    for (const options of wrong)
      await expect(ensure([{ id: 'a' }], options)).rejects.toMatchObject({ type: 'no-grant' });
    const page = { page: 1, pageSize: 5 };
    expect((await system.customers.listCustomers({ workspaceId, page }, call)).total).toBe(0);
  });
});
