import { type IncomingHttpHeaders, request } from 'node:http';
import { watchAnswer } from '@parley/testing/setup/watch-answers';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The bytes of the body as text. */
  text: string;
}

interface HttpRequest {
  method?: string;
  /** Sent unchanged: `fetch` would resolve `.` and `..`, and rejects unusual methods and headers. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends one HTTP request without the normalisation of `fetch`. */
export function sendHttp(
  baseUrl: string,
  { method = 'GET', path, headers, body }: HttpRequest,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status = 0, headers: fields, rawHeaders } = response;
        const text = Buffer.concat(chunks).toString('utf8');
        watchAnswer({ method, path, status, headers: headersOf(rawHeaders), body: text });
        resolve({ status, headers: fields, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function headersOf(raw: string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '');
  return headers;
}
