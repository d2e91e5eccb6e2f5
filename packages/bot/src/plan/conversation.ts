import { detailNames, type Details } from '@parley/contracts/customer-details';
import type { Shown } from '../questions/question-type.ts';
import type { AnswerValue, Input } from '../questions/types.ts';

/** The customer's fields that texts and expressions can name. */
export const customerFields = ['id', ...detailNames] as const;

/** The customer of a new conversation. A detail that is not given is empty. */
export type GivenCustomer = { id: string } & Partial<Details>;

/** The customer's details, copied when the conversation starts. */
export type Customer = Record<(typeof customerFields)[number], string>;

export type Entry = {
  /** Counts from 1 without gaps. */
  seq: number;
  type: 'bot' | 'customer';
  /** Plain text, at most 4000 UTF-16 units. */
  body: string;
  /** Epoch seconds with fraction, rising with `seq`. */
  timestamp: number;
  skipped?: true;
  outOf?: number;
  /** The step that it answers. Only in conversations with a `path`. */
  stepId?: string;
  /** It is off the path: only the transcript has it. */
  withdrawn?: true;
  /** What was shown with the question of this answer, if it is not the same for everybody. */
  shown?: Shown;
  /** Spans [start, end) of the body, in UTF-16 units, that hold personal data. */
  personal?: [number, number][];
};

/** Whether a field of an entry can hold something personal. A field that is missing here does not compile. */
const entryHoldsPersonal = {
  seq: false,
  type: false,
  body: true,
  timestamp: false,
  skipped: false,
  outOf: false,
  stepId: false,
  withdrawn: false,
  shown: false,
  personal: false,
} as const satisfies Record<keyof Entry, boolean>;

/** The fields that a redaction of an entry replaces. */
export type PersonalEntryField = TrueKey<typeof entryHoldsPersonal>;

/** A question that was shown to the customer, and what became of it; nothing yet without an outcome. */
export type ShownStep = { id: string; outcome?: 'answered' | 'skipped' };

/** What settled one step of the path: the customer's answer, or the result of a model. */
export type PathStep = {
  id: string;
  /** The entries of an answer with its attempts, or of a chat. Absent for other results of a model. */
  entries?: [first: number, last: number];
  /** The answer; absent if the question was skipped or `abandoned`. */
  value?: AnswerValue;
  /** The customer had no retry left. */
  abandoned?: true;
  /** The result of a model. */
  result?: PathResult;
};

/** The result of a model. Without `found`, it failed. */
export type PathResult = {
  /** The values that the prompt named. */
  data: Record<string, string>;
  /** In the order of `outputsOf`; null for what was not found. */
  found?: (AnswerValue | null)[];
  /** Of a chat: how often the customer spoke, what is stored of it, and how often the model was asked. */
  chat?: { turns: number; said: string; asked: number };
};

/** What a conversation needs to know of its course, so that answers can be revised. */
export type ConversationPath = {
  /** In the order of the conversation. */
  steps: PathStep[];
  /** The first attempt to answer the current question. */
  attemptsFrom?: number;
  /** Former answers behind the current question. They count again if the path comes to them. */
  waiting?: PathStep[];
  /** Personal answers that are off the path: the transcript may repeat them. */
  withdrawn?: PathStep[];
  revisions?: number;
  /** The number of the newest entry when entries were withdrawn last. */
  withdrawnAt?: number;
};

/** The state between turns: plain JSON, stored by the caller. */
export type ConversationState = {
  /** The current question; null when the conversation has ended or waits for the model. */
  stepId: string | null;
  /** The `llm` step that the conversation waits for. */
  awaiting?: { stepId: string };
  /** How often the model was asked, including the current question. */
  modelTurns?: number;
  /** The current chat: it has the entries after `fromSeq`, `turns` of them from the customer. */
  chat?: { fromSeq: number; turns: number };
  /**
   * By step id; answers of llm steps by `saveAs` (`name.field` for fields). Absent when skipped, not reached or not
   * found.
   */
  answers: Record<string, AnswerValue>;
  evaluation: Record<string, string>;
  /** By key of the evaluation whose value ends with words of the customer's own: how many choices are before them. */
  ownWords?: Record<string, number>;
  /** Decides all random orders. Only in conversations of bots that have some. */
  seed?: string;
  /** How often the retry text of the current question was said. */
  retryCount: number;
  answeredCount: number;
  /**
   * The questions that were shown, in the order of their last showing. Absent in conversations that were started before
   * states had it.
   */
  steps?: ShownStep[];
  /**
   * The ways between steps that were taken, each once, by the indexes of the steps. The steps of a run follow each
   * other. Absent like `steps`.
   */
  ways?: number[][];
  /** The seconds between the entries so far, each pause counted as at most 30 minutes. Absent like `steps`. */
  activeSeconds?: number;
  /** Only of bots whose answers can be revised. Removed by a redaction. */
  path?: ConversationPath;
  seq: number;
  lastTimestamp: number;
  /** The size of the conversation (`conversation-size.ts`). */
  bytes: number;
  customer: Customer;
  context: Record<string, string>;
  locale: string;
};

/** Whether a part of a state can hold something personal. A part that is missing here does not compile. */
const stateHoldsPersonal = {
  stepId: false,
  awaiting: false,
  modelTurns: false,
  chat: false,
  answers: true,
  evaluation: true,
  ownWords: false,
  seed: false,
  retryCount: false,
  answeredCount: false,
  steps: false,
  ways: false,
  activeSeconds: false,
  path: true,
  seq: false,
  lastTimestamp: false,
  bytes: false,
  customer: true,
  context: true,
  locale: false,
} as const satisfies Record<keyof ConversationState, boolean>;

/** The parts that a redaction of a state replaces. */
export type PersonalStatePart = TrueKey<typeof stateHoldsPersonal>;

type TrueKey<Flags> = { [Name in keyof Flags]: Flags[Name] extends true ? Name : never }[keyof Flags];

export type Turn = {
  state: ConversationState;
  entries: Entry[];
  /** Null when the conversation has ended, or waits for the model (`state.awaiting`). */
  input: Input | null;
  /** 0 to 1; 1 when ended. */
  progress: number;
  evaluation: Record<string, string>;
  ended: boolean;
  /** The `end` step that it has reached; null until then, and if it was closed because of its size. */
  endStepId: string | null;
  /** The numbers of earlier entries that it withdraws. */
  withdrawn?: number[];
};

export type ModelOutcome = { text: string } | { failed: true };

/** A customer's answer: a value in the form of contract section 7, free text, or no answer. */
export type Answer = { value: unknown } | { text: string } | { skip: true };
