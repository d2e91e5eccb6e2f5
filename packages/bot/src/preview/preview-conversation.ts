import { runAtOnce } from '../bounds/slices.ts';
import type { BotDefinition } from '../validation/definition.ts';
import type { ConversationState } from '../plan/conversation.ts';
import {
  type Beginning,
  type Entry,
  type ModelOutcome,
  beginConversation,
  type Turn,
} from '../engine/engine.ts';
import type { LlmStep } from '../definition/format.ts';
import { answerModel } from '../model/model-answer.ts';
import { planOf } from '../plan/plan.ts';
import {
  endedRejection,
  type Message as AnswerMessage,
  type MessageRefusal,
  type StoredConversation,
  takeMessage,
  takeRevision,
  viewOf,
} from '../revising/stored-conversation.ts';
import { transcriptAfter, withWaiting } from '../revising/revise.ts';
import { teaser } from '../engine/teaser.ts';

export type PreviewOutcome =
  | { data: unknown }
  | { status: number; type: string; detail: string; data?: unknown };

/** A customer's message, as the browser sends it. */
export interface Message extends AnswerMessage {
  clientMessageId: string;
}

/** An input that advanced a conversation: an answer of the customer or of the model. */
export type Advance = (Pick<Message, 'stepId' | 'answer'> & { revises?: true }) | { outcome: ModelOutcome };

interface Options {
  /** Whether answers of the model are given by `answerModel`. Otherwise its steps fail. */
  isModelPlayed?: boolean;
  id?: string;
  /** The step at which the conversation begins, instead of the first. */
  beginsAt?: string | undefined;
}

const stale: PreviewOutcome = {
  status: 409,
  type: 'stale-sequence',
  detail: 'The conversation has moved on: answer the current question',
};
const messageIdReused: PreviewOutcome = {
  status: 409,
  type: 'client-message-id-reused',
  detail: 'This clientMessageId was used for another message',
};
const refusalStatuses = {
  'conversation-ended': 410,
  'not-started': 409,
  'unanswerable-answer': 422,
  'revising-off': 403,
};

/**
 * One interaction in memory, with the rules of the public API, for Node and browsers. Dispatches `change` after each
 * turn. Without a played model, `llm` steps fail.
 */
export class PreviewConversation extends EventTarget {
  readonly definition: BotDefinition;
  /** The id of the interaction. It is also the token of its link, and of its session. */
  readonly id: string;
  /** The inputs so far, in order. */
  readonly advances: Advance[] = [];
  /** The `llm` steps that failed without a model. */
  readonly notes: string[] = [];
  readonly #beginning: Beginning;
  readonly #isModelPlayed: boolean;
  #entries: Entry[] = [];
  readonly #messages = new Map<string, string>();
  #turn: Turn | undefined;

  constructor(
    definition: BotDefinition,
    beginning: Beginning,
    { isModelPlayed = false, id = newId(), beginsAt }: Options = {},
  ) {
    super();
    this.id = id;
    this.definition = beginsAt === undefined ? definition : beginAt(definition, beginsAt);
    this.#beginning = { ...beginning, seed: id };
    this.#isModelPlayed = isModelPlayed;
  }

  /** The newest turn; undefined before the start. */
  get turn(): Turn | undefined {
    return this.#turn;
  }

  /** The context with its defaults, also before the start. */
  get context(): Record<string, string> {
    const beginning = { ...this.#beginning, now: nowSeconds(), hasModel: true };
    return (this.#turn ?? beginConversation(this.definition, beginning)).state.context;
  }

  get status(): StoredConversation['status'] {
    if (!this.#turn) return 'Pending';
    return this.#turn.ended ? 'Completed' : 'InProgress';
  }

  get awaiting(): LlmStep | undefined {
    return planOf(this.definition).llms.get(this.#turn?.state.awaiting?.stepId ?? '');
  }

  snapshot(after = 0, revisedStepId?: string) {
    const view = viewOf(this.#stored(), this.definition, after, nowSeconds(), revisedStepId);
    return { ...view, expiresAt: null, botName: this.definition.name };
  }

  /** The interaction that waits for the customer, as in the public API; null after its end. */
  pending() {
    if (this.#turn?.ended) return null;
    const { definition, id: interactionId, status } = this;
    const { name: botName, type } = definition;
    const words = teaser(definition, { ...this.#beginning, hasModel: this.#isModelPlayed });
    const shown = { interactionId, status, type, priority: 'Medium', botName, teaser: words };
    return { ...shown, expiresAt: null, more: 0, effort: planOf(definition).effort };
  }

  start(): PreviewOutcome {
    if (this.#turn?.ended) return refused(endedRejection);
    const beginning = { ...this.#beginning, now: nowSeconds(), hasModel: true };
    if (!this.#turn) this.#take(beginConversation(this.definition, beginning));
    return { data: this.snapshot() };
  }

  post({ clientMessageId, expectedSeq, stepId, answer: given }: Message, revises = false): PreviewOutcome {
    const message = { expectedSeq, stepId, answer: given };
    const payload = JSON.stringify([revises, message]);
    const before = this.#messages.get(clientMessageId);
    if (before !== undefined) return before === payload ? { data: this.snapshot() } : messageIdReused;
    const moment = { now: nowSeconds(), hasModel: true };
    const take = revises ? takeRevision : takeMessage;
    const outcome = runAtOnce(take(this.#stored(), this.definition, message, moment));
    if ('refused' in outcome) return refused(outcome.refused);
    if ('stale' in outcome) return { ...stale, data: this.snapshot() };
    this.#messages.set(clientMessageId, payload);
    this.#advance({ stepId, answer: given, ...(revises && { revises }) }, outcome.turn);
    return { data: this.snapshot() };
  }

  /** Takes an answer of the model. Returns the reason of a rejection. */
  answerModel(outcome: ModelOutcome): string | undefined {
    if (!this.#turn || !this.awaiting) return 'The conversation does not wait for the model.';
    const next = answerModel(this.definition, this.#turn.state, { outcome, now: nowSeconds() });
    if ('rejected' in next) return next.rejected.detail;
    this.#advance({ outcome }, this.#withWaiting(this.#turn.state, next));
    return undefined;
  }

  /** Repeats the inputs of another conversation, up to the first that does not fit. */
  replay(advances: readonly Advance[]): void {
    if (advances.length > 0) this.start();
    for (const advance of advances) if (!this.#isReplayed(advance)) break;
  }

  #isReplayed(advance: Advance): boolean {
    if ('outcome' in advance) return this.answerModel(advance.outcome) === undefined;
    if (!this.#turn || this.#turn.ended) return false;
    const message = { ...advance, expectedSeq: this.#turn.state.seq };
    const moment = { now: nowSeconds(), hasModel: true };
    const take = advance.revises ? takeRevision : takeMessage;
    const next = runAtOnce(take(this.#stored(), this.definition, message, moment));
    if (!('turn' in next)) return false;
    this.#advance(advance, next.turn);
    return true;
  }

  #advance(advance: Advance, turn: Turn): void {
    this.advances.push(advance);
    this.#take(turn);
  }

  #take(turn: Turn): void {
    this.#entries = transcriptAfter(this.#entries, turn);
    this.#turn = turn;
    const step = this.awaiting;
    if (!step || this.#isModelPlayed) return void this.dispatchEvent(new Event('change'));
    this.notes.push(`${step.id} failed without a model and continued at ${step.onError.goto}.`);
    const failure = { outcome: { failed: true as const }, now: nowSeconds() };
    const failed = answerModel(this.definition, turn.state, failure);
    if ('rejected' in failed) throw new Error(failed.rejected.detail);
    this.#take(this.#withWaiting(turn.state, failed));
  }

  #withWaiting(state: ConversationState, turn: Turn): Turn {
    const moment = { now: nowSeconds(), hasModel: true };
    return runAtOnce(withWaiting(this.definition, { state, transcript: this.#entries }, turn, moment));
  }

  #stored(): StoredConversation {
    const { seq = 0 } = this.#turn?.state ?? {};
    return { status: this.status, seq, state: this.#turn?.state ?? null, transcript: this.#entries };
  }
}

function refused({ type, detail }: MessageRefusal): PreviewOutcome {
  return { status: refusalStatuses[type], type, detail };
}

function newId(): string {
  return crypto.randomUUID();
}

function nowSeconds(): number {
  return Date.now() / 1000;
}

/**
 * Returns a valid definition whose conversations begin at a step, without the answers to earlier ones. Its own
 * condition does not count, because it is about these. A definition without the step is returned as it is.
 */
function beginAt(definition: BotDefinition, stepId: string): BotDefinition {
  if (!definition.steps.some(({ id }) => id === stepId)) return definition;
  const steps = definition.steps.map((step) => (step.id === stepId ? { ...step, when: undefined } : step));
  // No step has this id: ids are not empty.
  const way = { id: '', kind: 'branch' as const, next: [{ else: stepId }] };
  return { ...definition, steps: [way, ...steps] };
}
