import { Erasure } from '@parley/contracts/customer/v1/customer';
import { fieldsOf } from '@parley/postgres/fields';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { ErasureView, Tables } from './schema.ts';

type Db = Kysely<Tables>;

const columns = [
  ...fieldsOf(Erasure, ['removed']),
  'removedCustomers',
  'removedInteractions',
  'removedEvents',
] as const satisfies (keyof ErasureView)[];

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<Erasure | undefined> {
  const row = await ofWorkspace(db, workspaceId).where('id', '=', id).executeTakeFirst();
  return row && toErasure(row);
}

/** Returns the newest erasures of a workspace, or of one of its customers; those before the id `before`, if given. */
export async function listErasures(
  db: Db,
  {
    workspaceId,
    customerId,
    before,
  }: { workspaceId: string; customerId: string | null; before: string | null },
  limit: number,
): Promise<Erasure[]> {
  const all = ofWorkspace(db, workspaceId);
  const some = customerId === null ? all : all.where('customerId', '=', customerId);
  const rows = await (before === null ? some : some.where('id', '<', before))
    .orderBy('id', 'desc')
    .limit(sql.lit(limit))
    .execute();
  return rows.map(toErasure);
}

function ofWorkspace(db: Db, workspaceId: string) {
  return db.selectFrom('erasure').select(columns).where('workspaceId', '=', workspaceId);
}

function toErasure({
  removedCustomers: customers,
  removedInteractions: interactions,
  removedEvents: events,
  ...erasure
}: Pick<Selectable<ErasureView>, (typeof columns)[number]>): Erasure {
  return { ...erasure, removed: { customers, interactions, events } };
}
