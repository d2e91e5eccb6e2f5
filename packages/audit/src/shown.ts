import type { AuditAction } from '@parley/contracts/audit-actions';
import { endsBy } from '@parley/runtime/scheduling/ends-by';
import { currentWork } from '@parley/runtime/scheduling/work';
import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { audit } from './rows.ts';
import type { AuditTarget } from './table.ts';

/** What somebody has seen within this time is not recorded again. */
export const seenMs = 60 * 60 * 1_000;
/** How many things a process remembers. Forgotten ones are recorded again. */
const rememberedMax = 20_000;

/** What people and portal links were shown, by actor, workspace and thing. */
export type Shown = LRUCache<string, Seen>;

interface Seen {
  /** Whether the row says that it was opened, not only listed. */
  wasOpened: boolean;
  recorded: Promise<void>;
}

/** Returns an empty memory. `now` is a monotonic clock in milliseconds. */
export function rememberShown(now = () => performance.now()): Shown {
  return new LRUCache({ max: rememberedMax, ttl: seenMs, ...endsBy(now) });
}

export interface Showing {
  workspaceId: string;
  action: Extract<AuditAction, `${string}.${'opened' | 'listed'}`>;
  /** Things with personal data. Each is remembered. */
  things: readonly AuditTarget[];
  /** Further targets of the row. */
  others?: readonly AuditTarget[];
}

/**
 * Records that a person or the portal was shown things, before the answer. What the same viewer has seen within the
 * last hour is not recorded again, unless it was only listed and is opened now: a page that refreshes shows nothing
 * new. Reads by keys would be too many, and programs do not read them.
 */
export async function auditShown<Tables>(
  { db, shown }: { db: Kysely<Tables>; shown: Shown },
  { workspaceId, action, things, others = [] }: Showing,
): Promise<void> {
  const { actor } = currentWork();
  if (actor?.type !== 'person' && actor?.type !== 'portal') return;
  // To list conversations and to open one shows equal data, but an answer of a receiver is no body of a delivery.
  const noun = action.startsWith('interaction') ? 'interaction' : action;
  const keyOf = ({ type, id }: AuditTarget): string =>
    `${actor.type} ${actor.id} ${workspaceId} ${noun} ${type} ${id}`;
  const isOpened = action.endsWith('.opened');
  const seenBefore = (thing: AuditTarget): Seen | undefined => {
    const before = shown.get(keyOf(thing));
    return before?.wasOpened || !isOpened ? before : undefined;
  };
  const targets = things.filter((thing) => !seenBefore(thing)).map(({ type, id }) => ({ type, id }));
  const recorded =
    targets.length > 0
      ? audit(db, { workspaceId, action, targets: [...targets, ...others] })
      : Promise.resolve();
  const latest = things.map((thing): [string, Seen] => [
    keyOf(thing),
    { wasOpened: isOpened, recorded, ...seenBefore(thing) },
  ]);
  for (const [key, one] of latest) shown.set(key, one);
  try {
    await Promise.all(latest.map(([, one]) => one.recorded));
  } catch (error) {
    // Nothing was shown.
    for (const [key] of latest) shown.delete(key);
    throw error;
  }
}
