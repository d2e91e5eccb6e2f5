import { randomUUID } from 'node:crypto';
import { unavailable } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, type CustomersUnderTest, nothingOutdated, startCustomers } from './fixture.ts';

let system: CustomersUnderTest;
let customers: CustomersUnderTest['customers'];
let workspaceId: string;

beforeAll(async () => {
  system = await startCustomers();
  ({ customers } = system);
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(async () => {
  workspaceId = randomUUID();
  // A page that has failed in another test would be retried when its lease ends.
  await admin(
    `update customer.retention set version = version + 1, due_at = 'infinity' where workspace_id <> $1`,
  );
  system.neighbours.outdated = nothingOutdated();
});

interface Change {
  completedDays?: number;
  endedDays?: number;
  draftDays?: number;
}

/** The settings with these days, and none else. */
const keeping = (days: Change = {}) => ({
  completedDays: null,
  endedDays: null,
  draftDays: null,
  ...days,
});

const update = (change: Change, ifVersion?: number) =>
  customers.updateRetention({ workspaceId, change, ifVersion }, call);
const get = () => customers.getRetention({ workspaceId }, call);
const admin = async (statement: string): Promise<object[]> => {
  await using connection = await openSqlConnection(system.adminUrl);
  return await connection.query(statement, [workspaceId]);
};
/** The sweep is over, and waits an hour. */
const sweptOnce = () =>
  eventually(async () => {
    const rows = await admin(
      `select page_token from customer.retention
       where workspace_id = $1 and page_token = '' and due_at > now() + interval '50 minutes'`,
    );
    expect(rows).toHaveLength(1);
  });
const latestChangeAt = new Date('2026-01-01T00:00:00Z');
const page = (interactionIds: string[], nextPageToken = '') => ({
  interactionIds,
  latestChangeAt,
  nextPageToken,
});

test('a workspace keeps everything until a change, and 0 stands for ever again', async () => {
  expect(await get()).toEqual({ retention: keeping(), version: 0 });
  expect(await update({ completedDays: 365 })).toEqual({
    retention: keeping({ completedDays: 365 }),
    version: 1,
  });
  expect(await update({ endedDays: 90, draftDays: 30 })).toEqual({
    retention: keeping({ completedDays: 365, endedDays: 90, draftDays: 30 }),
    version: 2,
  });
  expect(await update({ draftDays: 30 })).toMatchObject({ version: 2 });
  expect(await update({ completedDays: 0, draftDays: 0 })).toEqual({
    retention: keeping({ endedDays: 90 }),
    version: 3,
  });
  expect(await get()).toEqual({ retention: keeping({ endedDays: 90 }), version: 3 });
});

test('a change is aborted if the settings have another version, and rejected for invalid days', async () => {
  await update({ completedDays: 10 });
  await expect(update({ completedDays: 20 }, 0)).rejects.toMatchObject({ code: 'aborted' });
  for (const days of [-1, 3_651]) {
    await expect(update({ completedDays: days })).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  expect(await get()).toEqual({ retention: keeping({ completedDays: 10 }), version: 1 });
});

test('a preview counts under the changed settings, and changes nothing', async () => {
  await update({ completedDays: 365 });
  await sweptOnce();
  system.neighbours.outdated.counts = { completed: 3, ended: 2, draft: 0 };
  const preview = await customers.previewRetention({ workspaceId, change: { endedDays: 7 } }, call);
  expect(preview).toEqual({ completed: 3, ended: 2, draft: 0 });
  expect(system.neighbours.outdated.asked.at(-1)).toEqual(keeping({ completedDays: 365, endedDays: 7 }));
  expect(system.neighbours.outdated.deleted).toEqual([]);
  expect(await get()).toEqual({ retention: keeping({ completedDays: 365 }), version: 1 });
});

test('the sweep deletes page by page what is outdated, except what has open deliveries', async () => {
  const { outdated } = system.neighbours;
  outdated.pages = new Map([
    ['', page(['i1', 'i2'], 'second')],
    ['second', page(['i3'])],
  ]);
  outdated.undelivered = ['i2'];
  await update({ completedDays: 1 });
  await sweptOnce();
  expect(outdated.deleted).toEqual([['i1'], ['i3']]);
  expect(outdated.asked).toEqual([keeping({ completedDays: 1 }), keeping({ completedDays: 1 })]);
});

test('nothing is deleted while the webhook service has not read all events', async () => {
  const { outdated } = system.neighbours;
  outdated.pages = new Map([['', page(['i1'])]]);
  outdated.isBehind = true;
  await update({ completedDays: 1 });
  await eventually(async () => {
    const rows = await admin(
      `select from customer.retention where workspace_id = $1 and due_at > now() + interval '40 seconds'`,
    );
    expect(rows).toHaveLength(1);
  });
  expect(outdated.deleted).toEqual([]);
  outdated.isBehind = false;
  await admin('update customer.retention set due_at = now() where workspace_id = $1');
  await update({ completedDays: 2 });
  await sweptOnce();
  expect(outdated.deleted).toEqual([['i1']]);
});

test('a page that fails is retried when its lease ends', async () => {
  const { outdated } = system.neighbours;
  outdated.pages = new Map([['', page(['i1'])]]);
  let tries = 0;
  outdated.beforeDeletion = () => {
    tries += 1;
    if (tries === 1) throw unavailable(new Error('away'));
  };
  await update({ completedDays: 1 });
  await eventually(() => expect(tries).toBe(1));
  await admin('update customer.retention set due_at = now() where workspace_id = $1');
  // Another workspace wakes the sweep.
  await customers.updateRetention({ workspaceId: randomUUID(), change: { draftDays: 1 } }, call);
  await sweptOnce();
  expect(outdated.deleted).toContainEqual(['i1']);
});

test('new settings end the sweep of the former ones', async () => {
  const { outdated } = system.neighbours;
  outdated.pages = new Map([['', page(['i1'], 'more')]]);
  outdated.pages.set('more', page(['i1'], 'more'));
  const gate = Promise.withResolvers<void>();
  outdated.beforeDeletion = () => gate.promise;
  await update({ completedDays: 1 });
  await eventually(async () =>
    expect(
      await admin(
        `select from customer.retention where workspace_id = $1 and due_at > now() + interval '20 seconds'`,
      ),
    ).toHaveLength(1),
  );
  await update({ completedDays: 0 });
  gate.resolve();
  await eventually(() => expect(outdated.deleted).toHaveLength(1));
  expect(await get()).toEqual({ retention: keeping(), version: 2 });
  expect(await admin('select page_token from customer.retention where workspace_id = $1')).toEqual([
    { page_token: '' },
  ]);
});
