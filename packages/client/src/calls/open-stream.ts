import { readAnswer } from './answer.ts';
import { textOf } from './body.ts';
import { type AnyOptions, checkTimeout, type Send, timeoutMsDefault } from './call.ts';
import { headerFieldsOf } from './header-fields.ts';
import { noAnswer } from './no-answer.ts';
import { initOf, type CallInput, type Operation, urlOf } from './request.ts';

/**
 * Sends a read whose answer is a stream, once. Resolves to the stream when it begins. `timeoutMs` limits that, and then
 * the time of each read without data. The stream fails if it was cut.
 */
export async function openStream(
  { connection }: Pick<Send, 'connection'>,
  operation: Operation,
  input: CallInput,
  options: AnyOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const { signal } = options;
  const { baseUrl, credential = {}, fetch = globalThis.fetch, timeoutMs = timeoutMsDefault } = connection;
  const fields = headerFieldsOf(operation, options);
  checkTimeout(options.timeoutMs);
  const url = urlOf(baseUrl, operation, input);
  const init = initOf(operation, input, { ...credential, ...fields }, options);
  const headers = new Headers(init.headers);
  headers.set('accept', '*/*');
  const limit = new AbortController();
  const startTimer = () => setTimeout(() => limit.abort(), options.timeoutMs ?? timeoutMs);
  const timer = startTimer();
  const ended = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  let response: Response;
  let failure = '';
  try {
    response = await fetch(url, { ...init, headers, signal: ended });
    if (response.status !== 200) failure = await textOf(response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw noAnswer(cause);
  } finally {
    clearTimeout(timer);
  }
  if (response.status === 200 && response.body) return limited(response.body, startTimer);
  readAnswer(response, failure);
  throw noAnswer(new Error('the answer has no body'));
}

/** Returns the stream with a timer for each read: what the consumer does in between takes as long as it wants. */
function limited(
  body: ReadableStream<Uint8Array>,
  startTimer: () => ReturnType<typeof setTimeout>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const timer = startTimer();
        const { done, value } = await reader.read().finally(() => clearTimeout(timer));
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
