import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import { refusalTypes } from '@parley/rpc/context';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, deadlineExceeded, errorCodes, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { markPoll } from '@parley/runtime/telemetry/span-ids';
import type { Request, Response } from 'express';
import { watchCaller } from './caller-watch.ts';
import { failure } from './envelope.ts';
import { errorPage, isShownAsPage, pageFields } from './page.ts';
import type { Reader } from '../../values/reader.ts';
import type { Transfers } from '../request/held-bytes.ts';
import type { RequestIds } from '../request/request-ids.ts';

export interface GatewayDeps {
  logger: Logger;
  /** Aborted when the gateway stops. */
  stopping: AbortSignal;
}

export interface RequestContext extends GatewayDeps {
  request: Request;
  response: Response;
  requestId: string;
  /** For the log line. Only checked values: other input could be of any length, or personal. */
  ids: RequestIds;
  /** Header fields of the answer, whether it succeeds or fails. */
  fields: Record<string, string>;
  /** Aborts when the client of a read disconnects before it has the whole answer. Changes run to their end. */
  givenUp?: AbortSignal | undefined;
  /** True once the caller's API key or session has been verified. */
  isAuthenticated?: boolean;
  /** True for a session: of a customer, a person or the portal. */
  isOfBrowser?: boolean;
  reader?: Reader;
  grant?: string;
  /** Replaces the grant in time, for an answer that takes long. Rejects if the credential is not valid any more. */
  renewGrant?: () => Promise<void>;
  /** Counts the bytes that wait for the client. Undefined before the caller is known. */
  transfers?: Transfers;
  /** The slug of the error that the client gets. */
  errorType?: string;
}

/** Returns whether the request changes nothing. */
export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The request context of a handler, without the parsed input. */
export interface Call {
  requestId: string;
  /**
   * Returns the options of a call to a service: it may take the rest of the request's time, and ends when the client of
   * a read leaves. DEADLINE_EXCEEDED if the time is over.
   */
  rpc(): CallOptions;
  /**
   * As `rpc`, for a call that may wait so long. It ends when the client leaves, the gateway stops or `ended` aborts.
   * It also ends two seconds before the request's time is over.
   */
  poll(waitSeconds: number, ended: AbortSignal): CallOptions;
  /** Returns whether the gateway is stopping: waiting calls must end. */
  isStopping(): boolean;
}

const timeoutMsDefault = 5_000;
/** Time reserved after a wait: enough for one call that does not wait. */
const afterWaitMs = 2_000;

export function callOf(
  context: Pick<RequestContext, 'requestId' | 'stopping' | 'givenUp' | 'grant'> & {
    response: ServerResponse;
  },
  timeoutMs = timeoutMsDefault,
): Call {
  const { requestId, response, stopping, givenUp: signal } = context;
  let deadline = Date.now() + timeoutMs;
  return {
    requestId,
    rpc: () => {
      const timeoutMs = deadline - Date.now();
      if (timeoutMs <= 0) throw deadlineExceeded(new Error('the time of the request is over'));
      return { requestId, timeoutMs, grant: context.grant, ...(signal && { signal }) };
    },
    poll: (waitSeconds, ended): CallOptions => {
      markPoll();
      // The time after the wait does not change.
      deadline += waitSeconds * 1000;
      const givenUp = new AbortController();
      const giveUp = (): void => givenUp.abort();
      if (stopping.aborted || response.destroyed || ended.aborted) giveUp();
      else {
        ended.addEventListener('abort', giveUp);
        stopping.addEventListener('abort', giveUp);
        response.once('close', () => {
          stopping.removeEventListener('abort', giveUp);
          giveUp();
        });
      }
      const timeoutMs = Math.max(1, deadline - afterWaitMs - Date.now());
      return { requestId, timeoutMs, grant: context.grant, signal: givenUp.signal };
    },
    isStopping: () => stopping.aborted,
  };
}

/** HEAD gets the same header fields without a body. */
export function send(
  context: RequestContext,
  status: number,
  body: string | Buffer,
  fields: Record<string, string>,
): void {
  const { request, response } = context;
  if (response.headersSent) return;
  // The log needs the status also if the client has left.
  response.statusCode = status;
  if (response.destroyed) return;
  const headers: Record<string, string | number> = { ...context.fields, ...fields };
  const bytes = Buffer.byteLength(body);
  if (status !== 204 && status !== 304) headers['Content-Length'] = bytes;
  response.writeHead(status, headers);
  if (request.method === 'HEAD') return void response.end();
  endAnswer(request, response, body);
  if (response.writableLength === 0) return;
  watchCaller(context);
  holdUnread(context, bytes);
}

/** Counts bytes of the answer for its caller until the client has taken all of them, or is gone. */
function holdUnread({ transfers, response }: RequestContext, bytes: number): void {
  if (transfers) response.once('close', transfers.hold(bytes));
}

/** How long a connection that closes stays open to read the rest of a request. */
const lingerMs = 1_000;

/**
 * Ends an answer with its body. If the connection then closes, first reads the rest of the request for a while: unread
 * bytes can discard the answer (RFC 9112, 9.6).
 */
function endAnswer(request: Request, response: Response, body: string | Buffer): void {
  const isKept = response.shouldKeepAlive && !response.hasHeader('Connection');
  if (isKept || request.complete) return void response.end(body);
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs);
  finished(request, { writable: false }, () => {
    clearTimeout(timer);
    response.end();
  });
  request.resume();
}

/** Sends JSON. It must not be cached unless `fields` allows it. */
export function sendJson(
  context: RequestContext,
  status: number,
  body: string,
  fields: Record<string, string> = {},
): void {
  send(context, status, body, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...fields,
  });
}

/**
 * Sends the envelope of an error, or a page if a browser opens an address outside of the API, and logs its cause.
 * `data` is null except for `stale-sequence`. If the answer has begun, closes the connection, so that the client sees
 * that it is incomplete.
 */
export function sendFailure(context: RequestContext, thrown: unknown, data: unknown = null): void {
  const error = publicErrorOf(thrown);
  const { type, message: detail, faults } = error;
  context.errorType = type;
  // If the client has left, the failed call is no fault of a service.
  if (!context.response.destroyed || error.code === 'internal') logServerFault(context, error);
  if (context.response.headersSent) return void context.response.destroy();
  const fields = retryFieldsOf(error);
  const code = errorCodes[error.code].http;
  const { request, requestId } = context;
  if (isShownAsPage(request)) {
    return send(context, code, errorPage(request.baseUrl, code, requestId), { ...pageFields, ...fields });
  }
  if (error.code === 'unauthenticated') fields['WWW-Authenticate'] = challengeFor(request);
  const body = failure({ code, type, detail, faults }, requestId, data);
  sendJson(context, code, JSON.stringify(body), fields);
}

/** Returns `Retry-After` if it is known when a retry may succeed. */
export function retryFieldsOf({ code, retryAfterSeconds }: AppError): Record<string, string> {
  const seconds = retryAfterSeconds ?? (code === 'unavailable' ? 1 : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** Logs the cause of an error if the fault is on the server's side. The client does not get it. */
export function logServerFault({ logger, requestId }: RequestContext, error: AppError): void {
  if (error.code === 'internal') logger.error({ requestId, err: error.cause ?? error }, 'request failed');
  else if (errorCodes[error.code].http > 500)
    logger.warn({ requestId, err: error.cause }, 'service unavailable');
}

/**
 * Returns the challenge: Bearer (RFC 6750) for the browsers' API, Basic (RFC 7617) for the rest. A request that a page
 * causes gets one that browsers do not know: for Basic, any page with a form could make them ask for a password.
 */
function challengeFor({ path, headers }: Request): string {
  const { 'sec-fetch-site': causedBy = 'none' } = headers;
  if (headers['x-parley-console'] !== undefined || causedBy !== 'none') return 'Session realm="parley"';
  return path.startsWith('/public/') ? 'Bearer realm="parley"' : 'Basic realm="parley", charset="UTF-8"';
}

// If a service rejects the gateway's own credential, the client gets 500 and no 401 or 403.
function publicErrorOf(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const isOurs = refusalTypes.includes(error.type);
  return isOurs
    ? toAppError(new Error('a service rejected the credential of the gateway', { cause: error }))
    : error;
}

/** Returns the error 405, and sets `Allow` to the methods of the path (RFC 9110, 15.5.6). */
export function methodNotAllowed(fields: RequestContext['fields'], allowed: string[]): AppError {
  fields['Allow'] = allowed.join(', ');
  return new AppError('method_not_allowed', 'method-not-allowed', 'The method is not allowed here');
}
