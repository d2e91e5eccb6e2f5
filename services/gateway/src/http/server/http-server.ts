import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createNetServer,
  type ListenOptions,
  type Server as NetServer,
} from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { addressText, type ListenAddress } from '@parley/runtime/config/config';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { failure, type ErrorAnswer } from '../answer/envelope.ts';
import { deferContinue } from '../request/expectation.ts';
import { recordError } from './metrics.ts';

/** The limit of all header fields of a request. Browsers and proxies send less than 8 KiB. */
export const headerBytesMax = 16 * 1024;

/**
 * The number of requests that may wait on a connection. They are answered one after another, and each costs some
 * kilobytes until then. A client that sends more is disconnected.
 */
export const pipelinedMax = 100;

/**
 * The number of connections that may wait to be accepted. Beyond it, the client's system repeats its request after one,
 * three and seven seconds. A busy event loop accepts late, so it is as many as Linux allows by default.
 */
const backlogMax = 4_096;

/**
 * The number of sockets that listen. The event loop accepts one connection of each in a turn, and a turn is long while
 * there are more calls than can be answered, so new clients would wait for seconds behind known ones. Only Linux shares
 * out the connections to a port.
 */
const listenersMax = process.platform === 'linux' ? 8 : 1;

/** Logs input that is not a request. */
type RefusalLog = Pick<Logger, 'info'>;

/** Limits of slow and oversized requests. Keep-alive is longer than in usual load balancers (60 s). */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: headerBytesMax,
  // Checked below: Node's own error has no body.
  requireHostHeader: false,
  // Otherwise the first of two Authorization fields would count, while a proxy may have checked the second.
  joinDuplicateHeaders: true,
};

/**
 * The idle time after which a connection is closed, because unread answers would stay in memory. Progress in writing
 * counts, so slow readers are not closed. Longer than the longest poll, which is idle too.
 */
const idleMsMax = 60_000;

/** For this time, a stopping server still serves connected clients. Their next answer has `Connection: close`. */
const lameDuckMs = 1_000;
/** How long requests in flight may take after that. */
const drainMsMax = 6_000;

/**
 * Serves HTTP/1.1. When disposed of with connected clients, it serves all for one more second and closes each
 * connection with its next answer, so requests that are on their way are answered. Then it accepts no connections,
 * closes idle ones and finishes requests in flight.
 */
export async function serveHttp(
  listen: ListenAddress,
  listener: RequestListener,
  logger: RefusalLog,
  idleMs = idleMsMax,
): Promise<Running> {
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;
  const create = (): Server => {
    const server = createServer(limits, (request, response) => {
      inFlight.add(response);
      response.once('close', () => inFlight.delete(response));
      if (isStopping) response.setHeader('Connection', 'close');
      if (isUnambiguous(request)) return inOrder(request, response, listener);
      const { fields, body } = createRefusal(malformed, 'AMBIGUOUS_REQUEST', logger);
      response.writeHead(malformed.code, fields).end(body);
    });
    server.timeout = idleMs;
    server.on('checkContinue', (request, response) => {
      deferContinue(request, response);
      server.emit('request', request, response);
    });
    // Expectations other than 100-continue may be ignored (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    server.on('clientError', (error, socket) => {
      const here = [...inFlight].filter(({ req }) => req.socket === socket);
      // Rejected already because of its head.
      if (here.some(({ headersSent }) => headersSent)) socket.end();
      // The client would take the error for the answer to a complete call that is not answered yet.
      else if (here.some(({ req }) => req.complete)) socket.destroy();
      else answerMalformed(error, socket, logger);
    });
    return server;
  };
  const { servers, port, guard } = await listenTogether(create, listen);
  return {
    address: addressText({ host: listen.host, port }),
    [Symbol.asyncDispose]: async () => {
      isStopping = true;
      for (const response of inFlight) {
        if (!response.headersSent) response.setHeader('Connection', 'close');
      }
      const connections = await Promise.all(
        servers.map((server) => promisify(server.getConnections.bind(server))()),
      );
      if (connections.some((count) => count > 0)) await setTimeout(lameDuckMs);
      const closed = Promise.all(servers.map((server) => once(server, 'close')));
      for (const server of servers) server.close();
      await Promise.race([closed, setTimeout(drainMsMax, undefined, { ref: false })]);
      for (const server of servers) server.closeAllConnections();
      await closed;
      guard?.close();
    },
  };
}

/** Starts servers that share a port. Rejects with EADDRINUSE if another program listens on it. */
async function listenTogether(
  create: () => Server,
  listen: ListenAddress,
): Promise<{ servers: Server[]; port: number; guard: NetServer | undefined }> {
  const isShared = listenersMax > 1;
  const guard = isShared && listen.port !== 0 ? await guardPort(listen) : undefined;
  const open = async (options: ListenOptions): Promise<Server> => {
    const server = create();
    await once(server.listen({ ...options, backlog: backlogMax, reusePort: isShared }), 'listening');
    return server;
  };
  try {
    const first = await open(listen);
    const { port } = first.address() as AddressInfo;
    const others = Array.from({ length: listenersMax - 1 }, () => open({ ...listen, port }));
    return { servers: [first, ...(await Promise.all(others))], port, guard };
  } catch (error) {
    guard?.close();
    throw error;
  }
}

/** Keeps other gateways off a port that is shared: Linux would let them share it, too. */
async function guardPort(listen: ListenAddress): Promise<NetServer> {
  // Linux has this name as long as this process, so that gateways that start at the same moment see each other.
  const guard = createNetServer((socket) => socket.destroy());
  await once(guard.listen({ path: `\0parley ${addressText(listen)}` }), 'listening');
  try {
    // A server that does not share the port is refused while another program listens on it.
    const probe = createNetServer();
    await once(probe.listen(listen), 'listening');
    await once(probe.close(), 'close');
  } catch (error) {
    guard.close();
    throw error;
  }
  return guard;
}

/** The requests of a connection that are not answered, in their order. */
const unanswered = new WeakMap<Duplex, (() => void)[]>();

/** Calls the listener when the earlier requests of the connection are answered, so that few run at once. */
function inOrder(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
  const { socket } = request;
  const own = unanswered.get(socket) ?? [];
  unanswered.set(socket, own);
  if (own.length > pipelinedMax) return void socket.destroy();
  own.push(() => listener(request, response));
  response.once('close', () => {
    own.shift();
    if (!socket.destroyed) own[0]?.();
  });
  if (own.length === 1) own[0]?.();
}

/**
 * Returns whether a request has a clear target and length. It has one host, in a supported HTTP version (RFC 9112, 2.3
 * and 3.2). Its body ends in a way that every proxy parses alike: by a length, or in chunks without another coding,
 * which HTTP/1.0 does not have (6.1, 7).
 */
function isUnambiguous({ httpVersion, headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) return false;
  if (headers.host === undefined) return httpVersion === '1.0';
  return (httpVersion === '1.1' || httpVersion === '1.0') && hostForm.test(headers.host);
}

// A name or an address, and a port (RFC 3986, 3.2.2), or nothing. Without the comma, which a name may contain, because
// it joins two header fields.
const hostForm = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/** The errors of the parser and of timeouts, before there is a request. */
const refusals: Record<string, ErrorAnswer> = {
  HPE_HEADER_OVERFLOW: { code: 431, type: 'headers-too-large', detail: 'The header fields are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, type: 'request-timeout', detail: 'The request took too long' },
};
const malformed: ErrorAnswer = {
  code: 400,
  type: 'malformed-request',
  detail: 'The request is not valid HTTP',
};

function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex, logger: RefusalLog): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = refusals[error.code ?? ''] ?? malformed;
  const { fields, body } = createRefusal(refusal, error.code, logger);
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  const statusLine = `HTTP/1.1 ${refusal.code} ${STATUS_CODES[refusal.code]}`;
  socket.end([statusLine, ...head, '', body].join('\r\n'));
}

/**
 * Logs and counts input that is not a request. Returns the answer, which closes the connection. The log has the code of
 * the reason and none of the input.
 */
function createRefusal(
  refusal: ErrorAnswer,
  reason: string | undefined,
  logger: RefusalLog,
): { fields: Record<string, string>; body: string } {
  const requestId = randomUUID();
  logger.info({ requestId, status: refusal.code, reason }, 'request refused');
  recordError(refusal.type, refusal.code);
  const body = JSON.stringify(failure(refusal, requestId));
  const fields = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  return { fields, body };
}
