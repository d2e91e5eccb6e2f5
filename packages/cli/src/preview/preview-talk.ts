import { randomUUID } from 'node:crypto';
import type { BotDefinition } from '@parley/bot/definition';
import {
  answer,
  answerModel,
  type Beginning,
  type Entry,
  type ModelOutcome,
  start,
  type Turn,
} from '@parley/bot/engine';
import type { LlmStep } from '@parley/bot/format';
import {
  endedRejection,
  type StoredConversation,
  takeMessage,
  type Message as HeldMessage,
  type Refusal,
  viewOf,
} from '@parley/bot/stored-conversation';
import { planOf } from '@parley/bot/plan';
import { teaser } from '@parley/bot/teaser';

/** What the public API answers: data, or an error's status and type (contract, section 7). */
export type Outcome = { data: unknown } | { status: number; type: string; detail: string; data?: unknown };

/** A customer's message, as the browser sends it. */
export interface Message extends HeldMessage {
  clientMessageId: string;
}

/** What has moved the talk on: an answer of the customer, or what the model has said. */
export type Taken = Pick<Message, 'stepId' | 'answer'> | { outcome: ModelOutcome };

/** What `createPreviewTalk` makes. */
export type PreviewTalk = ReturnType<typeof createPreviewTalk>;

const stale: Outcome = {
  status: 409,
  type: 'stale-sequence',
  detail: 'The talk has moved on: answer what is waiting now',
};
const messageIdReused: Outcome = {
  status: 409,
  type: 'client-message-id-reused',
  detail: 'This clientMessageId was used for another message',
};
const refusalStatuses = { 'conversation-ended': 410, 'not-started': 409, 'unanswerable-answer': 422 };

/**
 * One interaction in memory, with the rules of the service that the widget depends on. It takes up what has moved another
 * talk on, as far as it fits. Where nobody plays the model its steps fail.
 */
export function createPreviewTalk(
  definition: BotDefinition,
  beginning: Beginning,
  { former, isModelPlayed }: { former: readonly Taken[]; isModelPlayed: boolean },
) {
  /** The messages that were taken, by their ids: what each said. */
  const messages = new Map<string, string>();
  const listeners = new Set<() => void>();
  const entries: Entry[] = [];
  const taken: Taken[] = [];
  const notes: string[] = [];
  const interactionId = randomUUID();
  const { name: botName, type } = definition;
  let turn: Turn | undefined;

  const statusOf = (): StoredConversation['status'] => {
    if (!turn) return 'Pending';
    return turn.ended ? 'Completed' : 'InProgress';
  };

  const held = (): StoredConversation => ({
    status: statusOf(),
    seq: turn?.state.seq ?? 0,
    state: turn?.state ?? null,
    transcript: entries,
  });

  const snapshot = (after = 0) => ({
    ...viewOf(held(), definition, after, nowSeconds()),
    expiresAt: null,
    botName,
  });

  /** What waits for the customer, in the form of the public API: null once the talk has ended. */
  const pending = () => {
    const words = teaser(definition, { ...beginning, hasModel: isModelPlayed });
    const found = { interactionId, status: statusOf(), type, priority: 'Medium', botName, teaser: words };
    return turn?.ended ? null : { ...found, expiresAt: null, more: 0 };
  };

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
    if (turn?.ended) return refused(endedRejection);
    if (!turn) take(start(definition, { ...beginning, now: nowSeconds(), hasModel: true }));
    return { data: snapshot() };
  };

  const keep = (one: Taken, next: Turn): void => {
    taken.push(one);
    take(next);
  };

  /** What the model says. Why it was refused; undefined when it was taken. */
  const takeFromModel = (outcome: ModelOutcome): string | undefined => {
    if (!turn || !awaiting()) return 'The talk does not wait for the model.';
    const next = answerModel(definition, turn.state, { outcome, now: nowSeconds() });
    if ('rejected' in next) return next.rejected.detail;
    keep({ outcome }, next);
    return undefined;
  };

  /** Whether it still fits, as something that was taken in another talk. */
  const takeAgain = (one: Taken): boolean => {
    if ('outcome' in one) return takeFromModel(one.outcome) === undefined;
    if (!turn || turn.ended) return false;
    const next = answer(definition, turn.state, { ...one, now: nowSeconds(), hasModel: true });
    if ('rejected' in next) return false;
    keep(one, next);
    return true;
  };

  if (former.length > 0) begin();
  for (const one of former) {
    if (!takeAgain(one)) break;
  }

  return {
    definition,
    /** Of the link. */
    token: randomUUID(),
    sessionToken: randomUUID(),
    interactionId,
    /** All that has moved it on. */
    taken,
    /** Where the talk went on for want of a model. */
    notes,
    status: statusOf,
    turn: () => turn,
    snapshot,
    pending,
    start: begin,
    post: ({ clientMessageId, expectedSeq, stepId, answer: given }: Message): Outcome => {
      const message = { expectedSeq, stepId, answer: given };
      const payload = JSON.stringify(message);
      const before = messages.get(clientMessageId);
      if (before !== undefined) return before === payload ? { data: snapshot() } : messageIdReused;
      const judged = takeMessage(held(), definition, message, { now: nowSeconds(), hasModel: true });
      if ('refused' in judged) return refused(judged.refused);
      if ('stale' in judged) return { ...stale, data: snapshot() };
      messages.set(clientMessageId, payload);
      keep({ stepId, answer: given }, judged.turn);
      return { data: snapshot() };
    },
    awaiting,
    answerModel: takeFromModel,
    /** Called after every change. Answers a function that ends it. */
    onChange: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function refused({ type, detail }: Refusal): Outcome {
  return { status: refusalStatuses[type], type, detail };
}

function nowSeconds(): number {
  return Date.now() / 1000;
}
