import type { BotDefinition } from '@parley/bot/definition';
import { currentInput } from '@parley/bot/engine';
import { planOf, progressAt } from '@parley/bot/plan';
import type { Entry, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import type { InteractionRow } from './interaction-store.ts';

/** What a snapshot is made of. */
export type Talk = Pick<InteractionRow, 'status' | 'seq' | 'state' | 'transcript' | 'expiresAt'>;

/**
 * The talk as the browser may see it, with the entries after `after`. Nothing is asked or waited for unless it is in
 * progress.
 * `definition` is the one that the talk runs on, null before its start. Context, evaluation and what marks personal
 * data stay here.
 */
export function snapshotOf(talk: Talk, definition: BotDefinition | null, after: number, now: Date): Snapshot {
  const { state } = talk;
  const asking = talk.status === 'InProgress' && state && definition;
  const input = asking ? currentInput(definition, state, epochSeconds(now)) : null;
  return {
    status: talk.status,
    seq: talk.seq,
    entries: (talk.transcript ?? []).filter(({ seq }) => seq > after).map(publicEntry),
    inputJson: input ? JSON.stringify(input) : undefined,
    awaiting: asking && state.awaiting ? 'llm' : undefined,
    progress: progressOf(talk, definition),
    expiresAt: talk.expiresAt,
  };
}

/** An instant as the engine counts it: epoch seconds with fraction. */
export function epochSeconds(instant: Date): number {
  return instant.getTime() / 1_000;
}

function publicEntry({ seq, type, body, timestamp }: Entry): Entry {
  return { seq, type, body, timestamp };
}

function progressOf({ status, state }: Talk, definition: BotDefinition | null): number {
  if (status === 'Completed') return 1;
  if (!state || !definition) return 0;
  const stepId = state.awaiting?.stepId ?? state.stepId;
  if (stepId === null) return 1;
  const plan = planOf(definition);
  return progressAt(plan, plan.indexes.get(stepId) ?? 0, state.answeredCount);
}
