import { callWithRetry } from './calls/call-with-retry.ts';
import { type CallOptions, retriesDefault, type Send } from './calls/call.ts';
import { noAnswer } from './calls/no-answer.ts';
import { openStream } from './calls/open-stream.ts';
import type { CallInput, Operation } from './calls/request.ts';

/** Returns the content of a file, whose answer is no envelope. It is retried like other reads. */
export async function readFile(
  send: Send,
  operation: Operation,
  input: CallInput,
  options: CallOptions = {},
): Promise<Uint8Array> {
  const { connection } = send;
  const attempt = async () => {
    const stream = await openStream(send, operation, input, options);
    const data = await new Response(stream).arrayBuffer().catch((cause: unknown) => {
      options.signal?.throwIfAborted();
      throw noAnswer(cause);
    });
    return {
      data: new Uint8Array(data),
      meta: null,
      etag: undefined,
      requestId: undefined,
      isReplayed: false,
    };
  };
  const read = callWithRetry(attempt, operation, connection.retries ?? retriesDefault, options.signal);
  return (await read.catch(connection.failed)).data as Uint8Array;
}

/** Returns the content of a text file. */
export async function readText(...call: Parameters<typeof readFile>): Promise<string> {
  return new TextDecoder().decode(await readFile(...call));
}
