import { AppError, isOurFault, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { millisecondsSince } from '@parley/runtime/milliseconds';
import { addSpanIds, idsOf, type SpanIds } from '@parley/runtime/span-ids';
import { inWorkScope, type WorkScope } from '@parley/runtime/work-scope';
import { inSpan, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry';
import type { CallContext, Caller } from './context.ts';
import type { MethodDefinition } from './definition.ts';
import { recordCall, serverDuration } from './metrics.ts';
import { checkRequest, type RequestRules } from './request-rules.ts';
import { statusName } from './status.ts';

/** A method of the server, with messages of any type. */
export interface ServedMethod extends Pick<MethodDefinition, 'path' | 'requestDeserialize'> {
  responseSerialize(response: unknown): Buffer;
  handle(request: unknown, context: CallContext): Promise<unknown>;
  rules: RequestRules;
  /** `anyone` accepts calls without a credential. A wrong credential is always rejected. */
  callers: readonly Caller[] | 'anyone';
}

/** A received call. */
interface IncomingCall {
  method: ServedMethod;
  context: CallContext;
  traceparent: string | undefined;
  readRequest(): unknown;
  /** Either `reply` or `fail` ends the call. If `reply` throws, `fail` follows. */
  reply(response: unknown): void;
  fail(error: AppError): void;
}

/**
 * Checks the caller and the request, and replies with the result of the handler. Its span continues the caller's trace.
 * Writes a log line, with the causes of errors, which the caller does not get. Never rejects.
 */
export function answer(call: IncomingCall, logger: Logger): Promise<void> {
  const { method, context, traceparent: parent } = call;
  const startedAtMs = performance.now();
  const line: CallLine = { requestId: context.requestId, path: method.path };
  const spanName = method.path.slice(1);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': spanName };
  // A service without a trace only polls. A caller without a credential only probes.
  const asRoot = context.caller === 'operator' ? 'always' : 'never';
  return inSpan(spanName, { kind: SpanKind.SERVER, attributes, parent, asRoot }, async (span) => {
    try {
      const fault = callerFault(method.callers, context.caller);
      if (fault) throw fault;
      const request = validRequest(call);
      Object.assign(line, idsOf(request));
      addSpanIds(line);
      call.reply(await inWorkScope(scopeOf(line, context), () => method.handle(request, context)));
      recordCall(serverDuration, method.path, startedAtMs);
      logger.debug({ ...line, code: 'ok', durationMs: millisecondsSince(startedAtMs) }, 'call answered');
    } catch (thrown) {
      const error = toAppError(thrown);
      const isGivenUp = context.signal.aborted && error.code !== 'internal';
      if (isGivenUp) logger.info({ ...line, code: error.code, err: error.cause }, 'call given up');
      else logFailure(logger, { ...line, durationMs: millisecondsSince(startedAtMs) }, error);
      span.setAttribute('rpc.response.status_code', statusName(error));
      if (isOurFault(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      call.fail(error);
      recordCall(serverDuration, method.path, startedAtMs, error);
    }
  });
}

/** The handler works for the workspace of the request. `context` creates its signal when it is read. */
function scopeOf({ workspaceId = '' }: CallLine, context: CallContext): WorkScope {
  return {
    tenant: workspaceId,
    get signal() {
      return context.signal;
    },
  };
}

/** What the log says of every call: nothing of the request but ids. */
interface CallLine extends SpanIds {
  path: string;
}

function logFailure(logger: Logger, line: CallLine & { durationMs: number }, error: AppError): void {
  const { code, type } = error;
  if (code === 'internal') logger.error({ ...line, code, err: error.cause ?? error }, 'call failed');
  else if (isOurFault(error))
    logger.warn({ ...line, code, err: error.cause }, 'call failed: a dependency is unavailable');
  else {
    // A text as cause is for operators. Other causes may contain input.
    const reason = typeof error.cause === 'string' ? error.cause : undefined;
    logger.info({ ...line, code, type, ...(reason !== undefined && { reason }) }, 'call failed');
  }
}

/** Throws INVALID_ARGUMENT if the bytes are no message of the method, or break its rules. */
function validRequest({ method, readRequest }: IncomingCall): unknown {
  let request: unknown;
  try {
    request = readRequest();
  } catch (cause) {
    throw new AppError('invalid_argument', 'invalid-request', 'The request is no message of the method', {
      cause,
    });
  }
  checkRequest(request, method.rules);
  return request;
}

/** Returns the error of a caller that a method does not accept. */
export function callerFault(
  callers: ServedMethod['callers'],
  caller: Caller | undefined,
): AppError | undefined {
  if (caller === 'unknown' || (caller === undefined && callers !== 'anyone')) {
    return new AppError('unauthenticated', 'unauthenticated', 'The call has no valid credential');
  }
  if (caller === undefined || callers === 'anyone' || callers.includes(caller)) return undefined;
  return new AppError('permission_denied', 'operator-only', 'The call needs the operator credential');
}
