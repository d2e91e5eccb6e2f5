import type { Branding, Pending, Snapshot } from '@parley/client/public';
import type { GivenStrings } from './ui/language/strings.ts';

/** A customer's answer: a value of the step's type, free text, or no answer. */
export type Answer = { value: unknown } | { text: string } | { skip: true };

/** The stage of a conversation for its screen. */
export type Stage =
  /** Not known yet. */
  | 'loading'
  /** Cannot start yet. */
  | 'later'
  /** Waits for the customer to start it. */
  | 'ready'
  /** Has begun elsewhere, or earlier, and waits for the customer to resume it. */
  | 'resumable'
  /** In progress on this page. */
  | 'talking'
  | 'completed'
  | 'expired'
  /** Unknown, withdrawn or another customer's: the API does not reveal which. */
  | 'unavailable';

/**
 * A pending answer: the server does not have it yet. The transcript shows it until it arrives; the field shows a
 * rejected one.
 */
export interface Outgoing {
  /** Its question. */
  stepId: string;
  answer: Answer;
  /** The answer in words. */
  words: string;
  /** `waiting`: sent again when the network is back; `refused`: the customer has to change it. */
  state: 'sending' | 'waiting' | 'refused';
  /**
   * Why it was rejected. `invalid`: no answer to this question; `moved-on`: the conversation has continued elsewhere
   * and asks again; `failed`: the server cannot accept it.
   */
  refusal?: 'invalid' | 'moved-on' | 'failed';
  reason?: string;
}

/** A failure that the customer can report. */
export interface ServerFault {
  /** The request id of the answer, which finds the call in logs and traces; undefined if the answer has none. */
  reference: string | undefined;
}

/** The state of a conversation for a screen. A new object after every change. */
export interface TalkState {
  stage: Stage;
  /** The name of the bot; empty while it is unknown. */
  botName: string;
  /** The newest snapshot with all entries so far; undefined before the start. */
  snapshot: Snapshot | undefined;
  outgoing: Outgoing | undefined;
  /** The earlier question that the customer answers again, with the answer so far as `prefill`. */
  revising?: Snapshot['input'] | undefined;
  /** True if the last call failed because of the network or the server. */
  isOffline: boolean;
  /** Set if the last call failed with an answer of the server. */
  serverFault?: ServerFault | undefined;
}

/**
 * One conversation for a screen, which shows `state` and calls the others. Its creator disposes of it, not the screen.
 */
export interface Talk {
  readonly state: TalkState;
  /**
   * Calls the listener after every change of `state`. Returns a function that unsubscribes. The conversation is fetched
   * and polled while it has subscribers: a screen subscribes while it shows the conversation.
   */
  subscribe(listener: () => void): () => void;
  /** Starts a conversation that waits, or resumes one that has begun. */
  start(): void;
  /**
   * Lets the customer answer an earlier question again: of an entry that has `canRevise`. The state then has the
   * question as `revising`, and `send` replaces that answer. Null: the current question again.
   */
  revise(stepId: string | null): void;
  /** Sends an answer to the question of the snapshot, or to `revising`. Ignored while another is pending. */
  send(answer: Answer, words: string): void;
  /** Retries pending calls at once, and polls the conversation. */
  retry(): void;
  /** The customer changes a rejected answer. */
  clearRefusal(): void;
  /** Ends everything in progress. May be called again; all other calls have no effect afterwards. */
  dispose(): void;
}

/** An interaction that waits for the customer. */
export type Waiting = Pending;

/** The theme of the widget; every part has a default. */
export interface Theme {
  /** A colour as `#rgb` or `#rrggbb`; the colour of text on it is derived. */
  accent?: string | undefined;
  /** The radius of corners, in pixels. */
  radius?: number | undefined;
  /** The lower corner of the widget. Default: the right one. */
  position?: 'left' | 'right' | undefined;
  zIndex?: number | undefined;
  /** `auto` (the customer's system), `light` or `dark`. Default: the page's own scheme. */
  colorScheme?: 'auto' | 'light' | 'dark' | undefined;
}

/**
 * How the popup shows the interaction that waits. `open`: the panel, without focus; `teaser`: the launcher with the
 * bot's first words; `badge`: the launcher with a mark; `quiet`: the launcher alone, for a conversation that has ended.
 */
export type PopupMode = 'open' | 'teaser' | 'badge' | 'quiet';

export type { Branding };

export interface PopupOptions {
  /** The popup adds its one host element here. */
  container: HTMLElement;
  /** A BCP 47 language tag, read at each rendering because a page may change it. */
  readonly locale: string;
  /** The page's own texts, which replace the widget's. */
  strings?: GivenStrings | undefined;
  theme: Theme;
  /** The branding of the workspace, read at each rendering; the page's own theme has precedence. */
  readonly branding?: Branding | undefined;
  /** Returns the conversation of an interaction: the same object for the same interaction. Called to show its panel. */
  talkFor(waiting: Waiting): Talk;
  /** Called when the panel has opened, in any way. */
  onOpen(waiting: Waiting): void;
  /** Called when the panel has closed, except by `hide` and `unmount`. */
  onClose(waiting: Waiting): void;
  /** The customer has dismissed the teaser; the popup now shows the badge. */
  onDismiss(waiting: Waiting): void;
}

/** The widget on a company's page. At first it shows nothing and has only its live region. */
export interface Popup {
  /** Restores the host element if the page has removed it, and uses the current language and branding. */
  refresh(): void;
  /**
   * Shows the interaction that waits. An open panel stays open for the same interaction, and changes to another one.
   */
  show(waiting: Waiting, mode: PopupMode): void;
  /** Opens the panel of the last interaction on request: it takes the focus. */
  open(): void;
  /** Closes the panel; the launcher stays. */
  close(): void;
  /** Removes launcher and panel, because nothing waits any more. */
  hide(): void;
  /** Removes the host element with its content. May be called again. */
  unmount(): void;
}

/** Exported by the UI chunk. */
export type MountPopup = (options: PopupOptions) => Popup;

/** What a customer knows before the start: the bot's first words, which may be empty, and the effort, if known. */
export type Invitation = Pick<Waiting, 'teaser' | 'effort'>;

/** The options of the landing page's screen. The conversation provides all that it shows, also for an invalid link. */
export interface LandingOptions {
  container: HTMLElement;
  /** A BCP 47 language tag. */
  locale: string;
  theme: Theme;
  branding?: Branding | undefined;
  talk: Talk;
  invitation: Promise<Invitation>;
}

/** Shows the conversation as a page of its own. Returns a function that removes it. */
export type MountLanding = (options: LandingOptions) => () => void;
