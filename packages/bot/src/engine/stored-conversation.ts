import type { Answer, ConversationState, Entry, Turn } from '../plan/conversation.ts';
import { answer, currentInput } from './engine.ts';
import type { BotDefinition } from '../definition/format.ts';
import type { Input } from '../questions/types.ts';
import { planOf, progressAt } from '../plan/plan.ts';

/** A conversation as its owner stores it. State and transcript are null before its start. */
export interface StoredConversation {
  status: 'Draft' | 'Pending' | 'InProgress' | 'Completed' | 'Expired';
  /** The number of the newest entry. */
  seq: number;
  state: ConversationState | null;
  transcript: readonly Entry[] | null;
}

/** The parts of a conversation that the customer's browser may see. */
export interface View {
  status: StoredConversation['status'];
  seq: number;
  entries: Omit<Entry, 'personal' | 'shown'>[];
  input: Input | null;
  /** What else the conversation waits for besides the customer. */
  awaiting: 'llm' | null;
  /** 0 to 1. */
  progress: number;
}

/** A customer's answer, with the state of the conversation that the customer saw. */
export interface Message {
  expectedSeq: number;
  stepId: string;
  answer: Answer;
}

/** The result of a message: a turn of that bot, `stale` when it answers an older state, or a rejection. */
export type MessageOutcome =
  | { turn: Turn; definition: BotDefinition }
  | { stale: true }
  | { refused: MessageRefusal };

/** Why a message is rejected, as an error type of the API. */
export interface MessageRefusal {
  type: 'conversation-ended' | 'not-started' | 'unanswerable-answer';
  detail: string;
}

export const endedRejection: MessageRefusal = {
  type: 'conversation-ended',
  detail: 'The conversation has ended',
};

/**
 * Returns the conversation with the entries after `after`. `definition` is what the conversation runs on, null before
 * its start; `now` is epoch seconds. Leaves out context, evaluation, what was shown, and the marks of personal
 * data.
 */
export function viewOf(
  conversation: StoredConversation,
  definition: BotDefinition | null,
  after: number,
  now: number,
): View {
  const { status, seq, state } = conversation;
  const running = status === 'InProgress' && state && definition;
  return {
    status,
    seq,
    entries: (conversation.transcript ?? [])
      .filter((entry) => entry.seq > after)
      .map(({ personal: _personal, shown: _shown, ...entry }) => entry),
    input: running ? currentInput(definition, state, now) : null,
    awaiting: running && state.awaiting ? 'llm' : null,
    progress: progressOf(conversation, definition),
  };
}

/**
 * Applies a message to the conversation. It is stale when it answers an older state, and while the conversation waits
 * for the model. `definition` and `now` are as in `viewOf`.
 */
export function takeMessage(
  conversation: StoredConversation,
  definition: BotDefinition | null,
  message: Message,
  { now, hasModel }: { now: number; hasModel: boolean },
): MessageOutcome {
  const { status, state } = conversation;
  if (status === 'Completed' || status === 'Expired') return { refused: endedRejection };
  if (status !== 'InProgress' || !state || !definition) {
    return { refused: { type: 'not-started', detail: 'The conversation has not been started' } };
  }
  const { expectedSeq, stepId } = message;
  if (expectedSeq !== conversation.seq || stepId !== state.stepId) return { stale: true };
  const turn = answer(definition, state, { stepId, answer: message.answer, now, hasModel });
  return 'rejected' in turn
    ? { refused: { type: 'unanswerable-answer', detail: turn.rejected.detail } }
    : { turn, definition };
}

function progressOf({ status, state }: StoredConversation, definition: BotDefinition | null): number {
  if (status === 'Completed') return 1;
  if (!state || !definition) return 0;
  const stepId = state.awaiting?.stepId ?? state.stepId;
  if (stepId === null) return 1;
  const plan = planOf(definition);
  return progressAt(plan, plan.indexes.get(stepId) ?? 0, state.answeredCount);
}
