import { type Answer, readAnswer } from './answer.ts';
import { callWithRetry } from './call-with-retry.ts';
import { noAnswer } from './no-answer.ts';
import type { HeaderOptions } from '../gen/headers.ts';
import { checkBaseUrl, type Credential, initOf, type CallInput, type Operation, urlOf } from './request.ts';

/** The API's address, and how calls are sent. */
export interface Connection {
  /** Without the `/v1`. */
  baseUrl: string;
  /** Default: the `fetch` of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** For each attempt, from 1 to 2147483647. Default: 30 s, and the `wait` of a long poll. */
  timeoutMs?: number;
  /** How often a call is retried after a temporary failure. Default: 2. */
  retries?: number;
}

/** What a call can have beside its arguments. `Header` names the header fields that the call takes. */
export type CallOptions<Header extends keyof HeaderOptions = never> = Pick<HeaderOptions, Header> & {
  /** Ends the call, or the wait for its next attempt, at once. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Further header fields of the request. */
  headers?: Record<string, string>;
};

export type AnyOptions = CallOptions<keyof HeaderOptions>;

/** A promise of the data. `answer()` returns the data with the header fields. */
export interface Call<Data> extends Promise<Data> {
  answer(): Promise<Answer<Data>>;
}

/** Sends one operation. Resolves to its data, or to a page of a list. */
export interface Send {
  <Result>(operation: Operation, input: CallInput, options?: AnyOptions): Call<Result>;
  /** How calls are sent, for answers that are no envelope. */
  connection: Connection & { credential?: Credential; failed?: Failed };
}

/** Throws the error as one of the class of its kind. Browsers have one class only: their client must be small. */
export type Failed = (error: unknown) => never;

/** What only clients of keys and people have: bundles of browsers must be small. */
interface ClientOnly {
  failed?: Failed;
  /** Checks the options of a call, and returns their header fields. */
  fieldsOf?: (operation: Operation, options: AnyOptions) => Credential;
  /** Reads an answer. */
  textOf?: (response: Response) => Promise<string>;
}

const connectionNames = ['baseUrl', 'fetch', 'timeoutMs', 'retries'] satisfies (keyof Connection)[];
export const callNames = ['signal', 'timeoutMs', 'headers'] satisfies (keyof CallOptions)[];

/** By default, an attempt may take so long. */
export const timeoutMsDefault = 30_000;
/** By default, a call is repeated so often. */
export const retriesDefault = 2;

/** The longest delay of a timer: with more it fires at once. */
const timeoutMsMax = 2 ** 31 - 1;

/**
 * Returns the function that all calls use. It retries a repeatable call after a temporary failure, with the same
 * Idempotency-Key if the call creates something. So the call has its effect once. Throws a TypeError for invalid
 * options. A call with arguments that cannot be sent rejects with a TypeError and sends nothing.
 */
export function senderOf(
  connection: Connection,
  credential: Credential = {},
  { failed, fieldsOf = withoutFields, textOf = (response) => response.text() }: ClientOnly = {},
): Send {
  checkNames(connection, connectionNames);
  const { baseUrl, retries = retriesDefault, timeoutMs = timeoutMsDefault } = connection;
  checkBaseUrl(baseUrl);
  if (!(retries >= 0)) throw new TypeError(`retries must be 0 or more, not ${retries}`);
  checkTimeout(timeoutMs);
  const fetch = connection.fetch ?? globalThis.fetch;

  const attempt = async (url: string, init: RequestInit, limitMs: number, given: AbortSignal | undefined) => {
    const limit = AbortSignal.timeout(limitMs);
    const signal = given ? AbortSignal.any([given, limit]) : limit;
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { ...init, signal });
      text = await textOf(response);
    } catch (cause) {
      given?.throwIfAborted();
      throw noAnswer(cause);
    }
    return readAnswer(response, text);
  };

  const send = <Result>(operation: Operation, input: CallInput, options: AnyOptions = {}) => {
    const { signal } = options;
    const sent = async (): Promise<Answer<Result>> => {
      const fields = fieldsOf(operation, options);
      checkTimeout(options.timeoutMs);
      const limitMs = options.timeoutMs ?? timeoutMs + Number(input.query?.['wait'] ?? 0) * 1000;
      const url = urlOf(baseUrl, operation, input);
      const init = initOf(operation, input, { ...credential, ...fields }, options);
      const { data, meta, ...rest } = await callWithRetry(
        () => attempt(url, init, limitMs, signal),
        operation,
        retries,
        signal,
      ).catch(failed);
      return { ...rest, data: (Array.isArray(data) ? { data, meta } : data) as Result };
    };
    return callOf(sent());
  };
  send.connection = { ...connection, credential, ...(failed && { failed }) };
  return send;
}

function withoutFields(_: Operation, options: AnyOptions): Credential {
  checkNames(options, callNames);
  return {};
}

// A misspelt option would have no effect. Old libraries of a page replace `Object.keys` by one of inherited names.
export function checkNames(options: object, known: readonly string[]): void {
  const unknown = Reflect.ownKeys(options)
    .map(String)
    .find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`"${unknown}" is no option (${known.join(', ')})`);
}

export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined || (timeoutMs >= 1 && timeoutMs <= timeoutMsMax)) return;
  throw new TypeError(`timeoutMs must be from 1 to ${timeoutMsMax}, not ${timeoutMs}`);
}

function callOf<Data>(sent: Promise<Answer<Data>>): Call<Data> {
  const data = sent.then((answer) => answer.data);
  const answer = (): Promise<Answer<Data>> => {
    // The caller of `answer` handles the failure.
    data.catch(() => {});
    return sent;
  };
  return Object.assign(data, { answer });
}
