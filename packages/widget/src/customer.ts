import { createPublicClient } from '@parley/client/public';
import { createPendingPoller } from './pending-poller.ts';
import { notify } from './events.ts';
import { NobodyError } from './failure.ts';
import { tagOf } from './language-tag.ts';
import type { Waiting } from './model.ts';
import { browserPage, type Page } from './page.ts';
import { customerSession, type GetCustomerToken, type Session } from './session.ts';

/** The API's address, and the customer. */
export interface CustomerOptions {
  /** The base URL of the API, without its path. */
  baseUrl: string;
  workspaceId: string;
  /** Returns a token of the customer, null for nobody. Called again when a token expires or is rejected. */
  getCustomerToken: GetCustomerToken;
  /** A token that is already known, used first. */
  firstToken?: string | undefined;
  /**
   * The customer's language, a BCP 47 tag: bots use it if they can, else their own. Read at each call, because a page
   * may change it.
   */
  readonly locale?: string | undefined;
  /** Receives the interaction that waits, after each call. */
  onFound: (waiting: Waiting | null) => void;
  /** The page's token is now for another customer, or for nobody (undefined). This customer's session has ended. */
  onOtherCustomer: (token: string | undefined) => void;
  onError: (error: unknown) => void;
}

/** A customer on a page: a session, and the poller of the pending interaction. */
export interface Customer {
  session: Session;
  /** Aborted by `end`, and when the page's token is for another customer. */
  signal: AbortSignal;
  page: Page;
  /**
   * Asks at once what waits, or after the current call. Rejects with a `ParleyError`, or with the error of the token
   * call.
   */
  check(): Promise<Waiting | null>;
  /** Ends the session, the poller and every call. May be called again. */
  end(): void;
}

/** The delay before a page without a customer is asked again. */
const nobodyMs = 60_000;

// Kept before the page can patch it.
const { fetch } = globalThis;

/** Returns a client for browsers without retries: the widget retries itself. */
export function browserClient(baseUrl: string): ReturnType<typeof createPublicClient> {
  return createPublicClient({
    baseUrl,
    // Keeps the transcript out of the browser's cache.
    fetch: (url, init) => fetch(url, { ...init, cache: 'no-store' }),
    retries: 0,
    timeoutMs: 15_000,
  });
}

/**
 * Starts to ask which interaction waits for the customer. Throws a TypeError without `workspaceId` or
 * `getCustomerToken`.
 */
export function connectCustomer(options: CustomerOptions): Customer {
  if (!options.workspaceId || typeof options.getCustomerToken !== 'function') {
    throw new TypeError('workspaceId and getCustomerToken, a function, must be given');
  }
  const life = new AbortController();
  const page = browserPage();
  const end = (): void => {
    // Rejects pending calls.
    life.abort(new NobodyError('the session of the customer has ended'));
    poller.stop();
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
  const poller = createPendingPoller({
    page,
    poll: async (signal) => {
      try {
        return await session.call(async ({ client, pollAfterMs }) => {
          const locale = tagOf(options.locale);
          return { waiting: await client.getPending({ locale }, { signal }), pollAfterMs };
        }, signal);
      } catch (error) {
        if (error instanceof NobodyError) return { waiting: null, pollAfterMs: nobodyMs };
        throw error;
      }
    },
    onFound: options.onFound,
    onError: options.onError,
  });
  return { session, signal: life.signal, page, check: poller.check, end };
}
