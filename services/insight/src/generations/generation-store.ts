import { audit } from '@parley/audit/rows';
import { reads } from '@parley/postgres/sql/dialect';
import { acrossWorkspaces } from '@parley/postgres/sql/across-workspaces';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Db, GenerationTable, Tables, Trx } from '../schema.ts';

export type Generation = Selectable<GenerationTable>;

/** The name of the consumer of events. */
export const durable = 'insight';

const ofFigures = acrossWorkspaces('a generation has the figures of all workspaces');

/** The oldest first: none, one, or the live one and the one that replaces it. */
export async function listGenerations(db: Kysely<Tables>): Promise<Generation[]> {
  const { rows } = await sql<Generation>`
    ${ofFigures}
    select id, state, started_at, finished_at, scanned_to, scanned_at, counted, total
    from generation order by id`.execute(reads(db));
  return rows;
}

/**
 * Returns the ids of the generations that count facts of this database server, in the transaction that counts them: the
 * live one, and the one that is building if its facts are of the same server.
 */
export async function generationsOf(trx: Trx, server: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    ${ofFigures}
    select id from generation
    where state = 'live' or exists (select from freshness where server = ${server})`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function generationIds(db: Kysely<Tables>): Promise<number[]> {
  return (await listGenerations(db)).map(({ id }) => id);
}

/** The figures that calls read, or how far their first build is. */
export type Readable =
  | { isLive: true; generation: number; asOf: Date }
  | { isLive: false; counted: number; total: number };

/**
 * Returns what calls of a workspace can read now. Its figures can be older than other workspaces': if it has
 * events that are not handled, dead letters, or changes that are not counted yet.
 */
export async function readLive(db: Kysely<Tables>, workspaceId: string): Promise<Readable> {
  const { rows } = await sql<Generation & { asOf: Date | null }>`
    ${ofFigures}
    select id, state, counted, total, least(as_of,
      (select since from events_behind where workspace_id = ${workspaceId}),
      (select behind_since from workspace_progress where workspace_id = ${workspaceId}),
      (select min(raised_at) from event_put_aside where durable = ${durable} and workspace_id = ${workspaceId})
    ) as as_of
    from generation left join freshness on true order by id limit 1`.execute(reads(db));
  const [oldest] = rows;
  if (oldest?.state === 'live' && oldest.asOf)
    return { isLive: true, generation: oldest.id, asOf: oldest.asOf };
  return { isLive: false, counted: oldest?.counted ?? 0, total: oldest?.total ?? 0 };
}

/**
 * Begins the first generation, unless there has been one. `cursor` is the event log's from before its scan, `server`
 * the database server of the interaction service.
 */
export async function beginFirst(
  db: Db,
  { cursor, server }: { cursor: string; server: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      ${ofFigures}
      insert into freshness (cursor, server) values (${cursor}, ${server}) on conflict do nothing`.execute(
      trx,
    );
    if (numAffectedRows === 0n) return;
    await sql`
      ${ofFigures}
      insert into generation (state) values ('building')`.execute(trx);
  });
}

/** Begins a generation that replaces the live one, unless there is one. Records it in the audit log. */
export async function beginRebuild(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await beginNext(trx))) return;
    await audit(trx, {
      workspaceId: null,
      action: 'figures.rebuilt',
      targets: [{ type: 'service', id: 'insight' }],
    });
  });
}

/** Begins a generation that replaces the live one. Returns false if there is one, or none to replace. */
async function beginNext(trx: Trx): Promise<boolean> {
  const { numAffectedRows } = await sql`
    ${ofFigures}
    insert into generation (state) select 'building' where exists (select from generation)
    on conflict do nothing`.execute(trx);
  return numAffectedRows === 1n;
}

/**
 * Begins to count again on another database server, in a transaction that holds the lease: a generation that is
 * building has facts of the server before, so a new one takes its place. Fails if another one begins at the same time.
 */
export async function beginOn(trx: Trx, server: string): Promise<void> {
  await sql`
    ${ofFigures}
    delete from generation where state = 'building'`.execute(trx);
  await sql`
    ${ofFigures}
    insert into generation (state) values ('building')`.execute(trx);
  // Waits for transactions that count facts of the server before, and have begun to watch changes of workspaces.
  await sql`
    ${ofFigures}
    select from freshness for update`.execute(trx);
  await sql`
    ${ofFigures}
    update freshness set server = ${server}`.execute(trx);
}

/** Empty before the first time. */
export async function readServer(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ server: string }>`
    ${ofFigures}
    select server from freshness`.execute(reads(db));
  return rows[0]?.server ?? '';
}

export interface ScannedPage {
  /** The database server that it is from. */
  server: string;
  /** The id behind which the page begins. */
  after: string;
  /** The id of its last interaction. */
  to: string;
  count: number;
  hasMore: boolean;
  /** Of the first page; 0 for other pages. */
  total: number;
}

/**
 * Moves the scan of a generation behind a page, in the transaction that counts it. Returns false if the page was
 * counted before, or is from another database server than the pages before.
 */
export async function moveScan(trx: Trx, generation: number, page: ScannedPage): Promise<boolean> {
  const { rows } = await sql`
    ${ofFigures}
    update generation set scanned_to = ${page.to}, counted = counted + ${page.count},
      total = greatest(total, ${page.total}), scanned_at = case when ${page.hasMore}::boolean then null else now() end
    where id = ${generation} and scanned_to = ${page.after} and scanned_at is null
      and exists (select from freshness where server = ${page.server})
    returning id`.execute(trx);
  return rows.length === 1;
}

/**
 * Makes a generation live, and removes the rows of earlier ones, the outlines of bots, which are derived again as the
 * figures were, and dead letters from before its scan, which has counted their interactions. A repeated call changes
 * nothing.
 */
export async function makeLive(trx: Trx, generation: number): Promise<void> {
  await sql`
    ${ofFigures}
    delete from generation where id < ${generation} and exists (select from generation where id = ${generation})`.execute(
    trx,
  );
  await sql`
    ${ofFigures}
    delete from bot_version where exists (select from generation where id = ${generation} and state = 'building')`.execute(
    trx,
  );
  await sql`
    ${ofFigures}
    delete from event_put_aside where durable = ${durable} and raised_at < (
      select started_at - interval '1 minute' from generation where id = ${generation} and state = 'building')`.execute(
    trx,
  );
  await sql`
    ${ofFigures}
    update generation set state = 'live', finished_at = now() where id = ${generation} and state = 'building'`.execute(
    trx,
  );
}
