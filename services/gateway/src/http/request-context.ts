import type { ServerResponse } from 'node:http';
import type { CallOptions } from '@parley/rpc/definition';
import { AppError, errorCodes, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { inSpan, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry';
import type { Request, Response } from 'express';
import { failure } from './envelope.ts';
import { requestIdOf } from './request-id.ts';
import type { Call } from './route.ts';

// Load balancers probe these continually: they start no trace.
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What all requests share. */
export interface GatewayDeps {
  logger: Logger;
  /** Aborted when the gateway stops. */
  stopping: AbortSignal;
}

/** One request and the answer to it. */
export interface RequestContext extends GatewayDeps {
  request: Request;
  response: Response;
  requestId: string;
  /** Header fields that the answer will have, whatever it is. */
  fields: Record<string, string>;
}

/**
 * Answers one request with `work`, or with the envelope of the error it throws: inside a span that continues an
 * incoming `traceparent`, with one log line at the end. `pattern` is the route's path, which holds no ids or tokens.
 */
export async function handleRequest(
  deps: GatewayDeps,
  request: Request,
  response: Response,
  pattern: string,
  work: (context: RequestContext) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const { logger } = deps;
  const requestId = requestIdOf(request.headers['x-request-id']);
  const { method } = request;
  const fields: RequestContext['fields'] = { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' };
  const context: RequestContext = { ...deps, request, response, requestId, fields };

  const attributes = { 'http.request.method': method, 'http.route': pattern };
  const parent = request.headers.traceparent?.toString();
  const asRoot = probePaths.has(pattern) ? 'never' : 'always';
  await inSpan(
    `${method} ${pattern}`,
    { kind: SpanKind.SERVER, attributes, parent, asRoot },
    async (span) => {
      try {
        await work(context);
      } catch (error) {
        sendFailure(context, error);
      }
      const { statusCode: status, destroyed } = response;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
      logger.info(
        { requestId, method, route: pattern, status, durationMs, ...(destroyed && { gone: true }) },
        'request',
      );
    },
  );
}

const timeoutMsDefault = 5_000;

/** What a handler may call services with, in the time that the request has: 5 s unless said. */
export function callOf(
  context: Pick<RequestContext, 'requestId' | 'stopping'> & { response: ServerResponse },
  timeoutMs = timeoutMsDefault,
): Call {
  const { requestId, response, stopping } = context;
  let deadline = Date.now() + timeoutMs;
  return {
    requestId,
    rpc: () => ({ requestId, timeoutMs: Math.max(1, deadline - Date.now()) }),
    poll: (waitSeconds, ended): CallOptions => {
      // What follows the waiting has its time still.
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
      return { requestId, timeoutMs: Math.max(1, deadline - Date.now()), signal: givenUp.signal };
    },
    isStopping: () => stopping.aborted,
  };
}

/** Writes the answer. HEAD gets the same header fields and no body. */
export function send(
  context: RequestContext,
  status: number,
  body: string | Buffer,
  fields: Record<string, string>,
): void {
  const { request, response } = context;
  if (response.headersSent) return;
  // Told by the log also where the client has gone.
  response.statusCode = status;
  if (response.destroyed) return;
  const headers: Record<string, string | number> = { ...context.fields, ...fields };
  if (status !== 204 && status !== 304) headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Writes JSON, which is not to be kept unless `fields` says otherwise. */
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
 * Writes the envelope of an error; what the error holds back is logged. `data` is null but for one error. An answer
 * that has begun is cut off, so that nobody takes it for whole.
 */
export function sendFailure(context: RequestContext, thrown: unknown, data: unknown = null): void {
  const error = publicFaceOf(thrown);
  const { type, message: detail, faults } = error;
  // A call that ended because the client went is no fault of a service.
  if (!context.response.destroyed || error.code === 'internal') logHeldBack(context, error);
  if (context.response.headersSent) return void context.response.destroy();
  const fields = retryFieldsOf(error);
  if (error.code === 'unauthenticated') fields['WWW-Authenticate'] = challengeFor(context.request.path);
  const code = errorCodes[error.code].http;
  const body = failure({ code, type, detail, faults }, context.requestId, data);
  sendJson(context, code, JSON.stringify(body), fields);
}

/** The header fields that tell when a further try may succeed; none where that is not known. */
export function retryFieldsOf({ code, retryAfterSeconds }: AppError): Record<string, string> {
  const seconds = retryAfterSeconds ?? (code === 'unavailable' ? 1 : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** Logs what an error does not tell the client, where the fault is on our side. */
export function logHeldBack({ logger, requestId }: RequestContext, error: AppError): void {
  if (error.code === 'internal') logger.error({ requestId, err: error.cause ?? error }, 'request failed');
  else if (errorCodes[error.code].http > 500)
    logger.warn({ requestId, err: error.cause }, 'service unavailable');
}

/** What credentials are asked for: sessions (RFC 6750) by the browsers' API, API keys (RFC 7617) by the rest. */
function challengeFor(path: string): string {
  return path.startsWith('/public/') ? 'Bearer realm="parley"' : 'Basic realm="parley", charset="UTF-8"';
}

// A service that refuses the gateway's own credential is a fault of ours, and no 401 or 403 of the client's.
function publicFaceOf(thrown: unknown): AppError {
  const error = toAppError(thrown);
  const isOurs = error.type === 'unauthenticated' || error.type === 'operator-only';
  return isOurs ? toAppError(new Error('a service refused our credential', { cause: error })) : error;
}

/** 405; the answer names the methods that there are (RFC 9110, 15.5.6). */
export function methodNotAllowed(fields: RequestContext['fields'], allowed: string[]): AppError {
  fields['Allow'] = allowed.join(', ');
  return new AppError('method_not_allowed', 'method-not-allowed', 'The method is not allowed here');
}
