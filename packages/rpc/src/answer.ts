import { AppError, errorCodes, isOurFault, toAppError } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/logger';
import { inSpan, readTraceparent, SpanKind, SpanStatusCode } from '@parley/runtime/telemetry';
import type { CallContext, Caller } from './context.ts';
import type { MethodDefinition } from './definition.ts';
import { checkRequest, type RequestRules } from './request-rules.ts';

/** One method that is served, whatever its messages are. */
export interface ServedMethod extends Pick<MethodDefinition, 'path' | 'requestDeserialize'> {
  responseSerialize(response: unknown): Buffer;
  handle(request: unknown, context: CallContext): Promise<unknown>;
  rules: RequestRules;
  /** `anyone` needs no credential, and is refused like others with a wrong one. */
  callers: readonly Caller[] | 'anyone';
}

/** One call, as it has come. */
interface IncomingCall {
  method: ServedMethod;
  context: CallContext;
  traceparent: string | undefined;
  readRequest(): unknown;
  /** One of these two is called, once: `fail` also when `reply` throws. */
  reply(response: unknown): void;
  fail(error: AppError): void;
}

/**
 * Lets the handler answer a caller that may call it, in a span that continues the caller's trace. What a failure does not
 * tell the caller is logged. Never rejects.
 */
export function answer(call: IncomingCall, logger: Logger): Promise<void> {
  const { method, context } = call;
  const attributes = { 'rpc.system': 'grpc', 'rpc.method': method.path };
  const parent = readTraceparent(call.traceparent);
  // Without a trace services only poll, and whoever has no credential only probes.
  const asRoot = context.caller === 'operator' ? 'always' : 'never';
  return inSpan(method.path.slice(1), { kind: SpanKind.SERVER, attributes, parent, asRoot }, async (span) => {
    try {
      mustBe(method.callers, context.caller);
      call.reply(await method.handle(validRequest(call), context));
    } catch (thrown) {
      const error = toAppError(thrown);
      const told = { requestId: context.requestId, path: method.path };
      if (error.code === 'internal') logger.error({ ...told, err: error.cause ?? error }, 'call failed');
      else if (error.code === 'unavailable') logger.warn({ ...told, err: error.cause }, 'call unavailable');
      span.setAttribute('rpc.grpc.status_code', errorCodes[error.code].grpc);
      if (isOurFault(error)) span.setStatus({ code: SpanStatusCode.ERROR, message: error.name });
      call.fail(error);
    }
  });
}

/** INVALID_ARGUMENT for what is no message of the method, and for what its rules reject. */
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

function mustBe(callers: ServedMethod['callers'], caller: Caller | undefined): void {
  if (caller === 'stranger' || (caller === undefined && callers !== 'anyone')) {
    throw new AppError('unauthenticated', 'unauthenticated', 'The call has no valid credential');
  }
  if (caller === undefined || callers === 'anyone' || callers.includes(caller)) return;
  throw new AppError('permission_denied', 'operator-only', 'The call needs the operator credential');
}
