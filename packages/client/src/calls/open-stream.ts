import { readAnswer } from './answer.ts';
import { textOf } from './body.ts';
import { type AnyOptions, checkTimeout, type Send, timeoutMsDefault } from './call.ts';
import { headerFieldsOf } from './header-fields.ts';
import { noAnswer } from './no-answer.ts';
import { initOf, type CallInput, type Operation, urlOf } from './request.ts';

/** An export is silent while the gateway is busy, and while nothing matches: for more than a minute. */
const silenceMsMax = 120_000;

/**
 * Sends a read whose answer is a stream, once. Resolves to the stream when it begins: `timeoutMs` limits that. The
 * stream fails with `no-answer` if it was cut, or if nothing comes for `timeoutMs` and for two minutes.
 */
export async function openStream(
  { connection }: Pick<Send, 'connection'>,
  operation: Operation,
  input: CallInput,
  options: AnyOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const { signal } = options;
  const { baseUrl, credential = {}, fetch = globalThis.fetch } = connection;
  const limitMs = options.timeoutMs ?? connection.timeoutMs ?? timeoutMsDefault;
  const fields = headerFieldsOf(operation, options);
  checkTimeout(options.timeoutMs);
  const url = urlOf(baseUrl, operation, input);
  const init = initOf(operation, input, { ...credential, ...fields }, options);
  const headers = new Headers(init.headers);
  headers.set('accept', '*/*');
  const limit = new AbortController();
  const startTimer = (ms: number) =>
    setTimeout(() => limit.abort(new DOMException('Nothing came before the timeout', 'TimeoutError')), ms);
  const timer = startTimer(limitMs);
  const ended = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  const fail = (cause: unknown): never => {
    signal?.throwIfAborted();
    throw noAnswer(cause);
  };
  let response: Response;
  let failure = '';
  try {
    response = await fetch(url, { ...init, headers, signal: ended });
    if (response.status !== 200) failure = await textOf(response);
  } catch (cause) {
    return fail(cause);
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 200 && response.body) {
    return watched(response.body, (read) => {
      const silence = startTimer(Math.max(limitMs, silenceMsMax));
      return read
        .catch(fail)
        .catch(connection.failed)
        .finally(() => clearTimeout(silence));
    });
  }
  readAnswer(response, failure);
  throw noAnswer(new Error('the answer has no body'));
}

/** Returns the stream with each read watched: what the consumer does in between takes as long as it wants. */
function watched(
  body: ReadableStream<Uint8Array>,
  watch: <Result>(read: Promise<Result>) => Promise<Result>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await watch(reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
