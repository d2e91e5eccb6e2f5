import type { Turn } from '@parley/bot/engine';
import { currentTraceparent } from '@parley/runtime/telemetry';
import type { InteractionChange, InteractionRow } from './interaction-store.ts';

/** What a turn of the talk changes in its row. One that waits for the model is due to be asked at once. */
export function turnChange(
  before: Pick<InteractionRow, 'transcript'>,
  turn: Turn,
  now: Date,
): InteractionChange {
  return {
    ...(turn.ended && { status: 'Completed' }),
    state: turn.state,
    transcript: [...(before.transcript ?? []), ...turn.entries],
    evaluation: turn.evaluation,
    seq: turn.state.seq,
    ...(turn.state.awaiting && dueNow(now)),
  };
}

/** Of a talk that waits for the model: it is to be asked from now on, in the trace of what made it wait. */
export function dueNow(now: Date): Pick<InteractionChange, 'modelDueAt' | 'modelTries' | 'modelTraceparent'> {
  return { modelDueAt: now, modelTries: 0, modelTraceparent: currentTraceparent() ?? null };
}
