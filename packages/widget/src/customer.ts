import { createPublicClient } from '@parley/client/public';
import { createDetector } from './detector.ts';
import { notify } from './events.ts';
import { NobodyError } from './failure.ts';
import { tagOf } from './language-tag.ts';
import type { Waiting } from './model.ts';
import { browserPage, type Page } from './page.ts';
import { customerSession, type GetCustomerToken, type Session } from './session.ts';

/** Where the API is, and who the customer is. */
export interface CustomerOptions {
  /** Of the API, without a path of it. */
  baseUrl: string;
  workspaceId: string;
  /** Makes a token for who is logged in, null for nobody. Run again when a token ends or is refused. */
  getCustomerToken: GetCustomerToken;
  /** A token that has been got already: used first. */
  firstToken?: string | undefined;
  /**
   * The customer's language, a BCP 47 tag: bots speak it where they can, else their own. It is read at each asking, since a
   * page may change it.
   */
  readonly locale?: string | undefined;
  /** Told what waits each time that it was asked for. */
  onFound: (waiting: Waiting | null) => void;
  /** The page's token is for another customer now, or for nobody (undefined): this one's session and asking have ended. */
  onOtherCustomer: (token: string | undefined) => void;
  onError: (error: unknown) => void;
}

/** A customer on a page: a session, and the asking for what waits. */
export interface Customer {
  session: Session;
  /** Aborted by `end`, and when the page's token is for somebody else. */
  signal: AbortSignal;
  page: Page;
  /**
   * Asks at once what waits, or right after the call under way. Rejects with a `ParleyError`, or with what the token call has
   * thrown.
   */
  check(): Promise<Waiting | null>;
  /** Ends the session and the asking with every call under way. May be called again. */
  end(): void;
}

/** After how long a page without a customer is asked again. */
const nobodyMs = 60_000;

// As it was before the page could patch it.
const { fetch } = globalThis;

/** The calls of the API as a browser makes them: pauses and repetitions are the widget's own. */
export function browserClient(baseUrl: string): ReturnType<typeof createPublicClient> {
  return createPublicClient({
    baseUrl,
    // What was said is not to lie in the browser's cache.
    fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    retries: 0,
    timeoutMs: 15_000,
  });
}

/** Asks for what waits for the customer, from now on. Throws a TypeError where an option is missing that it cannot do without. */
export function connectCustomer(options: CustomerOptions): Customer {
  if (!options.workspaceId || typeof options.getCustomerToken !== 'function') {
    throw new TypeError('workspaceId and getCustomerToken, a function, must be given');
  }
  const life = new AbortController();
  const page = browserPage();
  const end = (): void => {
    // Who is still asking is told: no call of theirs can succeed any more.
    life.abort(new NobodyError('the customer has gone'));
    detector.stop();
  };
  const session = customerSession({
    api: browserClient(options.baseUrl),
    workspaceId: options.workspaceId,
    getCustomerToken: options.getCustomerToken,
    firstToken: options.firstToken,
    signal: life.signal,
    onOtherCustomer: (token) => {
      end();
      notify(options.onOtherCustomer, token);
    },
  });
  const detector = createDetector({
    page,
    ask: async (signal) => {
      try {
        return await session.call(async ({ client, pollAfterMs }) => {
          const locale = tagOf(options.locale);
          return { waiting: await client.getPending({ signal, locale }), pollAfterMs };
        }, signal);
      } catch (error) {
        if (error instanceof NobodyError) return { waiting: null, pollAfterMs: nobodyMs };
        throw error;
      }
    },
    onFound: options.onFound,
    onError: options.onError,
  });
  return { session, signal: life.signal, page, check: detector.check, end };
}
