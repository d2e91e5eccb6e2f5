import type { Branding, Pending, Snapshot } from '@parley/client/public';
import type { GivenStrings } from './ui/strings.ts';

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

/**
 * An answer that the server does not have yet. It is shown in the transcript until it has; a refused one in its field.
 */
export interface Outgoing {
  /** The question that it answers. */
  stepId: string;
  answer: Answer;
  /** The answer as the customer would say it. */
  words: string;
  /** `waiting`: sent again by itself when the network is back; `refused`: the customer has to change it. */
  state: 'sending' | 'waiting' | 'refused';
  /**
   * Why it was refused. `invalid`: no answer to this question; `moved-on`: the talk has continued elsewhere and asks
   * again; `failed`: the server cannot take it.
   */
  refusal?: 'invalid' | 'moved-on' | 'failed';
  /** Why it was refused, in the server's words, where it has said. */
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

/** One talk as a screen holds it: shows `state`, calls the others. Whoever has made it ends it, not the screen. */
export interface Talk {
  readonly state: TalkState;
  /**
   * Calls the listener after every change of `state`. Returns a function that unsubscribes. The talk is fetched and
   * polled while it has subscribers: a screen subscribes while it shows the talk.
   */
  subscribe(listener: () => void): () => void;
  /** Starts a talk that waits, or goes on with one that has begun. */
  start(): void;
  /** Sends an answer to the question of the snapshot. Ignored while another is on its way. */
  send(answer: Answer, words: string): void;
  /** Asks the network again at once, for what waits to be sent and for the talk itself. */
  retry(): void;
  /** The customer changes what was refused. */
  clearRefusal(): void;
  /** Ends all that is under way. May be called again; nothing else has an effect afterwards. */
  dispose(): void;
}

/** An interaction that waits for the customer. */
export type Waiting = Pending;

/** How the widget looks; every part has a default. */
export interface Theme {
  /** A colour as `#rgb` or `#rrggbb`; that of text on it is derived. */
  accent?: string | undefined;
  /** Of corners, in pixels. */
  radius?: number | undefined;
  /** The lower corner where it sits: the right one unless given. */
  position?: 'left' | 'right' | undefined;
  zIndex?: number | undefined;
  /** `auto` (the customer's system), `light` or `dark`; the page's own unless given. */
  colorScheme?: 'auto' | 'light' | 'dark' | undefined;
}

/**
 * How the popup shows what waits. `open`: the panel, without focus; `teaser`: the launcher with the bot's first words;
 * `badge`: the launcher with a mark; `quiet`: the launcher alone, for a talk that has ended.
 */
export type PopupMode = 'open' | 'teaser' | 'badge' | 'quiet';

export type { Branding };

/** What the popup is given. */
export interface PopupOptions {
  /** The popup adds its one host element here. */
  container: HTMLElement;
  /** A BCP 47 language tag. It is read at each drawing, since a page may change it. */
  readonly locale: string;
  /** The page's words for the widget's own, as far as it has any. */
  strings?: GivenStrings | undefined;
  theme: Theme;
  /** Of the workspace; what the page says itself goes before. */
  branding?: Branding | undefined;
  /** The talk of an interaction; the same object for the same interaction. Called when its panel is to be shown. */
  talkFor(waiting: Waiting): Talk;
  /** The panel has come up, by whichever way. */
  onOpen(waiting: Waiting): void;
  /** The panel has gone, by whichever way but `hide` and `unmount`. */
  onClose(waiting: Waiting): void;
  /** The customer does not want the teaser; the popup shows the badge now. */
  onDismiss(waiting: Waiting): void;
}

/** The widget on a client's page. Begins with nothing shown but its live region. */
export interface Popup {
  /** Puts the host element back if the page has taken it away, and speaks the language that the page has now. */
  refresh(): void;
  /** Shows what waits. An open panel stays open if it is the same interaction, and turns to the other one if not. */
  show(waiting: Waiting, mode: PopupMode): void;
  /** Opens the panel of what was shown last, because somebody asked for it: it takes the focus. */
  open(): void;
  /** Closes the panel; the launcher stays. */
  close(): void;
  /** Nothing waits any more: takes launcher and panel away. */
  hide(): void;
  /** Removes the host element with all that belongs to it. May be called again. */
  unmount(): void;
}

/** Exported by the UI chunk. */
export type MountPopup = (options: PopupOptions) => Popup;

/** What the landing page's screen is given: all it shows comes from the talk, also that a link leads nowhere. */
export interface LandingOptions {
  container: HTMLElement;
  /** A BCP 47 language tag. */
  locale: string;
  theme: Theme;
  branding?: Branding | undefined;
  talk: Talk;
  /** The bot's first words; empty where there are none. */
  teaser: Promise<string>;
}

/** Shows the talk as a page of its own. Answers a function that removes it. */
export type MountLanding = (options: LandingOptions) => () => void;
