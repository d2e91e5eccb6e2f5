import type { Pending, Snapshot } from '@parley/client/public';

/** What a customer answers with: a value of the step's type, free text, or no answer. */
export type Answer = { value: unknown } | { text: string } | { skip: true };

/** Where a talk stands, as its screen shows it. */
export type Stage =
  /** Not known yet. */
  | 'loading'
  /** Waits for the customer to start it. */
  | 'ready'
  /** Has begun elsewhere, or earlier, and waits for the customer to go on. */
  | 'resumable'
  /** Is being held. */
  | 'talking'
  | 'completed'
  | 'expired'
  /** Unknown, withdrawn or not this customer's: nobody is told which. */
  | 'unavailable';

/** An answer that the server does not have yet. It is shown, and stays in the composer, until it has. */
export interface Outgoing {
  answer: Answer;
  /** The answer as the customer would say it. */
  words: string;
  /** `waiting`: sent again by itself when the network is back; `refused`: the customer has to change it. */
  state: 'sending' | 'waiting' | 'refused';
  /** Why it was refused, in the server's words. */
  reason?: string;
}

/** All that a screen shows of a talk. A new object whenever anything changes. */
export interface TalkState {
  stage: Stage;
  /** What the bot is called; empty until it is known. */
  botName: string;
  /** The newest snapshot with all entries so far; undefined before the start. */
  snapshot: Snapshot | undefined;
  outgoing: Outgoing | undefined;
  /** True while the last call failed for want of a network or a server. */
  isOffline: boolean;
}

/** One talk as a screen holds it: shows `state`, calls the others. */
export interface Talk extends Disposable {
  readonly state: TalkState;
  /** Called after every change of `state`. Answers a function that ends it. */
  subscribe(listener: () => void): () => void;
  /** Starts a talk that waits, or goes on with one that has begun. */
  start(): void;
  /** Sends an answer to the question of the snapshot. Ignored while another is on its way. */
  send(answer: Answer, words: string): void;
  /** Sends what waits at once. */
  retry(): void;
  /** The customer changes what was refused. */
  clearRefusal(): void;
}

/** An interaction that waits for the customer. */
export type Waiting = Pending;
