import type { Deps } from '../deps.ts';
import { countChange } from '../metrics.ts';
import { eventsOf } from './events.ts';
import { type InteractionChange, type InteractionRow, type NewMessage, saveInteraction } from './store.ts';

/**
 * Commits a change of a row with its events and its message, and wakes what depends on it. Returns undefined when the
 * row has changed since it was read (`saveInteraction`): load it again and decide again.
 */
export async function commitChange(
  { db, relay, watch, modelWorker }: Pick<Deps, 'db' | 'relay' | 'watch' | 'modelWorker'>,
  row: InteractionRow,
  change: InteractionChange,
  message: NewMessage | null = null,
): Promise<InteractionRow | undefined> {
  const events = eventsOf(row, change, { now: new Date() });
  const saved = await saveInteraction(db, row, change, events, message);
  if (!saved) return undefined;
  countChange(row, change);
  watch.wake(saved.id, saved.version);
  if (events.length > 0) relay.wake();
  if (change.modelDueAt) modelWorker.wake();
  return saved;
}
