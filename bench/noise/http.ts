import { Agent, type ClientRequest, request } from 'node:http';

export interface HttpCall {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  body?: string;
}

export interface HttpAnswer {
  status: number;
  /** Empty unless it was asked for. */
  text: string;
}

/** A client with as many connections as it has calls in flight. */
export interface HttpClient extends Disposable {
  /** Throws if the connection fails before the end of the answer, and when the signal is aborted. */
  send(call: HttpCall, options: { signal: AbortSignal; wantsText?: boolean }): Promise<HttpAnswer>;
}

export function openHttpClient(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });
  return {
    send: ({ method, path, headers, body }, { signal, wantsText = false }) =>
      new Promise((resolve, reject) => {
        const fields = {
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
          ...headers,
        };
        const sent = request({ host: '127.0.0.1', port, method, path, headers: fields, agent, signal });
        sent.on('error', reject);
        receive(sent, wantsText).then(resolve, reject);
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function receive(sent: ClientRequest, wantsText: boolean): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => {
        if (wantsText) chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (response.complete) resolve({ status: response.statusCode ?? 0, text });
        else reject(new Error('the answer ended early'));
      });
    });
  });
}
