import { changeTriesMax, lostRace, notFound, preconditionFailed } from '@parley/runtime/errors';

/** A webhook as its workspace names it, and the version that it must have, if any. */
interface Wanted {
  workspaceId: string;
  id: string;
  ifVersion?: number | null | undefined;
}

/** What is read of one: its row, its options. */
type Find<Row> = (workspaceId: string, id: string) => Promise<Row | undefined>;

/** A webhook as the caller may see it. NOT_FOUND; ABORTED when it is not the version that is wanted. */
export async function existing<Row extends { version: number }>(
  find: Find<Row>,
  { workspaceId, id, ifVersion }: Wanted,
): Promise<Row> {
  const row = await find(workspaceId, id);
  if (!row) throw notFound();
  if (typeof ifVersion === 'number' && ifVersion !== row.version) throw preconditionFailed();
  return row;
}

/**
 * Changes a webhook as it was read (`existing`); `change` answers undefined when it was no longer so, and then decides anew.
 * FAILED_PRECONDITION when others are faster again and again.
 */
export async function changeExisting<Row extends { version: number }, Changed>(
  find: Find<Row>,
  wanted: Wanted,
  change: (row: Row) => Promise<Changed | undefined>,
): Promise<Changed> {
  for (let tries = 0; tries < changeTriesMax; tries += 1) {
    const changed = await change(await existing(find, wanted));
    if (changed !== undefined) return changed;
  }
  throw lostRace();
}
