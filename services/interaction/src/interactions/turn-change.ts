import type { Turn } from '@parley/bot/engine';
import { transcriptAfter } from '@parley/bot/revise';
import { type BotDefinition, stalledAfterSecondsDefault } from '@parley/bot/definition';
import { currentTraceparent } from '@parley/runtime/telemetry/telemetry';
import type { InteractionChange, InteractionRow } from './store.ts';

/** Returns the change that a turn makes. If the bot waits for the model, it is due at once. */
export function turnChange(
  before: Pick<InteractionRow, 'transcript'>,
  turn: Turn,
  definition: BotDefinition,
  now: Date,
): InteractionChange {
  return {
    ...(turn.ended
      ? { status: 'Completed', completedAt: now, stallsAt: null }
      : { stallsAt: stallsAt(definition, now) }),
    state: turn.state,
    transcript: transcriptAfter(before.transcript ?? [], turn),
    evaluation: turn.evaluation,
    seq: turn.state.seq,
    ...(turn.state.awaiting && dueNow(now)),
  };
}

/** Null: never. */
export function stallsAt(
  { stalledAfterSeconds = stalledAfterSecondsDefault }: BotDefinition,
  now: Date,
): Date | null {
  return stalledAfterSeconds === null ? null : new Date(now.getTime() + stalledAfterSeconds * 1_000);
}

/** Returns the columns of a conversation that waits for the model from now on, in the current trace. */
export function dueNow(now: Date): Pick<InteractionChange, 'modelDueAt' | 'modelTries' | 'modelTraceparent'> {
  return { modelDueAt: now, modelTries: 0, modelTraceparent: currentTraceparent() ?? null };
}

/** Returns an instant in the unit of the engine: epoch seconds with fraction. */
export function epochSeconds(instant: Date): number {
  return instant.getTime() / 1_000;
}
