import type { AnswerValue } from './answer-forms.ts';
import type { Input } from './input.ts';

/** The customer as the talk knows them: copied when it starts. */
export type Customer = { id: string; firstName: string; lastName: string; email: string };

/** One line of the transcript. */
export type Entry = {
  /** Counts from 1 without gaps. */
  seq: number;
  type: 'bot' | 'customer';
  /** Plain text, at most 4000 UTF-16 units. */
  body: string;
  /** Epoch seconds with fraction, rising with `seq`. */
  timestamp: number;
  /** Spans [start, end) of the body, in UTF-16 units, that hold personal data. */
  personal?: [number, number][];
};

/** All that a talk needs to go on: plain JSON, kept by the caller between turns. */
export type ConversationState = {
  /** The question that is waited for; null when the talk has ended. */
  stepId: string | null;
  /** By step id; an ask that was skipped or not reached has none. */
  answers: Record<string, AnswerValue>;
  evaluation: Record<string, string>;
  /** How often the retry text of the current question was said. */
  retryCount: number;
  /** How many questions were answered or skipped. */
  answeredCount: number;
  /** The sequence number and time of the newest entry. */
  seq: number;
  lastTimestamp: number;
  customer: Customer;
  context: Record<string, string>;
  locale: string;
};

/** What one event led to. */
export type Turn = {
  state: ConversationState;
  /** The new entries only. */
  entries: Entry[];
  input: Input | null;
  /** 0 to 1; 1 when ended. */
  progress: number;
  evaluation: Record<string, string>;
  ended: boolean;
};

/** An answer that cannot be taken: nothing changes. A stable slug, and a sentence for the customer. */
export type Rejection = { rejected: { reason: string; detail: string } };

/** A customer's answer: a value in the form of contract section 7, free text, or no answer. */
export type Answer = { value: unknown } | { text: string } | { skip: true };
