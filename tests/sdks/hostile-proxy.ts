import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Api } from '@parley/testing/api';
import type { Case, Fault } from './case.ts';

export interface ProxiedRequest {
  method: string;
  /** Path and query behind the prefix of the case. */
  path: string;
  idempotencyKey: string | undefined;
  headers: IncomingMessage['headers'];
}

/** A proxy between the SDKs and a gateway, with the faults of the cases. */
export interface HostileProxy extends AsyncDisposable {
  baseUrl: string;
  /** The requests of a case from a language, in order. */
  requestsOf(language: string, index: number): ProxiedRequest[];
}

/**
 * Starts a proxy on loopback. The path of a request begins with the name of a language and the index of a case.
 * `workspaces` are the workspaces of the languages, for faults that change something first.
 */
export async function startHostileProxy(
  target: string,
  cases: readonly Case[],
  workspaces: Record<string, Api>,
): Promise<HostileProxy> {
  const seen = new Map<string, ProxiedRequest[]>();
  const requestsOf = (language: string, index: number): ProxiedRequest[] => {
    const name = `${language}/${index}`;
    const requests = seen.get(name) ?? [];
    seen.set(name, requests);
    return requests;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url = '', headers } = request;
    const [, language = '', index = '', path = ''] = /^\/([^/]+)\/(\d+)(\/.*)$/.exec(url) ?? [];
    const idempotencyKey = headers['idempotency-key'] as string | undefined;
    const body = await buffer(request);
    const count = requestsOf(language, Number(index)).push({ method, path, idempotencyKey, headers });
    const fault = cases[Number(index)]?.faults?.[count - 1];
    if (fault?.do === 'drop') return void request.socket.destroy();
    if (fault?.do === 'raw') return void request.socket.end(fault.text, fault.encoding ?? 'utf8');
    if (fault?.do === 'large') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      return void response.end(largeAnswer());
    }
    if (fault?.do === 'flood') return flood(response, fault.status);
    if (fault?.do === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      return void response.end(
        typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body ?? {}),
      );
    }
    if (fault?.do === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.seconds * 1000));
    if (fault?.do === 'first')
      await workspaces[language]?.call(fault.method, fault.path, { body: fault.body });
    const { host: _host, connection: _connection, ...fields } = headers;
    const answer = await fetch(target + path, {
      method,
      headers: fields as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    await send(request, response, answer, Buffer.from(await answer.arrayBuffer()), fault ?? undefined);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requestsOf,
    [Symbol.asyncDispose]: () => {
      const closed = server[Symbol.asyncDispose]();
      server.closeAllConnections();
      return closed;
    },
  };
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  given: Buffer,
  fault: Fault | undefined,
): Promise<void> {
  if (fault?.do === 'lose') return void request.socket.destroy();
  if (fault?.do === 'empty') return void response.writeHead(fault.status).end();
  const compressed = fault?.do === 'gzip' && gzipSync(given);
  const body =
    fault?.do === 'merge'
      ? merged(given, fault.body)
      : compressed
        ? compressed.subarray(0, compressed.length - fault.missing)
        : given;
  const kept = [...answer.headers].filter(
    ([name]) => !/^(?:connection|keep-alive|content-(?:length|encoding)|transfer-encoding)$/.test(name),
  );
  response.writeHead(answer.status, {
    ...Object.fromEntries(kept),
    ...(compressed && { 'content-encoding': 'gzip' }),
    'content-length': body.length,
  });
  if (fault?.do === 'cut') {
    const end = fault.lines === undefined ? (fault.bytes ?? 0) : endOfLines(body, fault.lines) + 20;
    response.write(body.subarray(0, end), () => request.socket.destroy());
    return;
  }
  if (fault?.do === 'pause') {
    response.write(body.subarray(0, fault.bytes));
    await new Promise((resolve) => setTimeout(resolve, fault.seconds * 1000));
    return void response.end(body.subarray(fault.bytes));
  }
  if (fault?.do !== 'trickle') return void response.end(body);
  for (const byte of body) {
    if (response.destroyed) return;
    response.write(Uint8Array.of(byte));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

let compressed: Buffer | undefined;

/** Returns the compressed form of a valid answer with much space in it. */
function largeAnswer(): Buffer {
  const text = Buffer.alloc(65 * 2 ** 20, ' ');
  text.write('{"success": true, "data": {"id": "own-1"}, "meta": null}');
  return (compressed ??= gzipSync(text, { level: 1 }));
}

async function flood(response: ServerResponse, status: number): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/html' });
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(64 * 1024, '<'));
    },
  });
  // The client closes the connection.
  await pipeline(endless, response).catch(() => {});
}

function endOfLines(body: Buffer, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line += 1) end = body.indexOf('\n', end) + 1;
  return end;
}

function merged(body: Buffer, change: Record<string, unknown>): Buffer {
  return Buffer.from(JSON.stringify(deepMerged(JSON.parse(body.toString()), change)));
}

/** Merges objects; an item of a list is merged by its index as a key. */
function deepMerged(value: unknown, change: unknown): unknown {
  if (typeof change !== 'object' || change === null) return change;
  const result: Record<string, unknown> = { ...(value as object) };
  for (const [key, one] of Object.entries(change)) result[key] = deepMerged(result[key], one);
  return Array.isArray(value) ? Object.values(result) : result;
}
