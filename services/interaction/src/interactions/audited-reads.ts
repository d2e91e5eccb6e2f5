import { audit } from '@parley/audit/rows';
import type { AuditTarget } from '@parley/audit/table';
import { currentScope } from '@parley/runtime/work/work-scope';
import type { Kysely } from 'kysely';
import type { Tables } from '../schema.ts';
import type { MessageRow } from './store.ts';

/** A conversation that a person has seen within this time is not recorded again. */
export const seenMs = 60 * 60 * 1_000;
/** How many conversations of people a process remembers. Forgotten ones are recorded again. */
const rememberedMax = 20_000;

/** What each person has seen, by person, workspace and interaction, in the order of the last time. */
export type SeenConversations = Map<string, Seen>;

interface Seen {
  atMs: number;
  /** Whether the row says that it was opened, not only listed. */
  wasOpened: boolean;
  recorded: Promise<void>;
}

interface Recording {
  db: Kysely<Tables>;
  seen: SeenConversations;
}

/**
 * Records that a person was shown conversations, before the answer. A conversation that the person has seen within the
 * last hour is not recorded again, unless it was only listed and is opened now: a page that refreshes shows nothing
 * new. Those of keys would be too many, and programs do not read them. `nowMs` is a monotonic clock.
 */
export async function auditShown(
  { db, seen }: Recording,
  workspaceId: string,
  action: 'interaction.opened' | 'interactions.listed',
  rows: readonly Pick<MessageRow, 'id' | 'transcript'>[],
  nowMs = performance.now(),
): Promise<void> {
  const { actor } = currentScope();
  if (actor?.type !== 'person') return;
  const keyOf = ({ id }: { id: string }): string => `${actor.id} ${workspaceId} ${id}`;
  const shown = rows.filter(({ transcript }) => transcript !== null);
  const isOpened = action === 'interaction.opened';
  const seenBefore = (row: { id: string }): Seen | undefined => {
    const before = seen.get(keyOf(row));
    const counts = before && nowMs - before.atMs < seenMs && (before.wasOpened || !isOpened);
    return counts ? before : undefined;
  };
  const targets = shown.filter((row) => !seenBefore(row)).map(({ id }) => ({ type: 'interaction', id }));
  const recorded = targets.length > 0 ? audit(db, { workspaceId, action, targets }) : Promise.resolve();
  const latest = shown.map((row): [string, Seen] => [
    keyOf(row),
    { wasOpened: isOpened, recorded, ...seenBefore(row), atMs: nowMs },
  ]);
  for (const [key, one] of latest) {
    seen.delete(key);
    seen.set(key, one);
  }
  for (const key of seen.keys()) {
    if (seen.size <= rememberedMax) break;
    seen.delete(key);
  }
  try {
    await Promise.all(latest.map(([, one]) => one.recorded));
  } catch (error) {
    // Nothing was shown.
    for (const row of shown) seen.delete(keyOf(row));
    throw error;
  }
}

/** Records an export, before its first row is sent. */
export async function auditExport(
  db: Kysely<Tables>,
  workspaceId: string,
  action: 'interactions.exported' | 'customer.exported',
  targets: readonly AuditTarget[],
): Promise<void> {
  await audit(db, { workspaceId, action, targets });
}
