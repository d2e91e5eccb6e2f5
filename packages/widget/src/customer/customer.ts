import { createPublicClient } from '@parley/client/public';
import { joinCustomerTabs } from './customer-tabs.ts';
import { createPendingPoller, type Found } from './pending-poller.ts';
import { notify } from '../page/events.ts';
import { explainOrigin } from './explain-origin.ts';
import { NobodyError } from './failure.ts';
import { tagOf } from '../page/language-tag.ts';
import type { Waiting } from '../model.ts';
import { browserPage, type Page } from '../page/page.ts';
import { customerSession, type GetCustomerToken, type Session } from './session.ts';
import { createSleeper } from '../page/sleep.ts';

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
  onFound: (waiting: Waiting | null) => void;
  /**
   * This customer's session has ended: remove all that is shown, and connect again with the token, and with
   * `isDormant` unless the reason is `changed`.
   */
  onOtherCustomer: (token: string | undefined, reason: EndReason) => void;
  /**
   * Makes no call before the customer returns to the page, a `check`, or a minute: after a log-out in another tab the
   * page's backend may still give tokens of the former customer.
   */
  isDormant?: boolean | undefined;
  onError: (error: unknown) => void;
}

/**
 * Why a customer's session has ended. `changed`: the page's token is for another customer, or for nobody; `logged-out`:
 * in another tab; `left`: the browser keeps the page for its back button.
 */
export type EndReason = 'changed' | 'logged-out' | 'left';

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
  /** Ends the customer's session in every tab of this origin. */
  logout(): void;
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
  const { baseUrl, workspaceId, getCustomerToken, firstToken } = options;
  const life = new AbortController();
  const { signal } = life;
  const page = browserPage();
  const rest = createSleeper();
  const end = (): void => {
    // Rejects pending calls.
    life.abort(new NobodyError('the session of the customer has ended'));
    poller.stop();
    tabs.close();
  };
  const endFor = (reason: EndReason, token?: string): void => {
    if (signal.aborted) return;
    end();
    notify(options.onOtherCustomer, token, reason);
  };
  const tabs = joinCustomerTabs(workspaceId, {
    onLogout: () => endFor('logged-out'),
    // Pages of one origin may have different customers, so each asks its own backend. Without an answer, it ends.
    onOtherCustomer: () => void session.verify().catch(() => endFor('logged-out')),
  });
  const session = customerSession({
    api: browserClient(baseUrl),
    workspaceId,
    getCustomerToken,
    firstToken,
    signal,
    ready: options.isDormant ? rest.sleep(nobodyMs, signal) : undefined,
    onToken: tabs.announce,
    onOtherCustomer: (token) => endFor('changed', token),
  });
  for (const event of ['restored', 'visible', 'focus'] as const) page.on(event, rest.wake, signal);
  // Removes all that is shown: the next customer may be the one who comes back.
  page.on('left', () => endFor('left'), signal);
  const poller = createPendingPoller({
    page,
    poll: (signal) => poll(session, options, signal),
    onFound: options.onFound,
    onError: (error) => {
      explainOrigin(error, options);
      options.onError(error);
    },
  });
  const check = (): Promise<Waiting | null> => {
    rest.wake();
    return poller.check();
  };
  const logout = (): void => {
    if (!signal.aborted) tabs.logout();
    end();
  };
  return { session, signal, page, check, end, logout };
}

async function poll(session: Session, options: CustomerOptions, signal: AbortSignal): Promise<Found> {
  try {
    return await session.call(async ({ client, pollAfterMs }) => {
      const locale = tagOf(options.locale);
      return { waiting: await client.getPending({ locale }, { signal }), pollAfterMs };
    }, signal);
  } catch (error) {
    if (error instanceof NobodyError) return { waiting: null, pollAfterMs: nobodyMs };
    throw error;
  }
}
