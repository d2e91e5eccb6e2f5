import type { AuditAction } from '@parley/contracts/audit-actions';
import { AuditServiceService, type ListAuditEventsRequest } from '@parley/contracts/audit/v1/audit';
import { migrate } from '@parley/postgres/schema/migrate';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createGrantVerifier } from '@parley/rpc/grants';
import { serve } from '@parley/rpc/serve';
import { inWork } from '@parley/runtime/scheduling/work';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { connectAsCallers, testGrants } from '@parley/testing/peers/callers';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '../src/list.ts';
import { audit } from '../src/rows.ts';
import { auditService } from '../src/service.ts';
import { type AuditTables, createAuditLog, keepAuditLog } from '../src/table.ts';

const migrations = {
  '0001-audit-log': {
    up: (db: Kysely<unknown>) => createAuditLog(db, { hasPartitionFunctions: false }),
  },
};
const stack = new AsyncDisposableStack();
let db: Kysely<AuditTables>;
let session: SqlConnection;
beforeAll(async () => {
  const database = stack.use(await createDatabase('insight'));
  await migrate({ url: database.url, logger }, migrations);
  ({ db } = stack.use(openDatabase<AuditTables>({ url: database.testUrl, logger })));
  session = stack.use(await openSqlConnection(database.adminUrl));
  await session.query('set search_path = insight');
});
afterAll(() => stack.disposeAsync());

const actor = {
  type: 'key',
  id: 'prl_key_a',
  name: 'Shop',
  requestId: 'r',
  clientAddress: '192.0.2.7',
} as const;

function record(workspaceId: string, action: AuditAction = 'bot.created', id = uuidv7()): Promise<void> {
  const work = { tenant: workspaceId, signal: undefined, actor };
  return inWork(work, () => audit(db, { workspaceId, action, targets: [{ type: 'thing', id }] }));
}

const list = (workspaceId: string, filters: Partial<ListAuditEventsRequest> = {}, daysKept = 400) =>
  listAudit(db, { workspaceId, from: null, to: null, before: null, limit: 20, ...filters }, daysKept);

/** Adds the partition of an earlier month, with a row of that day. Returns its name. */
async function addOld(workspaceId: string, daysAgo: number): Promise<string> {
  const [row] = await session.query<{ name: string; begins: string; ends: string }>(
    `select 'audit_log' || to_char(month, '_YYYYMMDD') as name, month::text as begins,
       (month + interval '1 month')::text as ends
     from (select date_trunc('month', now() at time zone 'utc' - make_interval(days => $1)) as month) as of`,
    [daysAgo],
  );
  const { name = '', begins, ends } = row ?? {};
  await session.query(
    `create table if not exists ${name} partition of audit_log for values from ('${begins}+00') to ('${ends}+00')`,
  );
  await session.query(`alter table ${name} owner to parley_insight`);
  await session.query(
    `insert into audit_log (id, occurred_at, workspace_id, action, actor_type, actor_id, actor_name, targets, request_id,
       changes)
     values (gen_random_uuid(), now() - make_interval(days => $2), $1, 'old', 'key', 'k', '', '[]', 'r', '{}')`,
    [workspaceId, daysAgo],
  );
  return name;
}

test('an event is as the actor made it; without an actor, there is none', async () => {
  const workspaceId = uuidv7();
  await record(workspaceId);
  await audit(db, { workspaceId, action: 'bot.created', targets: [] });
  const { rows, completeTo } = await list(workspaceId);
  expect(rows).toMatchObject([
    { actorType: 'key', actorId: 'prl_key_a', actorName: 'Shop', requestId: 'r', clientAddress: '192.0.2.7' },
  ]);
  expect(completeTo).toBeNull();
});

test('a call lists the events of a workspace, the newest first, with changes as JSON, and continues before one', async () => {
  const tokens = { service: 'a service token of a test', operator: 'an operator token of a test' };
  await using running = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [auditService(db, 400)],
    tokens,
    grants: createGrantVerifier(testGrants),
    logger,
    isReady: async () => true,
  });
  using peer = connectAsCallers(running.address, { token: tokens.service });
  const client = peer.client(AuditServiceService);
  const [workspaceId, thing] = [uuidv7(), uuidv7()];
  await record(uuidv7());
  await record(workspaceId, 'bot.created', thing);
  await record(workspaceId, 'bot.published', thing);
  const request = { workspaceId, from: null, to: null, before: null, limit: 1 };
  const read = (more: object = {}) => client.listAuditEvents({ ...request, ...more }, { requestId: 'test' });
  const [newest] = (await read()).events;
  expect(newest).toMatchObject({
    action: 'bot.published',
    actor: { type: 'key', id: 'prl_key_a', name: 'Shop' },
    targets: [{ type: 'thing', id: thing }],
    requestId: 'r',
    changes: '{}',
  });
  const before = { occurredAt: newest?.occurredAt, id: newest?.id };
  expect((await read({ before, limit: 5 })).events).toMatchObject([{ action: 'bot.created' }]);
  await expect(read({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_argument' });
});

describe('the retention', () => {
  test('hides older events at once, and deletes a month when all its days are older', async () => {
    const workspaceId = uuidv7();
    const old = await addOld(workspaceId, 440);
    const kept = await addOld(workspaceId, 395);
    await addOld(workspaceId, 401);
    await record(workspaceId);
    expect((await list(workspaceId)).rows.map(({ action }) => action)).toEqual(['bot.created', 'old']);
    await using _ = await keepAuditLog(db, 400, logger);
    const exists = async (name: string) =>
      (await session.query(`select where to_regclass('${name}') is not null`)).length === 1;
    await eventually(async () => expect(await exists(old)).toBe(false));
    expect(await exists(kept)).toBe(true);
  });
});

describe('a filter', () => {
  test('looks at 5,000 events, and says how far it has come', async () => {
    const workspaceId = uuidv7();
    const wanted = uuidv7();
    await record(workspaceId, 'bot.created', wanted);
    await session.query(
      `insert into audit_log (id, workspace_id, action, actor_type, actor_id, actor_name, targets, request_id, changes)
       select gen_random_uuid(), $1, 'noise', 'key', 'k', '', '[]', 'r', '{}' from generate_series(1, 6000)`,
      [workspaceId],
    );
    const first = await list(workspaceId, { target: wanted });
    expect(first.rows).toEqual([]);
    expect(first.completeTo).not.toBeNull();
    const second = await list(workspaceId, { target: wanted, before: first.completeTo });
    expect(second.rows).toMatchObject([{ action: 'bot.created' }]);
    expect(second.completeTo).toBeNull();
    const byAction = await list(workspaceId, { action: 'noise', limit: 3 });
    expect(byAction.rows).toHaveLength(3);
    expect(byAction.completeTo).toMatchObject({ id: byAction.rows.at(-1)?.id });
  });

  test('finds by words, names and parts of actions, whatever their case', async () => {
    const workspaceId = uuidv7();
    const webhook = uuidv7();
    const ada = { ...actor, type: 'person', id: uuidv7(), name: 'Ada Lovelace Ä' } as const;
    const work = { tenant: workspaceId, signal: undefined, actor: ada };
    await record(workspaceId, 'customer.deleted', 'customer-1');
    await record(workspaceId, 'bot.published', 'customer-12');
    await inWork(work, () =>
      audit(db, { workspaceId, action: 'webhook.deleted', targets: [{ type: 'webhook', id: webhook }] }),
    );
    const found = async (filters: Partial<ListAuditEventsRequest>) =>
      (await list(workspaceId, filters)).rows.map(({ action }) => action);
    const all = ['webhook.deleted', 'bot.published', 'customer.deleted'];
    expect(await found({ action: 'deleted' })).toEqual([all[0], all[2]]);
    expect(await found({ action: ' Deleted  WEBHOOK ' })).toEqual([all[0]]);
    expect(await found({ action: 'web%' })).toEqual([]);
    for (const name of ['ada', 'LOVE', 'lovelace ada', 'person', 'ä', ada.id, ada.id.slice(0, 13)]) {
      expect([name, await found({ actor: name })]).toEqual([name, [all[0]]]);
    }
    expect(await found({ actor: 'shop' })).toEqual([all[1], all[2]]);
    expect(await found({ actor: 'ada shop' })).toEqual([]);
    for (const target of [webhook, webhook.slice(0, 8), 'Webhook']) {
      expect(await found({ target })).toEqual([all[0]]);
    }
    // Ids of customers are compared exactly.
    expect(await found({ target: 'customer-1' })).toEqual([all[2]]);
  });
});
