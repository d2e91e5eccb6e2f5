import type { Contract } from '@parley/testing/setup/contract';
import type { WireAnswer } from './wire.ts';

// Traces of a stack, a statement, a path, an address or a driver in a text.
const internals =
  /\n\s+at |node_modules|\.[jt]s\b|\b(?:grpc|ECONN|EPIPE|kysely|postgres|nats|zod|express(?!ion))|\bselect\b.*\bfrom\b|\bviolates\b|\bconstraint\b|\brelation "|\bsyntax error\b|prl_sec_|127\.0\.0\.1|localhost|parley_|\bundefined\b|\[object |\bNaN\b|\bJSON at position\b|\bUnexpected token\b/i;

const pointerForm = /^(?:\/(?:[^~/]|~[01])*)*$/;

interface Failure {
  code: number;
  type: string;
  detail: string;
  errors?: { pointer: string; detail: string }[];
  requestId: string;
}

/** Returns the fault of an answer to `method path`; undefined without one. */
export function faultOf(
  contract: Contract,
  method: string,
  path: string,
  answer: WireAnswer,
): string | undefined {
  const fault = plainFault(answer, method);
  return fault
    ? `${method} ${path.slice(0, 300)} → ${answer.status}: ${fault}`
    : contract.faultOf({ method, path, ...answer });
}

/** Errors that a correct system may return while other tests use it: too many calls, and removals that take longer. */
const ofBusySystem = /"type":"(?:overloaded|anonymisation-continues|deletion-continues)"/;

/** Returns the fault of an answer to any request: an internal error, revealed internals, or missing details. */
export function plainFault({ status, headers, body }: WireAnswer, method = ''): string | undefined {
  if (status >= 500 && !ofBusySystem.test(body)) return `an internal error: ${body.slice(0, 500)}`;
  const requestId = headers.get('x-request-id');
  if (!requestId) return 'has no request id';
  for (const [name, value] of headers) {
    if (name === 'x-injected' || name === 'x-powered-by' || name === 'server') return `has ${name}: ${value}`;
  }
  if (status < 400 || method === 'HEAD') return undefined;
  if (!headers.get('content-type')?.startsWith('application/json'))
    return `is no JSON: ${body.slice(0, 500)}`;
  const failure = JSON.parse(body) as Failure;
  if (failure.code !== status || failure.requestId !== requestId) return `is inconsistent: ${body}`;
  const isOfInput = ['invalid-request', 'malformed-json', 'invalid-cursor', 'contact-limit'].includes(
    failure.type,
  );
  if (isOfInput !== (failure.errors !== undefined)) return `has faults or has none: ${body.slice(0, 500)}`;
  const faults = failure.errors ?? [];
  if (isOfInput && faults.length === 0) return 'has no fault';
  for (const { pointer, detail } of faults) {
    if (!pointerForm.test(pointer)) return `${pointer} is not a pointer`;
    if (detail.trim() === '') return `${pointer} has no reason`;
  }
  const leak = [failure.detail, ...faults.map(({ detail }) => detail)].find((text) => internals.test(text));
  return leak && `reveals internals: ${leak}`;
}
