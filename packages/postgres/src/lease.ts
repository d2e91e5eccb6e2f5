import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { acrossWorkspaces } from './sql/across-workspaces.ts';

/**
 * A row that one replica has for itself, as long as it claims it repeatedly. Its table also has `holder uuid`,
 * `held_until timestamptz` and `epoch bigint default 0`.
 */
export interface Lease {
  table: string;
  /** The columns of the primary key, with the values of the row. */
  key: Readonly<Record<string, string | boolean>>;
  /** Another replica takes over so long after the last claim. */
  heldSeconds: number;
}

/**
 * What a replica has of a lease. The epoch rises whenever the lease is taken from another replica, or after its end. So
 * a replica that has lost it meanwhile cannot write by an old claim, even if it has the lease again.
 */
export interface Held {
  holder: string;
  epoch: number;
}

const ofReplicas = acrossWorkspaces('a lease belongs to a replica, not to a workspace');

/**
 * Claims a lease for a replica, or extends its claim. Returns undefined if another replica has it. Also returns these
 * columns of the row.
 */
export async function claimLease<Tables, Columns = object>(
  db: Kysely<Tables>,
  { table, key, heldSeconds }: Lease,
  holder: string,
  columns: readonly (keyof Columns & string)[] = [],
): Promise<(Held & Columns) | undefined> {
  const names = sql.join(Object.keys(key).map((name) => sql.ref(name)));
  const until = sql`now() + ${heldSeconds} * interval '1 second'`;
  // A replica of the previous release does not raise the epoch, but it changes the holder.
  const { rows } = await sql<{ epoch: number } & Columns>`
    ${ofReplicas}
    insert into ${sql.table(table)} as held (${names}, holder, held_until, epoch)
    values (${sql.join(Object.values(key))}, ${holder}, ${until}, 1)
    on conflict (${names}) do update set holder = excluded.holder, held_until = excluded.held_until,
      epoch = held.epoch + (held.holder <> excluded.holder or held.held_until < now())::int
      where held.holder = excluded.holder or held.held_until < now()
    returning ${sql.join(['epoch', ...columns].map((name) => sql.ref(name)))}`.execute(db);
  const [row] = rows;
  return row && { ...row, holder };
}

/** Returns the condition that the row is still held by this claim. A statement that moves the row states it. */
export function isHeld({ key }: Lease, { holder, epoch }: Held): RawBuilder<boolean> {
  return sql<boolean>`${isRow(key)} and holder = ${holder} and epoch = ${epoch}`;
}

function isRow(key: Lease['key']): RawBuilder<boolean> {
  const parts = Object.entries(key).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  return sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/**
 * Runs `work` in a transaction during which no other replica takes over. Returns false, without running it, if this
 * claim has ended: another replica has the lease, or had it meanwhile.
 */
export async function whileHeld<Tables>(
  db: Kysely<Tables>,
  lease: Lease,
  held: Held,
  work: (trx: Transaction<Tables>) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      ${ofReplicas}
      select from ${sql.table(lease.table)} where ${isHeld(lease, held)} for share`.execute(trx);
    if (rows.length === 0) return false;
    await work(trx);
    return true;
  });
}

/** Lets another replica take over at once. */
export async function releaseLease<Tables>(
  db: Kysely<Tables>,
  { table, key }: Lease,
  holder: string,
): Promise<void> {
  await sql`
    ${ofReplicas}
    update ${sql.table(table)} set held_until = '-infinity' where ${isRow(key)} and holder = ${holder}`.execute(
    db,
  );
}
