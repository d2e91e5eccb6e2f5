import type { Branding, createPublicClient, SessionClient } from '@parley/client/public';
import { epochMs } from '../page/epoch-ms.ts';
import { NobodyError, asParleyError } from './failure.ts';

export interface OpenSession {
  client: SessionClient;
  /** The delay of the next call for what waits. */
  pollAfterMs: number;
  /** For the session of a link: its interaction. */
  link?: { interactionId: string; botName: string };
  /** What customers see of the workspace, for the session of a customer. */
  branding?: Branding | undefined;
  /** The time of renewal in epoch milliseconds, which also count while the computer sleeps. */
  staleAt: number;
}

/** A session that opens with its first call and renews itself. Its tokens are in memory only. */
export interface Session {
  /**
   * Makes a call with an open session; retries once with a new session after a 401. Rejects with the signal's reason as
   * soon as it is aborted.
   */
  call<Result>(work: (opened: OpenSession) => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

/**
 * Returns a token of the customer who is logged in on the page: the token itself, or the JSON text `{customerToken}`.
 * Returns null, undefined or an empty text if nobody is logged in.
 */
export type GetCustomerToken = () => Promise<string | null | undefined> | string | null | undefined;

type PublicClient = ReturnType<typeof createPublicClient>;

const renewalMs = 60_000;
const pollAfterMs = 60_000;
/** The time limit of the page's token call: all calls wait for it. */
const tokenMs = 15_000;
/** The pause after refused tokens: a faulty backend is not fixed within seconds. */
const refusalMs = 60_000;
const refusalMsMax = 600_000;

/** Returns a session with the token of a link. It ends with the signal. */
export function linkSession(api: PublicClient, token: string, signal: AbortSignal): Session {
  return createSession(async () => {
    const { workspaceId, sessionToken, interactionId, botName } = await api.createLinkSession(
      { token },
      { signal },
    );
    const client = api.session({ workspaceId, sessionToken });
    return { client, pollAfterMs, link: { interactionId, botName }, staleAt: Number.POSITIVE_INFINITY };
  });
}

export interface CustomerSessionOptions {
  api: PublicClient;
  workspaceId: string;
  /**
   * Called before the session ends, and once when its token is refused. If the next token is refused too, calls
   * reject with that error for a minute, and after each further refusal for twice as long, up to ten minutes. A call
   * without an answer after 15 seconds fails with a retryable error.
   */
  getCustomerToken: GetCustomerToken;
  /** A token that is already known, used first. */
  firstToken?: string | undefined;
  /** A later token is for another customer, or for nobody (undefined). The session makes no further call. */
  onOtherCustomer: (token: string | undefined) => void;
  /** Receives the customer of each token; undefined for nobody. */
  onToken: (customer: string | undefined) => void;
  /** The session makes no call before. */
  ready?: Promise<void> | undefined;
  signal: AbortSignal;
}

/** A session with tokens of the page's backend. */
export interface CustomerSession extends Session {
  /** Asks the page's backend whether the customer is still logged in; otherwise calls `onOtherCustomer`. */
  verify(): Promise<void>;
}

/** Returns a session with tokens of the page's backend. Calls reject with `NobodyError` when nobody is logged in. */
export function customerSession(options: CustomerSessionOptions): CustomerSession {
  const { api, workspaceId, getCustomerToken, onOtherCustomer, onToken, ready, signal } = options;
  let { firstToken } = options;
  let customer: string | undefined;
  let isOver = false;
  let refusals = 0;
  let refused: { error: unknown; until: number } | undefined;

  const getToken = async (): Promise<string> => {
    const token = firstToken ?? parseToken(await withTimeout(getCustomerToken));
    firstToken = undefined;
    signal.throwIfAborted();
    const found = token && customerOf(token);
    if (token === undefined || found !== undefined) onToken(found);
    if (customer !== undefined && found !== customer && !isOver) {
      isOver = true;
      onOtherCustomer(token);
    }
    if (isOver || token === undefined) throw new NobodyError('nobody is logged in');
    customer = found;
    return token;
  };
  const begin = async () => api.createSession(workspaceId, { customerToken: await getToken() }, { signal });

  const session = createSession(async () => {
    await ready;
    signal.throwIfAborted();
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
    const staleAt = epochMs() + Math.max(expiresIn * 1_000 - renewalMs, expiresIn * 500);
    return { client, pollAfterMs: pollAfter * 1_000, branding, staleAt };
  });
  return { ...session, verify: async () => void (await getToken()) };
}

/**
 * Returns the customer of a token, its `sub` (RFC 7519), without verification: the server verifies. Undefined for a
 * text that is no such token.
 */
export function customerOf(token: string): string | undefined {
  try {
    const [, payload = ''] = token.split('.');
    const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
    const { sub } = JSON.parse(text) as { sub?: unknown };
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a session that its calls share; the first call opens it. */
function createSession(open: () => Promise<OpenSession>): Session {
  let opening: Promise<OpenSession> | undefined;
  let staleAt = Number.POSITIVE_INFINITY;
  const forget = (one: Promise<OpenSession>): void => {
    if (opening === one) opening = undefined;
  };
  const begin = (): Promise<OpenSession> => {
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
        if (epochMs() >= staleAt) opening = undefined;
        const own = (opening ??= begin());
        const opened = await abortable(own, signal);
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
  return asParleyError(error)?.status === 401;
}

function parseToken(answered: string | null | undefined): string | undefined {
  const text = answered?.trim();
  return (
    (text?.startsWith('{') ? (JSON.parse(text) as { customerToken?: string }).customerToken : text) ||
    undefined
  );
}

/** Rejects when the page's token call takes too long. */
async function withTimeout(getCustomerToken: GetCustomerToken): Promise<string | null | undefined> {
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

/** Rejects as soon as the signal is aborted: the page's token call may never answer. */
function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
