import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listPage, missingPage, tracePage } from './pages.ts';
import { readSpans } from './otlp.ts';
import { createTraceStore, type TraceStore } from './store.ts';

/** Receives the traces of a local run and shows them. Disposing closes it. */
export interface TraceViewer extends Disposable {
  /** The URL, without a trailing slash. The page is at `/traces`. */
  url: string;
  /** The variables that make a service export all its spans to it, whatever else they say of traces. */
  env: NodeJS.ProcessEnv;
}

/** An export has at most 512 spans. */
const exportBytesMax = 16 * 1024 * 1024;

const exportPath = '/otlp/v1/traces';

const styleFields = { 'Content-Type': 'text/css; charset=utf-8' };
const pageFields = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
};

/** Starts the receiver (OTLP over HTTP as JSON) and the pages on a loopback port. */
export async function startTraceViewer(port: number): Promise<TraceViewer> {
  const store = createTraceStore();
  const style = await readFile(join(import.meta.dirname, 'traces.css'));
  const server = createServer((request, response) => {
    const { url: path, method, headers } = request;
    // With DNS rebinding, a website has this address under its own host name.
    if (headers.host !== `127.0.0.1:${port}`) send(response, 403, 'another host\n');
    else if (path === exportPath && method === 'POST') void receive(request, response, store);
    else if (path === '/traces.css' && isRead(request)) send(response, 200, style, styleFields);
    else show(request, response, store);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    env: {
      OTEL_SDK_DISABLED: 'false',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url + exportPath,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Stores an export. A page of another site cannot send this type without a preflight, which is answered with 404. */
async function receive(request: IncomingMessage, response: ServerResponse, store: TraceStore): Promise<void> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    return send(response, 415, 'application/json is needed\n');
  try {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > exportBytesMax) return send(response, 413, 'too large\n');
      parts.push(part);
    }
    store.add(readSpans(Buffer.concat(parts).toString()));
    send(response, 200, '{}', { 'Content-Type': 'application/json' });
  } catch {
    send(response, 400, 'not an export of traces\n');
  }
}

function show(request: IncomingMessage, response: ServerResponse, store: TraceStore): void {
  // Any website can send `//` here, which is no URL.
  const url = URL.parse(request.url ?? '/', 'http://traces.invalid');
  if (!url || !isRead(request)) return send(response, 404, 'not found\n');
  const { pathname, searchParams } = url;
  if (pathname === '/traces') {
    const id = searchParams.get('q')?.trim() || undefined;
    const filter = { id, withPolls: searchParams.get('polls') === '1' };
    return send(response, 200, listPage(store.list(id), filter), pageFields);
  }
  const traceId = /^\/traces\/([0-9a-f]{32})$/.exec(pathname)?.[1] ?? '';
  const trace = store.get(traceId);
  const content = trace && tracePage(trace, (id) => store.list(id));
  if (content === undefined) return send(response, 404, missingPage(), pageFields);
  send(response, 200, content, pageFields);
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  fields: Record<string, string> = { 'Content-Type': 'text/plain; charset=utf-8' },
): void {
  response
    .writeHead(status, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...fields })
    .end(body);
}
