import { millisecondsSince } from '@parley/runtime/milliseconds';
import { idAttributes } from '@parley/runtime/telemetry/span-ids';
import { inSpan, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry/telemetry';
import type { Request, Response } from 'express';
import { clientAddressOf } from '../request/client-address.ts';
import { recordRequest } from './metrics.ts';
import { type GatewayDeps, isRead, type RequestContext, sendFailure } from '../answer/request-context.ts';
import { requestIdOf } from '@parley/runtime/telemetry/request-id';
import { idsInPath } from '../request/request-ids.ts';

// Load balancers probe these continually. They start no trace and have no metrics.
const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
// The pages of the trace viewer are not traced.
const untracedPaths: ReadonlySet<string> = new Set([...probePaths, '/traces', '/traces/:traceId']);

/** Checks a request, and returns the function that answers it. Rejects with the error of the answer. */
export type Admit = (context: RequestContext) => Promise<() => Promise<void> | void>;

/**
 * Answers one request as `admit` decides, or with the envelope of the error that is thrown. It runs in a span and
 * writes one log line. `pattern` is the route's path, without ids or tokens.
 *
 * The span continues the `traceparent` of a caller with a valid credential. Others begin a trace of their own:
 * otherwise anybody could decide which requests are sampled, by the flag or by the trace id.
 */
export async function handleRequest(
  deps: GatewayDeps,
  request: Request,
  response: Response,
  pattern: string,
  admit: Admit,
): Promise<void> {
  const arrival = { startedAt: Date.now(), startedAtMs: performance.now() };
  const requestId = requestIdOf(request.headers['x-request-id']);
  const fields: RequestContext['fields'] = { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' };
  const ids = idsInPath(request.params);
  const givenUp = isRead(request) ? disconnection(response) : undefined;
  const context: RequestContext = { ...deps, request, response, requestId, ids, fields, givenUp };

  const given = request.headers.traceparent?.toString();
  // Without a traceparent, the span includes the checks. With one, they come first, because they decide about the span.
  const answer =
    given === undefined ? async () => (await admit(context))() : await checkFirst(admit, context);
  const parent = context.isAuthenticated ? given : undefined;
  await answerInSpan(context, pattern, { ...arrival, parent }, answer);
}

/** Returns the function that answers. It throws the error of the checks. */
async function checkFirst(admit: Admit, context: RequestContext): Promise<() => Promise<void> | void> {
  try {
    return await admit(context);
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

async function answerInSpan(
  context: RequestContext,
  pattern: string,
  { startedAt, startedAtMs, parent }: { startedAt: number; startedAtMs: number; parent: string | undefined },
  answer: () => Promise<void> | void,
): Promise<void> {
  const { request, response, requestId, ids, logger } = context;
  const { method } = request;
  const clientAddress = clientAddressOf(request.ip);
  const known = idAttributes({ ...ids, requestId });
  const attributes = { 'http.request.method': method, 'http.route': pattern, ...known };
  // Changes always begin a trace, even without an SDK: their events and deliveries belong to it.
  const asRootOfMethod = isRead(request) ? 'recorded' : 'always';
  const asRoot = untracedPaths.has(pattern) ? 'never' : asRootOfMethod;
  await inSpan(
    `${method} ${pattern}`,
    { kind: SpanKind.SERVER, attributes, parent, asRoot, startedAt },
    async (span) => {
      try {
        await answer();
      } catch (error) {
        sendFailure(context, error);
      }
      const { statusCode: status, destroyed, writableFinished } = response;
      // Node also destroys a response that was sent completely.
      const hasLeft = destroyed && !writableFinished;
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      const durationMs = millisecondsSince(startedAtMs);
      const { errorType } = context;
      const line = {
        requestId,
        method,
        route: pattern,
        status,
        errorType,
        durationMs,
        clientAddress,
        ...ids,
      };
      logger.info(hasLeft ? { ...line, gone: true } : line, 'request');
      const isGone = hasLeft && !response.headersSent;
      if (!probePaths.has(pattern)) {
        const scheme = request.secure ? 'https' : 'http';
        recordRequest({ scheme, method, route: pattern, status, errorType, isGone, durationMs });
      }
    },
  );
}

/** Admits anybody: a page, a file or a path that no route has. */
export function anybody(answer: (context: RequestContext) => Promise<void>): Admit {
  return async (context) => () => answer(context);
}

function disconnection(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
