import { erasureResource } from '@parley/contracts/erasure-resource';
import { Erasure } from '@parley/contracts/customer/v1/customer';
import { fieldsOf } from '@parley/postgres/sql/fields';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Sign } from './erasure-keys.ts';
import type { ErasureView, FinishedErasureTable, Tables } from '../schema.ts';

type Db = Kysely<Tables>;

export const removedColumns = ['removedCustomers', 'removedInteractions', 'removedEvents'] as const;

const columns = [
  ...fieldsOf(Erasure, ['removed']),
  ...removedColumns,
] as const satisfies (keyof ErasureView)[];

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<Erasure | undefined> {
  const row = await ofWorkspace(db, workspaceId).where('id', '=', id).executeTakeFirst();
  return row && toErasure(row);
}

/** Returns the newest erasures of a workspace or one of its customers, after the erasure `before` if it is given. */
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

/** Inserts an erasure that ends now, with its receipt. */
export async function insertFinished(
  trx: Db,
  erasure: Omit<Selectable<FinishedErasureTable>, 'completedAt' | 'receipt'>,
  sign: Sign,
): Promise<void> {
  const completedAt = await now(trx);
  const receipt = await sign(erasureResource(toErasure({ ...erasure, completedAt, receipt: null })));
  await trx
    .insertInto('finishedErasure')
    .values({ ...erasure, completedAt, receipt })
    .execute();
}

// To the millisecond, as the receipt has it.
async function now(db: Db): Promise<Date> {
  const { at } = await db.selectNoFrom(sql<Date>`now()`.as('at')).executeTakeFirstOrThrow();
  return at;
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
