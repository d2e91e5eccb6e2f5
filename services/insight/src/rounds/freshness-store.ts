import { reads } from '@parley/postgres/dialect';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { sql } from 'kysely';
import { makeLive } from '../generations/generation-store.ts';
import type { Db } from '../schema.ts';

const ofAll = acrossWorkspaces('events and figures of all workspaces');

/** Returns the cursor in the event log up to which all events were handled. Undefined before the first build. */
export async function readCursor(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ cursor: string }>`
    ${ofAll}
    select cursor from freshness`.execute(reads(db));
  return rows[0]?.cursor;
}

/** Moves the cursor behind events that were handled. */
export async function moveCursor(db: Db, cursor: string): Promise<void> {
  await sql`
    ${ofAll}
    update freshness set cursor = ${cursor}`.execute(db);
}

/**
 * Records that the figures have all that was committed until `asOf`, which is never later than now by the clock of this
 * database. A generation whose scan was at its end before has it too: it becomes live.
 */
export async function recordAsOf(db: Db, asOf: Date, scanned: number | undefined): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      ${ofAll}
      update freshness set as_of = least(${asOf}::timestamptz, now())`.execute(trx);
    if (scanned !== undefined) await makeLive(trx, scanned);
  });
}

/** Returns the age of `as_of` in seconds. Undefined before the first time. */
export async function asOfAgeSeconds(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    ${ofAll}
    select extract(epoch from now() - as_of)::float8 as seconds from freshness where as_of is not null`.execute(
    reads(db),
  );
  return rows[0]?.seconds;
}
