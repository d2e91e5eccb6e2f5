import { noDetails } from '@parley/contracts/customer-details';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { randomUUID } from 'node:crypto';
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

const create = (id: string, key: string | null = null) =>
  customers.createCustomer(annaAs(workspaceId, id, key), call);

const admin = async (statement: string): Promise<object[]> => {
  await using connection = await openSqlConnection(system.adminUrl);
  return await connection.query(statement, [workspaceId]);
};
const dump = async (): Promise<string> => {
  const texts: string[] = [];
  for (const table of ['customer', 'anonymisation', 'idempotency_record']) {
    const rows = await admin(`select * from customer.${table} where workspace_id = $1`);
    // Bytes as Latin-1. These tests combine details outside ASCII with ASCII ones.
    texts.push(
      JSON.stringify(rows, (_, value: unknown) =>
        isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
      ),
    );
  }
  return texts.join('\n');
};
/** As if the leases of failed pages had ended. */
const ageUnfinished = () =>
  admin(`update customer.anonymisation set due_at = now() - interval '1 hour' where workspace_id = $1`);
/** Its rows, and which transaction wrote them last. */
const unfinished = () => admin('select *, xmin from customer.anonymisation where workspace_id = $1');
const away = async (): Promise<never> => {
  throw unavailable(new Error('away'));
};

test('calls the peers page by page and leaves no detail in the schema', async () => {
  await create('a', randomUUID());
  expect(await dump()).toContain('Anna');
  const pages = [randomUUID(), randomUUID()];
  system.neighbours.redact = async (token) =>
    token === '' ? { interactionId: pages[0] ?? '', next: '2' } : { interactionId: pages[1] ?? '', next: '' };
  await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  expect(system.neighbours.asked.map(({ ofEvents }) => ofEvents)).toEqual([[pages[0]], [pages[1]]]);
  expect([...(system.neighbours.asked[0]?.details ?? [])].sort()).toEqual(Object.values(anna).sort());
  const left = await dump();
  for (const detail of Object.values(anna)) expect(left).not.toContain(detail);
  expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toMatchObject(noDetails);
});

test('resumes after the failure of a peer, with its first details', async () => {
  await create('a');
  system.neighbours.redact = away;
  const failed = customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
  // From the first step no service can use the details.
  expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toMatchObject({ firstName: '' });
  await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Hanna' }, call);
  system.neighbours.redact = onePage;
  await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  expect(system.neighbours.asked.at(-1)?.details).toEqual(expect.arrayContaining(['Anna', 'Hanna']));
  await eventually(async () => expect(await dump()).not.toMatch(/anna/i));
});

test('is resumed by another process when its own has died', async () => {
  await create('a');
  system.neighbours.redact = away;
  await expect(customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call)).rejects.toThrow();
  expect(await unfinished()).toHaveLength(1);
  const before = await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Later' }, call);
  system.neighbours.redact = onePage;
  await ageUnfinished();
  await eventually(async () => expect(await unfinished()).toEqual([]));
  expect(system.neighbours.asked.at(-1)).toMatchObject({
    details: expect.arrayContaining(['Anna', 'Novák']) as string[],
    customerVersion: 2,
  });
  expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toEqual(before);
});

test('a call about an earlier version is aborted and keeps details that were set since', async () => {
  const { customer } = await create('a');
  const late = { workspaceId, id: 'a', ifVersion: customer?.version, requestedBy };
  await customers.anonymiseCustomer(late, call);
  const eva = await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Eva' }, call);
  await expect(customers.anonymiseCustomer(late, call)).rejects.toMatchObject({ code: 'aborted' });
  expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toEqual(eva);
});

test('repeated, resumes an unfinished one, and starts another for details that were set since', async () => {
  await create('a');
  const anonymise = () => customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  const failing = async () => {
    system.neighbours.redact = away;
    await expect(anonymise()).rejects.toThrow();
    system.neighbours.redact = onePage;
  };
  await failing();
  await ageUnfinished();
  await anonymise();
  await failing();
  await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Eva' }, call);
  await anonymise();
  await anonymise();
  expect(system.neighbours.asked.map(({ customerVersion }) => customerVersion)).toEqual([2, 3, 6, 7]);
});

test('a repeated call resolves after a run that began later, and does not delay the first call', async () => {
  await create('a');
  const gates = new Map([2, 3].map((version) => [version, Promise.withResolvers<void>()]));
  const begun: number[] = [];
  system.neighbours.redact = async (_, version) => {
    begun.push(version);
    await gates.get(version)?.promise;
    return { interactionId: randomUUID(), next: '' };
  };
  const answered: string[] = [];
  const anonymise = async (who: string) => {
    await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
    answered.push(who);
  };
  const first = anonymise('first');
  await eventually(() => expect(begun).toEqual([2]));
  const others: Promise<void>[] = [];
  for (const who of ['second', 'third', 'fourth']) {
    const before = await unfinished();
    others.push(anonymise(who));
    // Each call that joins changes it.
    await eventually(async () => expect(await unfinished()).not.toEqual(before));
  }
  expect(await unfinished()).toMatchObject([{ asked_again: true }]);
  gates.get(2)?.resolve();
  await first;
  await eventually(() => expect(begun).toEqual([2, 3]));
  expect(answered).toEqual(['first']);
  gates.get(3)?.resolve();
  await Promise.all(others);
  expect(await unfinished()).toEqual([]);
  expect(await customers.getCustomer({ workspaceId, id: 'a' }, call)).toMatchObject({ version: 3 });
});

test('repeated by a process that has died is still done', async () => {
  await create('a');
  system.neighbours.redact = away;
  for (let times = 0; times < 2; times += 1) {
    await ageUnfinished();
    await expect(customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call)).rejects.toThrow();
  }
  system.neighbours.redact = onePage;
  await ageUnfinished();
  await eventually(async () => expect(await unfinished()).toEqual([]));
  expect(system.neighbours.asked.map(({ customerVersion }) => customerVersion)).toEqual([2, 3]);
});

test('every concurrent call returns after a run that started after it', async () => {
  await create('a');
  let clock = 0;
  const begunAt = new Map<number, number>();
  const done = new Set<number>();
  system.neighbours.redact = async (token, version) => {
    if (!begunAt.has(version)) begunAt.set(version, (clock += 1));
    if (token === '2') done.add(version);
    return { interactionId: randomUUID(), next: token === '' ? '2' : '' };
  };
  let calls = 0;
  const asking = Array.from({ length: 6 }, async () => {
    for (let times = 0; times < 10; times += 1) {
      const askedAt = (clock += 1);
      await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
      calls += 1;
      expect([...done].some((version) => (begunAt.get(version) ?? 0) > askedAt)).toBe(true);
    }
  });
  await Promise.all(asking);
  expect(calls).toBe(60);
  expect(await unfinished()).toEqual([]);
});

test('details that were set during a run begin a new one, which both calls wait for', async () => {
  await create('a');
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = [first.promise, second.promise];
  system.neighbours.redact = async () => {
    await held.shift();
    return { interactionId: randomUUID(), next: '' };
  };
  const answered: string[] = [];
  const anonymise = async (who: string) => {
    await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
    answered.push(who);
  };
  const one = anonymise('one');
  await eventually(() => expect(held).toHaveLength(1));
  await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Hanna' }, call);
  const two = anonymise('two');
  await eventually(() => expect(held).toHaveLength(0));
  first.resolve();
  await eventually(() => expect(system.neighbours.asked).toHaveLength(1));
  expect(await unfinished()).toHaveLength(1);
  expect(answered).toEqual([]);
  second.resolve();
  await Promise.all([one, two]);
  expect(await unfinished()).toEqual([]);
  expect(
    system.neighbours.asked.map(({ customerVersion, details }) => [
      customerVersion,
      details.includes('Hanna'),
    ]),
  ).toEqual([
    [2, false],
    [4, true],
  ]);
});

test('keeps the answers to Idempotency-Keys replayable, without personal data', async () => {
  const key = randomUUID();
  await create('a', key);
  await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  expect(await create('a', key)).toEqual({
    customer: { id: 'a', ...noDetails, version: 1, deletedVersion: null },
    replayed: true,
  });
});

test('repeated is no error, an unknown customer is not found, and the customer can be used again', async () => {
  await create('a');
  for (let times = 0; times < 2; times += 1)
    await customers.anonymiseCustomer({ workspaceId, id: 'a', requestedBy }, call);
  const unknown = customers.anonymiseCustomer({ workspaceId, id: 'nobody', requestedBy }, call);
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  const again = await customers.updateCustomer({ workspaceId, id: 'a', firstName: 'Eva' }, call);
  expect(again.firstName).toBe('Eva');
});

function isBytes(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}
