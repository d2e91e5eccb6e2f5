import type { ModelOutcome } from '@parley/bot/engine';
import type { Deps } from '../deps.ts';
import { type InteractionRow, loadInteraction } from '../interactions/store.ts';

interface Limits {
  /** The time limit of a question. */
  timeoutMs: number;
  /** Ends all questions. */
  stop: AbortSignal;
}

/**
 * Asks, and aborts when the conversation does not wait for this answer any more: after a revision, an end or a removal.
 * Undefined then.
 */
export async function askWhileWanted(
  deps: Pick<Deps, 'db' | 'watch'>,
  asked: InteractionRow,
  { timeoutMs, stop }: Limits,
  ask: (signal: AbortSignal) => Promise<ModelOutcome>,
): Promise<ModelOutcome | undefined> {
  const answered = new AbortController();
  const dropped = new AbortController();
  const untilMs = Date.now() + timeoutMs;
  void isDropped(deps, asked, untilMs, answered.signal)
    .then((isIt) => isIt && dropped.abort())
    // Without this look, the outcome is compared with the row when it is saved.
    .catch(() => {});
  try {
    return await ask(AbortSignal.any([stop, dropped.signal]));
  } catch (error) {
    if (dropped.signal.aborted && !stop.aborted) return undefined;
    throw error;
  } finally {
    answered.abort();
  }
}

/** Returns true as soon as the conversation does not wait for the answer, and false when the signal aborts. */
async function isDropped(
  { db, watch }: Pick<Deps, 'db' | 'watch'>,
  asked: InteractionRow,
  untilMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  let { version } = asked;
  while (Date.now() < untilMs) {
    await watch.changed({ workspaceId: asked.workspaceId, id: asked.id, version }, untilMs, signal);
    if (signal.aborted || watch.isClosed) return false;
    const current = await loadInteraction(db, asked.workspaceId, asked.id);
    if (!current || !asksTheSame(asked, current)) return true;
    version = current.version;
  }
  return false;
}

/** Returns whether a changed row still waits for an answer to an identical question. */
export function asksTheSame(asked: InteractionRow, now: InteractionRow): boolean {
  return (
    now.status === 'InProgress' &&
    now.redactedVersion === asked.redactedVersion &&
    now.state?.awaiting !== undefined &&
    now.state.modelTurns === asked.state?.modelTurns &&
    now.seq === asked.seq
  );
}
