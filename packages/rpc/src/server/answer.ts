import type { CallerName, MethodAccess } from '@parley/contracts/method-access';
import { AppError, isOurFault, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { millisecondsSince } from '@parley/runtime/milliseconds';
import { addSpanIds, idsOf, type SpanIds } from '@parley/runtime/telemetry/span-ids';
import { type Actor, inWork, type Work } from '@parley/runtime/scheduling/work';
import { inSpan, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry/telemetry';
import { type CallContext, type Caller, refusalTypes } from './context.ts';
import type { MethodDefinition } from '../wire/definition.ts';
import { checkGrant, type GrantVerifier, noGrant, splitGrant } from '../trust/grants.ts';
import { countRefusal, recordCall, serverDuration } from '../metrics.ts';
import { checkRequest, type RequestRules } from './request-rules.ts';
import { statusName } from '../wire/status.ts';

/** A method of the server, with messages of any type. */
export interface ServedMethod extends Pick<MethodDefinition, 'path' | 'requestDeserialize'> {
  responseSerialize(response: unknown): Buffer;
  handle(request: unknown, context: CallContext): Promise<unknown>;
  rules: RequestRules;
  grant: MethodAccess['grant'];
  /** `anyone` accepts calls without a credential. A wrong credential is always rejected. */
  callers: readonly CallerName[] | 'anyone';
}

interface IncomingCall {
  method: ServedMethod;
  context: CallContext;
  peerAddress: string;
  traceparent: string | undefined;
  /** The text of its grant; empty without one. */
  grantText: string;
  readRequest(): unknown;
  /** Either `reply` or `fail` ends the call. If `reply` throws, `fail` follows. */
  reply(response: unknown): void;
  fail(error: AppError): void;
}

export interface Answering {
  logger: Logger;
  /** Without it, calls that need a grant are refused. */
  grants?: GrantVerifier | undefined;
}

/**
 * Checks the caller, its grant and the request, and replies with the result of the handler. Its span continues the
 * caller's trace. Writes a log line, with the causes of errors, which the caller does not get. Never rejects.
 */
export function answer(call: IncomingCall, { logger, grants }: Answering): Promise<void> {
  const { method, context, traceparent: parent } = call;
  const startedAtMs = performance.now();
  const line: CallLine = { requestId: context.requestId, path: method.path };
  const spanName = method.path.slice(1);
  const attributes = { 'rpc.system.name': 'grpc', 'rpc.method': spanName };
  // A service without a trace only polls. A caller without a credential only probes.
  const asRoot = context.caller === 'cli' ? 'always' : 'never';
  return inSpan(spanName, { kind: SpanKind.SERVER, attributes, parent, asRoot }, async (span) => {
    try {
      const fault = callerFault(method.callers, context.caller);
      if (fault) throw fault;
      const request = readRequest(call);
      const { grant: text, clientAddress } = splitGrant(call.grantText);
      if (context.caller !== 'cli') context.clientAddress = clientAddress;
      // Another service needs no grant. A grant that it forwards must be as valid as a gateway's.
      const needed = context.caller === 'gateway' || text !== '' ? method.grant : 'none';
      if (needed !== 'none') {
        const verified = grants?.verify(text);
        const grant = verified instanceof Promise ? await verified : verified;
        if (!grant) throw noGrant('the server verifies none');
        checkGrant(needed, request, grant);
        context.grant = grant;
        context.grantText = call.grantText;
      }
      checkRequest(request, method.rules);
      Object.assign(line, idsOf(request));
      addSpanIds(line);
      call.reply(await inWork(workOf(line, context), () => method.handle(request, context)));
      recordCall(serverDuration, method.path, startedAtMs);
      logger.debug({ ...line, code: 'ok', durationMs: millisecondsSince(startedAtMs) }, 'call answered');
    } catch (thrown) {
      const error = toAppError(thrown);
      const isGivenUp = context.signal.aborted && error.code !== 'internal';
      if (isGivenUp) logger.info({ ...line, code: error.code, err: error.cause }, 'call given up');
      else if (refusalTypes.includes(error.type))
        reportRefusal(logger, { ...line, peerAddress: call.peerAddress }, context.caller, error);
      else logFailure(logger, { ...line, durationMs: millisecondsSince(startedAtMs) }, error);
      span.setAttribute('rpc.response.status_code', statusName(error));
      if (isOurFault(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      call.fail(error);
      recordCall(serverDuration, method.path, startedAtMs, error);
    }
  });
}

const actorTypes: Partial<Record<string, Actor['type']>> = {
  apiKey: 'key',
  personId: 'person',
  portalLinkId: 'portal',
};

/** Returns who makes a call: a key, a person or the portal by the grant, or the operator by the credential. */
function actorOf({ caller, grant, requestId, clientAddress }: CallContext): Actor | undefined {
  if (caller === 'cli') return { type: 'operator', id: 'operator', name: '', requestId, clientAddress };
  const holder = grant?.holder;
  const type = holder && actorTypes[holder.$case];
  if (!holder || !type) return undefined;
  return { type, id: holder.value, name: grant.holderName, requestId, clientAddress };
}

/** The handler works for the workspace of the request. What it reads of the call is made when it is read. */
function workOf({ workspaceId = '' }: CallLine, context: CallContext): Work {
  return {
    tenant: workspaceId,
    get signal() {
      return context.signal;
    },
    get actor() {
      return actorOf(context);
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

/** Throws INVALID_ARGUMENT if the bytes are no message of the method. */
function readRequest(call: IncomingCall): unknown {
  try {
    return call.readRequest();
  } catch (cause) {
    throw new AppError('invalid_argument', 'invalid-request', 'The request is no message of the method', {
      cause,
    });
  }
}

export function callerFault(
  callers: ServedMethod['callers'],
  caller: Caller | undefined,
): AppError | undefined {
  if (caller === 'unknown' || (caller === undefined && callers !== 'anyone')) {
    return new AppError('unauthenticated', 'unauthenticated', 'The call has no valid credential');
  }
  if (caller === undefined || callers === 'anyone' || callers.includes(caller)) return undefined;
  return new AppError('permission_denied', 'caller-not-allowed', `${caller} may not call the method`);
}

/** Logs and counts a refused call. It is a fault of the deployment, or of a service that somebody else controls. */
export function reportRefusal(
  logger: Logger,
  line: CallLine & { peerAddress: string },
  caller: Caller | undefined,
  { type, cause }: AppError,
): void {
  const named = caller ?? 'none';
  countRefusal(named, line.peerAddress);
  logger.warn({ ...line, caller: named, type, reason: cause }, 'a caller was refused');
}
