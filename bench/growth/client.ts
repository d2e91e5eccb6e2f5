import { type Connection, openConnection } from '../load/connection.ts';

export interface Timed {
  ms: number;
  body: { data: unknown; meta: { totalResults: number; totalPages: number } | null };
}

/** A call without 200; the message is short. */
export class CallFault extends Error {
  override readonly name = 'CallFault';
}

/** A client with one connection that makes one call at a time. */
export interface Client extends Disposable {
  /** Throws `CallFault` unless the answer is 200. */
  call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Timed>;
}

/** Connects to the server, with an Authorization header for all calls. */
export function openClient(port: number, authorization: string): Client {
  let connection: Connection | undefined;
  let answered: PromiseWithResolvers<{ status: number; text: string }> = Promise.withResolvers();
  // A server may close an idle connection: the next call opens another one.
  const open = (): Connection =>
    openConnection(port, {
      onAnswer: (status, answer) => answered.resolve({ status, text: answer.toString('utf8') }),
      onBroken: (reason) => {
        connection = undefined;
        answered.reject(new Error(reason));
      },
    });
  return {
    call: async (method, path, body) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const fields = [`Host: 127.0.0.1:${port}`, `Authorization: ${authorization}`];
      if (text) fields.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`);
      answered = Promise.withResolvers();
      connection ??= open();
      const startedAt = performance.now();
      connection.send(`${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${text}`);
      const { status, text: answer } = await answered.promise;
      const ms = performance.now() - startedAt;
      const json = answer.slice(answer.indexOf('\r\n\r\n') + 4);
      if (status !== 200) throw new CallFault(`${status} after ${(ms / 1000).toFixed(1)} s: ${json}`);
      return { ms, body: JSON.parse(json) as Timed['body'] };
    },
    [Symbol.dispose]: () => connection?.close(),
  };
}
