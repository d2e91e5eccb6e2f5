import type { Snapshot } from '@parley/client/public';
import type { Theme, Waiting } from '../model.ts';
import type { GetCustomerToken } from '../customer/session.ts';
import type { GivenStrings } from '../ui/language/strings.ts';

/** The options of `init`. */
export interface InitOptions {
  /** Of the API, without a path. */
  baseUrl: string;
  workspaceId: string;
  /** Returns a token of the logged-in customer, or null. Called again when a token ends or is rejected. */
  getCustomerToken: GetCustomerToken;
  /** A BCP 47 language tag. Default: the page's language. */
  locale?: string | undefined;
  /** The page's own texts, which replace the widget's in every language. */
  strings?: GivenStrings | undefined;
  theme?: Theme | null | undefined;
  /** False: interactions of high priority do not open by themselves either. */
  autoOpen?: boolean | undefined;
  /** The parent of the widget's element. Default: the document's root, beside the body. */
  container?: HTMLElement | undefined;
}

export interface WidgetEvents {
  /** Another interaction waits for the customer. */
  available: Waiting;
  /** The panel has opened. */
  open: { interactionId: string };
  /** The panel has closed. */
  close: { interactionId: string };
  started: { interactionId: string };
  /** Something was said, by the bot or the customer. */
  message: { interactionId: string; entry: Snapshot['entries'][number] };
  completed: { interactionId: string };
  expired: { interactionId: string };
  /** An error that the customer does not see. The widget continues if it can. */
  error: { error: unknown };
}
