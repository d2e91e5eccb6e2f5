import type { Answer, ConversationState, Entry, Turn } from '../plan/conversation.ts';
import { answer, currentInput } from '../engine/engine.ts';
import { revise, revisableEntries, revisableSteps, revisionsMax, withWaiting } from './revise.ts';
import type { Slices } from '../bounds/slices.ts';
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
  entries: (Omit<Entry, 'personal' | 'shown'> & { canRevise?: true })[];
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
  type: 'conversation-ended' | 'not-started' | 'unanswerable-answer' | 'revising-off';
  detail: string;
}

export const endedRejection: MessageRefusal = {
  type: 'conversation-ended',
  detail: 'The conversation has ended',
};

/**
 * Returns the conversation with the entries after `after`, with all if entries were withdrawn since. `definition` is
 * what the conversation runs on, null before its start; `now` is epoch seconds. `revisedStepId` names an earlier
 * question to return instead, with its answer as `prefill`, if that can be revised. Leaves out context, evaluation,
 * what was shown, and the marks of personal data.
 */
export function viewOf(
  conversation: StoredConversation,
  definition: BotDefinition | null,
  after: number,
  now: number,
  revisedStepId?: string,
): View {
  const { status, seq, state } = conversation;
  const running = status === 'InProgress' && state && definition;
  const revisable = running ? revisableEntries(state) : new Set();
  const from = (state?.path?.withdrawnAt ?? 0) > after ? 0 : after;
  return {
    status,
    seq,
    entries: (conversation.transcript ?? [])
      .filter((entry) => entry.seq > from)
      .map(({ personal: _personal, shown: _shown, ...entry }) =>
        revisable.has(entry.seq) ? { ...entry, canRevise: true as const } : entry,
      ),
    input: running
      ? (revisedInput(definition, state, revisedStepId, now) ?? currentInput(definition, state, now))
      : null,
    awaiting: running && state.awaiting ? 'llm' : null,
    progress: progressOf(conversation, definition),
  };
}

/**
 * Applies a message to the conversation. It is stale when it answers an older state, and while the conversation waits
 * for the model. `definition` and `now` are as in `viewOf`.
 */
export function* takeMessage(
  conversation: StoredConversation,
  definition: BotDefinition | null,
  message: Message,
  { now, hasModel }: { now: number; hasModel: boolean },
): Slices<MessageOutcome> {
  const { status, state } = conversation;
  if (status === 'Completed' || status === 'Expired') return { refused: endedRejection };
  if (status !== 'InProgress' || !state || !definition) {
    return { refused: { type: 'not-started', detail: 'The conversation has not been started' } };
  }
  const { expectedSeq, stepId } = message;
  if (expectedSeq !== conversation.seq || stepId !== state.stepId) return { stale: true };
  const turn = answer(definition, state, { stepId, answer: message.answer, now, hasModel });
  if ('rejected' in turn) return { refused: { type: 'unanswerable-answer', detail: turn.rejected.detail } };
  const told = { state, transcript: conversation.transcript ?? [] };
  return { turn: yield* withWaiting(definition, told, turn, { now, hasModel }), definition };
}

/**
 * As `takeMessage`, for an answer that replaces the one to an earlier question. Also while the model is asked. A slice
 * settles one step of the path.
 */
export function* takeRevision(
  conversation: StoredConversation,
  definition: BotDefinition | null,
  { expectedSeq, stepId, answer: given }: Message,
  moment: { now: number; hasModel: boolean },
): Slices<MessageOutcome> {
  const { status, state } = conversation;
  if (status === 'Completed' || status === 'Expired') return { refused: endedRejection };
  if (status !== 'InProgress' || !state || !definition) {
    return { refused: { type: 'not-started', detail: 'The conversation has not been started' } };
  }
  if (!state.path) return { refused: revisingOff('Answers of this conversation cannot be changed') };
  if (expectedSeq !== conversation.seq) return { stale: true };
  if ((state.path.revisions ?? 0) >= revisionsMax) {
    return { refused: revisingOff(`Answers can be changed at most ${revisionsMax} times`) };
  }
  const told = { state, transcript: conversation.transcript ?? [] };
  const turn = yield* revise(definition, told, { stepId, answer: given, ...moment });
  if (!('rejected' in turn)) return { turn, definition };
  const { reason, detail } = turn.rejected;
  return { refused: reason === 'no-room' ? revisingOff(detail) : { type: 'unanswerable-answer', detail } };
}

function revisingOff(detail: string): MessageRefusal {
  return { type: 'revising-off', detail };
}

/** Undefined if the answer of the step cannot be revised. */
function revisedInput(
  definition: BotDefinition,
  state: ConversationState,
  stepId: string | undefined,
  now: number,
): Input | undefined {
  const step = stepId === undefined ? undefined : revisableSteps(state).get(stepId);
  if (!step) return undefined;
  const { prefill: _prefill, ...input } = currentInput(definition, { ...state, stepId: step.id }, now) ?? {};
  return { ...(input as Input), ...(step.value !== undefined && { prefill: step.value }) };
}

function progressOf({ status, state }: StoredConversation, definition: BotDefinition | null): number {
  if (status === 'Completed') return 1;
  if (!state || !definition) return 0;
  const stepId = state.awaiting?.stepId ?? state.stepId;
  if (stepId === null) return 1;
  const plan = planOf(definition);
  return progressAt(plan, plan.indexes.get(stepId) ?? 0, state.answeredCount);
}
