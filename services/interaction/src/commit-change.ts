import { completionEvent } from './completion.ts';
import type { Deps } from './deps.ts';
import {
  type InteractionChange,
  type InteractionRow,
  type NewMessage,
  saveInteraction,
} from './interaction-store.ts';

/**
 * Commits a change of the row that was read, with the event that it raises and the message that made it, and tells those
 * who are to hear of it. Undefined when the row is no longer as it was read (`saveInteraction`): load it again and decide anew.
 */
export async function commitChange(
  { db, relay, watch, asking }: Pick<Deps, 'db' | 'relay' | 'watch' | 'asking'>,
  row: InteractionRow,
  change: InteractionChange,
  message: NewMessage | null = null,
): Promise<InteractionRow | undefined> {
  const event = completionEvent(row, change, new Date());
  const saved = await saveInteraction(db, row, change, event, message);
  if (!saved) return undefined;
  watch.wake(saved.id, saved.version);
  if (event) relay.wake();
  if (change.modelDueAt) asking.wake();
  return saved;
}
