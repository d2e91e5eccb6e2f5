import { type Answer, readAnswer } from './answer.ts';
import { callWithRetry } from './call-with-retry.ts';
import { type Operations, operations } from './gen/api.ts';
import { noAnswer } from './no-answer.ts';
import { initOf, urlOf } from './request.ts';

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

/** What is under way: a promise of the data, or by `answer()` of the data with what came in the header. */
export interface Call<Data> extends Promise<Data> {
  answer(): Promise<Answer<Data>>;
}

type OperationId = keyof Operations;

/** What an operation resolves to: its data, or a page of a list. */
export type Result<Id extends OperationId> = Operations[Id]['data'] extends unknown[]
  ? Pick<Operations[Id], 'data' | 'meta'>
  : Operations[Id]['data'];

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
      const { data, meta, ...rest } = await callWithRetry(
        () => attempt(url, init, options),
        operation,
        retries,
        options.signal,
      );
      return { ...rest, data: (Array.isArray(data) ? { data, meta } : data) as Result<Id> };
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
