import type { Answer, ConversationState, Entry, Turn } from './conversation.ts';
import { answer, currentInput } from './engine.ts';
import type { BotDefinition } from './format.ts';
import type { Input } from './input.ts';
import { planOf, progressAt } from './plan.ts';

/** A talk as whoever holds it keeps it; state and transcript are null before its start. */
export interface HeldTalk {
  status: 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired';
  /** The number of the newest entry. */
  seq: number;
  state: ConversationState | null;
  transcript: readonly Entry[] | null;
}

/** A talk as the customer's browser may see it. */
export interface View {
  status: HeldTalk['status'];
  seq: number;
  entries: Omit<Entry, 'personal'>[];
  /** What is asked; null when nothing is. */
  input: Input | null;
  /** What else is waited for; null when nothing is. */
  awaiting: 'llm' | null;
  /** 0 to 1. */
  progress: number;
}

/** A customer's answer, and the state of the talk that it was given in. */
export interface Message {
  expectedSeq: number;
  stepId: string;
  answer: Answer;
}

/** What comes of a message: a turn, nothing since it came late, or why it is refused, by error type. */
export type Judgement = { turn: Turn } | { stale: true } | { refused: Refusal };

/** Why a message is refused. */
export interface Refusal {
  type: 'conversation-ended' | 'not-started' | 'unanswerable-answer';
  detail: string;
}

/** Of whatever comes to a talk that has ended. */
export const endedRefusal: Refusal = { type: 'conversation-ended', detail: 'The conversation has ended' };

/**
 * The talk with the entries after `after`. Nothing is asked or waited for unless it is in progress. `definition` is the
 * one that it runs on, null before its start; `now` is epoch seconds. Context, evaluation and what marks personal data
 * stay here.
 */
export function viewOf(talk: HeldTalk, definition: BotDefinition | null, after: number, now: number): View {
  const { status, seq, state } = talk;
  const running = status === 'InProgress' && state && definition;
  return {
    status,
    seq,
    entries: (talk.transcript ?? [])
      .filter((entry) => entry.seq > after)
      .map(({ personal: _personal, ...entry }) => entry),
    input: running ? currentInput(definition, state, now) : null,
    awaiting: running && state.awaiting ? 'llm' : null,
    progress: progressOf(talk, definition),
  };
}

/**
 * Judges a message that was not taken before by the talk as it is held: stale when it answers to an older state of it, and
 * while it waits for the model. `definition` and `now` as in `viewOf`.
 */
export function judgeMessage(
  talk: HeldTalk,
  definition: BotDefinition | null,
  message: Message,
  { now, hasModel }: { now: number; hasModel: boolean },
): Judgement {
  const { status, state } = talk;
  if (status === 'Completed' || status === 'Expired') return { refused: endedRefusal };
  if (status !== 'InProgress' || !state || !definition) {
    return { refused: { type: 'not-started', detail: 'The conversation has not been started' } };
  }
  const { expectedSeq, stepId } = message;
  if (expectedSeq !== talk.seq || stepId !== state.stepId) return { stale: true };
  const turn = answer(definition, state, { stepId, answer: message.answer, now, hasModel });
  return 'rejected' in turn
    ? { refused: { type: 'unanswerable-answer', detail: turn.rejected.detail } }
    : { turn };
}

function progressOf({ status, state }: HeldTalk, definition: BotDefinition | null): number {
  if (status === 'Completed') return 1;
  if (!state || !definition) return 0;
  const stepId = state.awaiting?.stepId ?? state.stepId;
  if (stepId === null) return 1;
  const plan = planOf(definition);
  return progressAt(plan, plan.indexes.get(stepId) ?? 0, state.answeredCount);
}
