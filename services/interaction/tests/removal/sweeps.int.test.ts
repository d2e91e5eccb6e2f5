import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger } from '@parley/testing/quiet';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireBatch } from '../../src/changing/expiry-store.ts';
import { stallBatch } from '../../src/changing/stalled-store.ts';
import { migrations } from '../../src/migrations/index.ts';
import type { Tables } from '../../src/schema.ts';
import type { Interactions } from '../fixture.ts';

// Without a service, which would sweep, too.
const stack = new AsyncDisposableStack();
let db: Interactions['db'];
beforeAll(async () => {
  const created = stack.use(await createDatabase('interaction', migrations));
  ({ db } = stack.use(
    openDatabase<Tables>({ url: created.testUrl, logger: quietLogger, connectionsMax: 3 }),
  ));
  await sql`alter table interaction drop constraint interaction_bot_id_fkey`.execute(db);
});
afterAll(() => stack.disposeAsync());

const rowsMax = 100;

/** Adds interactions of a new workspace that are due since so many seconds. Returns how many of them still are. */
async function addDue(column: string, status: string, count: number, seconds: number) {
  const workspaceId = uuidv7();
  const due = sql.ref(column);
  // In statements that a busy machine does not time out.
  for (let added = 0; added < count; added += rowsMax) {
    await sql`
      insert into interaction
        (id, workspace_id, customer_id, bot_id, status, priority, type, type_label, context, ${due})
      select uuidv7(), ${workspaceId}, 'ada', ${uuidv7()}, ${status}, 'Low', 'NPS', 'NPS', '[]',
        now() - ${seconds} * interval '1 second'
      from generate_series(1, ${Math.min(rowsMax, count - added)}::int)`.execute(db);
  }
  return async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from interaction
      where workspace_id = ${workspaceId} and status = ${status} and ${due} <= now()`.execute(db);
    return rows[0]?.n ?? 0;
  };
}

it.each([
  ['expire', 'expires_at', 'Pending', expireBatch],
  ['stall', 'stalls_at', 'InProgress', stallBatch],
] as const)(
  'interactions that %s: however many of two workspaces are due, others do not wait, whenever theirs are due',
  async (_, column, status, sweep) => {
    const many = [await addDue(column, status, 1_600, 60), await addDue(column, status, 1_600, 30)];
    const others = [
      await addDue(column, status, 1, 90),
      await addDue(column, status, 20, 45),
      await addDue(column, status, 1, 1),
    ];
    const left = async (counts: readonly (() => Promise<number>)[]): Promise<number> =>
      (await Promise.all(counts.map((count) => count()))).reduce((sum, one) => sum + one, 0);
    expect(await sweep(db)).toBe(true);
    expect(await left(others)).toBe(0);
    expect(await left(many)).toBe(3_200 + 22 - 1_000);
    while (await sweep(db));
    expect(await left(many)).toBe(0);
  },
);
