import type { Kept } from './kept.ts';
import type { PopupMode, Waiting } from './model.ts';

/** What decides on it. */
export type PopupModeOf = typeof popupModeOf;

/**
 * How what waits is shown when it is found: as the customer has left it in this tab, else by its priority. Only where
 * `mayOpen` it opens by itself.
 */
export function popupModeOf(
  { interactionId, priority }: Waiting,
  kept: Pick<Kept, 'opened' | 'isSnoozed'>,
  mayOpen: boolean,
): PopupMode {
  if (kept.opened() === interactionId) return 'open';
  if (priority === 'Low' || kept.isSnoozed(interactionId)) return 'badge';
  return priority === 'High' && mayOpen ? 'open' : 'teaser';
}
