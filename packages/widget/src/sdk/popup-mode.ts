import type { TabStorage } from '../page/tab-storage.ts';
import type { PopupMode, Waiting } from '../model.ts';

/**
 * Returns how to show an interaction that waits: as the customer has left it in this tab, else by its priority. Opens
 * automatically only with `mayOpen`.
 */
export function popupModeOf(
  { interactionId, priority }: Waiting,
  storage: Pick<TabStorage, 'opened' | 'isSnoozed'>,
  mayOpen: boolean,
): PopupMode {
  if (storage.opened() === interactionId) return 'open';
  if (priority === 'Low' || storage.isSnoozed(interactionId)) return 'badge';
  return priority === 'High' && mayOpen ? 'open' : 'teaser';
}
