import { audit, type AuditedAction } from '@parley/audit/rows';
import type { Deps } from '../deps.ts';
import { countChange } from '../metrics.ts';
import { eventsOf } from '../interactions/events.ts';
import type { InteractionChange, InteractionRow, NewMessage } from '../interactions/store.ts';
import { saveInteraction } from './change-store.ts';

interface Extras {
  message?: NewMessage | null;
  action?: AuditedAction;
  /** Runs in the transaction of the change and the action. */
  also?: (trx: Deps['db'], saved: InteractionRow) => Promise<void>;
}

/**
 * Commits a change of a row with its events and its message, and wakes what depends on it. `action` is for the audit
 * log. Returns undefined when the row has changed since it was read (`saveInteraction`): load it and decide again.
 */
export async function commitChange(
  { db, relay, watch, modelWorker }: Pick<Deps, 'db' | 'relay' | 'watch' | 'modelWorker'>,
  row: InteractionRow,
  change: InteractionChange,
  { message = null, action, also }: Extras = {},
): Promise<InteractionRow | undefined> {
  const events = eventsOf(row, change, { now: new Date() });
  const save = (on: Deps['db']) => saveInteraction(on, { before: row, change, events, message });
  const saveAudited = async (trx: Deps['db']) => {
    const changed = await save(trx);
    if (changed && action) await audit(trx, action);
    if (changed && also) await also(trx, changed);
    return changed;
  };
  const saved = await (action ? db.transaction().execute(saveAudited) : save(db));
  if (!saved) return undefined;
  countChange(row, change);
  watch.wake(saved.id, saved.version);
  if (events.length > 0) relay.wake();
  if (change.modelDueAt) modelWorker.wake();
  return saved;
}
