import type { Branding, createPublicClient, SessionClient } from '@parley/client/public';
import { customerOf } from './customer-of.ts';
import { NobodyError, ofApi } from './failure.ts';

/** What a session opens. */
export interface Opened {
  client: SessionClient;
  /** After how long to ask again for what waits. */
  pollAfterMs: number;
  /** For the session of a link: the one interaction that it reaches. */
  link?: { interactionId: string; botName: string };
  /** What customers see of the workspace, for the session of a customer. */
  branding?: Branding | undefined;
  /** From when on it is not used any more: epoch, in milliseconds, since it ages while the computer sleeps, too. */
  staleAt: number;
}

/** A session that is begun when it is needed and renewed as often as it has to. Its tokens are in memory only. */
export interface Session {
  /**
   * Makes a call under a live session; one that is refused (401) is made once more, under a new session.
   * Rejects with the signal's reason once it is aborted, whatever is still under way.
   */
  call<Result>(work: (opened: Opened) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/**
 * Returns a token of the customer who is logged in on the page: the token itself, or the JSON text `{customerToken}`.
 * Returns null, undefined or an empty text if nobody is logged in.
 */
export type GetCustomerToken = () => Promise<string | null | undefined> | string | null | undefined;

type PublicClient = ReturnType<typeof createPublicClient>;

const renewalMs = 60_000;
const pollAfterMs = 60_000;
/** Of the page's token call. All calls wait for it, so one that never answers must not hold them up for good. */
const tokenMs = 15_000;
/** A backend that makes tokens which are refused is not mended within seconds. */
const refusalMs = 60_000;
const refusalMsMax = 600_000;

/** A session by the token of a link. It ends with the signal. */
export function linkSession(api: PublicClient, token: string, signal: AbortSignal): Session {
  return createSession(async () => {
    const { workspaceId, sessionToken, interactionId, botName } = await api.createLinkSession(token, {
      signal,
    });
    const client = api.session({ workspaceId, sessionToken });
    return { client, pollAfterMs, link: { interactionId, botName }, staleAt: Number.POSITIVE_INFINITY };
  });
}

/** What the session of a customer is made of. */
export interface CustomerSessionOptions {
  api: PublicClient;
  workspaceId: string;
  /**
   * Run again before the session ends, and once when its token is refused. When the next one is refused as well no call is
   * made for a minute, and after each further refusal for twice as long, up to ten minutes: all calls reject with it.
   * What it has not answered after 15 seconds is given up, with an error that passes.
   */
  getCustomerToken: GetCustomerToken;
  /** A token that has been got already: used first. */
  firstToken?: string | undefined;
  /** A later token is for another customer, or for nobody (undefined). The session makes no call from then on. */
  onOtherCustomer: (token: string | undefined) => void;
  /** Ends the session. */
  signal: AbortSignal;
}

/** A session by tokens that the page's backend makes. Calls reject with `NobodyError` when nobody is logged in. */
export function customerSession(options: CustomerSessionOptions): Session {
  const { api, workspaceId, getCustomerToken, onOtherCustomer, signal } = options;
  let { firstToken } = options;
  let customer: string | undefined;
  let isOver = false;
  let refusals = 0;
  let refused: { error: unknown; until: number } | undefined;

  const getToken = async (): Promise<string> => {
    const token = firstToken ?? tokenIn(await inTime(getCustomerToken));
    firstToken = undefined;
    signal.throwIfAborted();
    const found = token && customerOf(token);
    if (customer !== undefined && found !== customer && !isOver) {
      isOver = true;
      onOtherCustomer(token);
    }
    if (isOver || token === undefined) throw new NobodyError('nobody is logged in');
    customer = found;
    return token;
  };
  const begin = async () => api.createSession(workspaceId, await getToken(), { signal });

  return createSession(async () => {
    if (refused && performance.now() < refused.until) throw refused.error;
    const { sessionToken, expiresIn, pollAfter, branding } = await begin()
      .catch((error: unknown) => {
        if (!isUnauthenticated(error)) throw error;
        return begin();
      })
      .catch((error: unknown) => {
        if (isUnauthenticated(error)) {
          const forMs = Math.min(refusalMsMax, refusalMs * 2 ** refusals++);
          refused = { error, until: performance.now() + forMs };
        }
        throw error;
      });
    refusals = 0;
    const client = api.session({ workspaceId, sessionToken });
    const staleAt = Date.now() + Math.max(expiresIn * 1_000 - renewalMs, expiresIn * 500);
    return { client, pollAfterMs: pollAfter * 1_000, branding, staleAt };
  });
}

/** Many calls share one session; the first that needs one begins it. */
function createSession(open: () => Promise<Opened>): Session {
  let opening: Promise<Opened> | undefined;
  let staleAt = Number.POSITIVE_INFINITY;
  const forget = (one: Promise<Opened>): void => {
    if (opening === one) opening = undefined;
  };
  const begin = (): Promise<Opened> => {
    staleAt = Number.POSITIVE_INFINITY;
    const own = open();
    own.then(
      (opened) => {
        staleAt = opened.staleAt;
      },
      () => forget(own),
    );
    return own;
  };
  return {
    call: async (work, signal) => {
      for (let tries = 1; ; tries += 1) {
        signal.throwIfAborted();
        if (Date.now() >= staleAt) opening = undefined;
        const own = (opening ??= begin());
        const opened = await unlessAborted(own, signal);
        try {
          return await work(opened);
        } catch (error) {
          signal.throwIfAborted();
          if (!isUnauthenticated(error)) throw error;
          forget(own);
          if (tries > 1) throw error;
        }
      }
    },
  };
}

function isUnauthenticated(error: unknown): boolean {
  return ofApi(error)?.status === 401;
}

function tokenIn(answered: string | null | undefined): string | undefined {
  const text = answered?.trim();
  return (
    (text?.startsWith('{') ? (JSON.parse(text) as { customerToken?: string }).customerToken : text) ||
    undefined
  );
}

/** Rejects when the page's token call takes too long; what it answers later counts for nothing. */
async function inTime(getCustomerToken: GetCustomerToken): Promise<string | null | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('getCustomerToken has not answered')), tokenMs);
  });
  try {
    return await Promise.race([getCustomerToken(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects as soon as the signal is aborted: a token call of the page may never answer. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
