import { type Answer, readAnswer } from './answer.ts';
import { ParleyError } from './error.ts';
import { type CursorMeta, type Operation, type Operations, operations, type PageMeta } from './gen/api.ts';
import { noAnswer } from './no-answer.ts';
import { initOf, urlOf } from './request.ts';
import { hasLostAnswer, isPassing, waitMs } from './retry.ts';

/** Where calls go, and how. */
export interface Connection {
  /** Without the `/v1`. */
  baseUrl: string;
  /** The platform's own unless given. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** For each try, from 1 to 2147483647; 30 s unless given. */
  timeoutMs?: number;
  /** How often a call that failed for a passing reason is sent again; 3 times unless given. */
  retries?: number;
}

export interface CallOptions {
  /** Ends the call, or the waiting for its next try, at once; it then rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** For a call that creates. */
export interface CreateOptions extends CallOptions {
  /** Made up for each call unless given: give one to repeat a call beyond the life of this process. */
  idempotencyKey?: string;
}

/** For a call that changes one thing. */
export interface ChangeOptions extends CallOptions {
  /** An ETag: 412 when the thing is not that version any more. */
  ifMatch?: string;
}

/** One page of a list. */
export interface Page<Item> {
  data: Item[];
  meta: PageMeta;
}

/** One page of a list that is read by cursor. */
export interface CursorPage<Item> {
  data: Item[];
  meta: CursorMeta;
}

/** What is under way: a promise of the data, or by `answer()` of the data with what came in the header. */
export interface Call<Data> extends Promise<Data> {
  answer(): Promise<Answer<Data>>;
}

type OperationId = keyof Operations;

/** What an operation resolves to: its data, or a page of it. */
export type Result<Id extends OperationId> = Operations[Id]['meta'] extends null
  ? Operations[Id]['data']
  : Pick<Operations[Id], 'data' | 'meta'>;

/** Sends one operation. */
export type Send = <Id extends OperationId>(
  id: Id,
  input: Operations[Id]['input'],
  options?: CreateOptions & ChangeOptions,
) => Call<Result<Id>>;

export const defaultTimeoutMs = 30_000;

/** The longest that timers wait: with more they end at once. */
const timeoutMsMax = 2 ** 31 - 1;

/**
 * Makes the one function that all calls go through. A call that may be repeated is sent again after a passing failure,
 * with the same Idempotency-Key where it creates: it has its effect once. Throws a TypeError for options that cannot be
 * kept to; a call with arguments that cannot be sent rejects with one, and sends nothing.
 */
export function connect(connection: Connection, authorization?: string): Send {
  const { baseUrl, retries = 3 } = connection;
  if (!(retries >= 0)) throw new TypeError(`retries must be 0 or more, and is ${retries}`);
  checkTimeout(connection.timeoutMs);
  const fetch = connection.fetch ?? globalThis.fetch;

  const attempt = async (url: string, init: RequestInit, options: CallOptions) => {
    const limit = AbortSignal.timeout(options.timeoutMs ?? connection.timeoutMs ?? defaultTimeoutMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { ...init, signal });
      text = await response.text();
    } catch (cause) {
      options.signal?.throwIfAborted();
      throw noAnswer(cause);
    }
    return readAnswer(response, text);
  };

  const insist = async (operation: Operation, url: string, init: RequestInit, options: CallOptions) => {
    let mayBeDone = false;
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt(url, init, options);
      } catch (error) {
        if (!(error instanceof ParleyError)) throw error;
        // The answer to the try that has deleted it was lost.
        if (error.status === 404 && operation.method === 'DELETE' && mayBeDone) return deleted(error);
        if (failures > retries || !operation.isRepeatable || !isPassing(error)) throw error;
        const delayMs = waitMs(failures, error.retryAfterSeconds);
        if (delayMs === undefined) throw error;
        mayBeDone ||= hasLostAnswer(error);
        await pause(delayMs, options.signal);
      }
    }
  };

  return <Id extends OperationId>(
    id: Id,
    input: Operations[Id]['input'],
    options: CreateOptions & ChangeOptions = {},
  ): Call<Result<Id>> => {
    const operation = operations[id];
    const send = async (): Promise<Answer<Result<Id>>> => {
      checkTimeout(options.timeoutMs);
      const url = urlOf(baseUrl, operation, input);
      const init = initOf(operation, input, { ...options, authorization });
      const { data, meta, ...rest } = await insist(operation, url, init, options);
      return { ...rest, data: (meta ? { data, meta } : data) as Result<Id> };
    };
    return callOf(send());
  };
}

function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (timeoutMs >= 1 && timeoutMs <= timeoutMsMax)) return;
  throw new TypeError(`timeoutMs must be from 1 to ${timeoutMsMax}, and is ${timeoutMs}`);
}

function callOf<Data>(sent: Promise<Answer<Data>>): Call<Data> {
  const data = sent.then((answer) => answer.data);
  const answer = (): Promise<Answer<Data>> => {
    // Who takes the answer hears of a failure by it.
    data.catch(() => {});
    return sent;
  };
  return Object.assign(data, { answer });
}

function deleted({ requestId }: ParleyError): ReturnType<typeof readAnswer> {
  return { data: null, meta: null, etag: undefined, requestId, isReplayed: false };
}

function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
