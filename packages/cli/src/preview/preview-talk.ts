import { randomUUID } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import {
  type Answer,
  answer,
  answerModel,
  type Beginning,
  currentInput,
  type Entry,
  type ModelOutcome,
  start,
  type Turn,
} from '@parley/bot/engine';
import type { LlmStep } from '@parley/bot/format';
import { planOf } from '@parley/bot/plan';

/** What the public API answers: data, or an error's status and type (contract, section 7). */
export type Outcome = { data: unknown } | { status: number; type: string; detail: string; data?: unknown };

/** A customer's message, as the browser sends it. */
export interface Message {
  clientMessageId: string;
  expectedSeq: number;
  stepId: string;
  answer: Answer;
}

/** What has moved the talk on: an answer of the customer, or what the model has said. */
export type Taken = Pick<Message, 'stepId' | 'answer'> | { outcome: ModelOutcome };

/** What `createPreviewTalk` makes. */
export type PreviewTalk = ReturnType<typeof createPreviewTalk>;

const ended: Outcome = { status: 410, type: 'conversation-ended', detail: 'The conversation has ended' };

/**
 * One interaction in memory, with the rules of the service that the widget depends on. It takes up what has moved another
 * talk on, as far as it fits. Where nobody plays the model its steps fail.
 */
export function createPreviewTalk(
  definition: BotDefinition,
  beginning: Beginning,
  { former, isModelPlayed }: { former: readonly Taken[]; isModelPlayed: boolean },
) {
  const outcomes = new Map<string, Outcome>();
  const listeners = new Set<() => void>();
  const entries: Entry[] = [];
  const taken: Taken[] = [];
  const notes: string[] = [];
  let turn: Turn | undefined;

  const statusOf = (): 'Pending' | 'InProgress' | 'Completed' => {
    if (!turn) return 'Pending';
    return turn.ended ? 'Completed' : 'InProgress';
  };

  const snapshot = (after = 0) => ({
    status: statusOf(),
    seq: turn?.state.seq ?? 0,
    entries: entries
      .filter(({ seq }) => seq > after)
      .map(({ seq, type, body, timestamp }) => ({ seq, type, body, timestamp })),
    input: turn && !turn.ended ? currentInput(definition, turn.state, nowSeconds()) : null,
    awaiting: turn?.state.awaiting ? 'llm' : null,
    progress: turn?.progress ?? 0,
    expiresAt: null,
  });

  /** The step that waits for the model. */
  const awaiting = (): LlmStep | undefined => planOf(definition).llms.get(turn?.state.awaiting?.stepId ?? '');

  const take = (next: Turn): void => {
    entries.push(...next.entries);
    turn = next;
    const step = awaiting();
    if (step && !isModelPlayed) {
      notes.push(`${step.id}: there is no model here, the talk went on at ${step.onError.goto}.`);
      const failed = answerModel(definition, next.state, { outcome: { failed: true }, now: nowSeconds() });
      if ('rejected' in failed) throw new Error(failed.rejected.detail);
      return take(failed);
    }
    for (const listener of listeners) listener();
  };

  const begin = (): Outcome => {
    if (turn?.ended) return ended;
    if (!turn) take(start(definition, { ...beginning, now: nowSeconds(), hasModel: true }));
    return { data: snapshot() };
  };

  /** Why it was refused; undefined when it was taken. */
  const refusal = ({ state }: Turn, one: Taken): string | undefined => {
    const now = nowSeconds();
    if ('outcome' in one && !awaiting()) return 'The talk does not wait for the model.';
    const outcome =
      'outcome' in one
        ? answerModel(definition, state, { outcome: one.outcome, now })
        : answer(definition, state, { ...one, now, hasModel: true });
    if ('rejected' in outcome) return outcome.rejected.detail;
    taken.push(one);
    take(outcome);
    return undefined;
  };

  if (former.length > 0) begin();
  for (const one of former) {
    if (!turn || turn.ended || refusal(turn, one) !== undefined) break;
  }

  return {
    definition,
    /** Of the link. */
    token: randomUUID(),
    sessionToken: randomUUID(),
    interactionId: randomUUID(),
    /** All that has moved it on. */
    taken,
    /** Where the talk went on for want of a model. */
    notes,
    status: statusOf,
    turn: () => turn,
    snapshot,
    start: begin,
    post: ({ clientMessageId, ...message }: Message): Outcome => {
      const before = outcomes.get(clientMessageId);
      if (before) return before;
      if (!turn) return { status: 409, type: 'not-started', detail: 'The conversation has not been started' };
      if (turn.ended) return ended;
      if (message.expectedSeq !== turn.state.seq || message.stepId !== turn.state.stepId) {
        const detail = 'The talk has moved on: answer what is waiting now';
        return { status: 409, type: 'stale-sequence', detail, data: snapshot() };
      }
      const { stepId, answer: given } = message;
      const detail = refusal(turn, { stepId, answer: given });
      if (detail !== undefined) return { status: 422, type: 'unanswerable-answer', detail };
      const outcome = { data: snapshot() };
      outcomes.set(clientMessageId, outcome);
      return outcome;
    },
    awaiting,
    /** What the model says. Why it was refused; undefined when it was taken. */
    answerModel: (outcome: ModelOutcome) => turn && refusal(turn, { outcome }),
    /** Called after every change. Answers a function that ends it. */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function nowSeconds(): number {
  return Date.now() / 1000;
}
