import type { AnswerValue } from './answer-forms.ts';
import type { Input } from './input.ts';

/** The customer's fields that a talk knows, and that texts and expressions may name. */
export const customerFields = ['id', 'firstName', 'lastName', 'email'] as const;

/** The customer as the talk knows them: copied when it starts. */
export type Customer = Record<(typeof customerFields)[number], string>;

/** One line of the transcript. */
export type Entry = {
  /** Counts from 1 without gaps. */
  seq: number;
  type: 'bot' | 'customer';
  /** Plain text, at most 4000 UTF-16 units. */
  body: string;
  /** Epoch seconds with fraction, rising with `seq`. */
  timestamp: number;
  /** The customer has skipped the question. */
  skipped?: true;
  /** The body is a number on a scale that ends here. */
  outOf?: number;
  /** Spans [start, end) of the body, in UTF-16 units, that hold personal data. */
  personal?: [number, number][];
};

/** All that a talk needs to go on: plain JSON, kept by the caller between turns. */
export type ConversationState = {
  /** The question that is waited for; null when the talk has ended, or waits for the model. */
  stepId: string | null;
  /** The `llm` step whose answer is waited for; absent when none is. */
  awaiting?: { stepId: string };
  /** How often the model was asked in this talk, the question that waits included: the number of that question. */
  modelTurns?: number;
  /** The chat that is under way: what follows the entry `fromSeq` was said in it, `turns` times by the customer. */
  chat?: { fromSeq: number; turns: number };
  /**
   * By step id, of llm steps by the name that they save under (`name.field` for fields). What was skipped, not reached or
   * not found has none.
   */
  answers: Record<string, AnswerValue>;
  evaluation: Record<string, string>;
  /** How often the retry text of the current question was said. */
  retryCount: number;
  /** How many questions were answered or skipped. */
  answeredCount: number;
  /** The sequence number and time of the newest entry. */
  seq: number;
  lastTimestamp: number;
  /** The size of the conversation (`conversation-size.ts`). */
  bytes: number;
  customer: Customer;
  context: Record<string, string>;
  locale: string;
};

/** What one event led to. */
export type Turn = {
  state: ConversationState;
  /** The new entries only. */
  entries: Entry[];
  /** Null when the talk has ended, or waits for the model (`state.awaiting`). */
  input: Input | null;
  /** 0 to 1; 1 when ended. */
  progress: number;
  evaluation: Record<string, string>;
  ended: boolean;
};

/**
 * An answer that cannot be taken: nothing changes. A stable slug, and a sentence in the language of the conversation.
 */
export type Rejection = { rejected: { reason: string; detail: string } };

/** What came of asking the model: the text that it answered, or nothing that could be used. */
export type ModelOutcome = { text: string } | { failed: true };

/** A customer's answer: a value in the form of contract section 7, free text, or no answer. */
export type Answer = { value: unknown } | { text: string } | { skip: true };
