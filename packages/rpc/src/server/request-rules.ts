import { customerIdFault } from '@parley/contracts/customer-id';
import { pageSizeMax } from '@parley/contracts/limits';
import { type Fault, invalidRequest, notFound } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json/json-pointer';
import { uuidOrUndefined } from '@parley/runtime/telemetry/span-ids';

/** Undefined if the value has no fault. */
type Rule = (value: unknown) => string | undefined;

/** The rules of a service for fields by name, at any depth. A field that is not set has no fault. */
export type RequestRules = Readonly<Partial<Record<string, Rule>>>;

const timeMs = { min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') };

/** Accepts a UUID. */
export const uuid: Rule = (value) => (uuidOrUndefined(value) ? undefined : 'Must be a UUID');

/** Accepts the id of a resource. Throws NOT_FOUND for any other text than a UUID, as for an unknown id. */
export const resourceId: Rule = (value) => {
  if (!uuidOrUndefined(value)) throw notFound();
  return undefined;
};

/** Accepts a text of `min` to `max` code points. */
export function characters(min: number, max: number): Rule {
  const detail = min === 0 ? `Must have at most ${max} characters` : `Must have ${min} to ${max} characters`;
  return (value) => {
    if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return detail;
    return value.length > max && Array.from(value).length > max ? detail : undefined;
  };
}

/** Accepts a number from `min` to `max`. */
export function between(min: number, max: number): Rule {
  const detail = `Must be between ${min} and ${max}`;
  return (value) => (typeof value === 'number' && value >= min && value <= max ? undefined : detail);
}

/** Accepts a company's own id of a customer. */
export const customerId: Rule = (value) => customerIdFault(String(value));

export const commonRules = {
  workspaceId: uuid,
  customerId,
  page: between(1, 2 ** 31 - 1),
  pageSize: between(1, pageSizeMax),
  // The key of a table, with a SHA-256 in it.
  scope: characters(1, 255),
  fingerprint: (value) =>
    value instanceof Uint8Array && value.length <= 64 ? undefined : 'Must have at most 64 bytes',
} as const satisfies RequestRules;

/** Accepts a map with any keys. */
export const anyKeys: Rule = () => undefined;

/**
 * Throws INVALID_ARGUMENT with all faults of a request, at most 100. Besides its rules, no text may contain NUL, which
 * Postgres cannot store, and times must be in the years 1 to 9999 (google.protobuf.Timestamp).
 */
export function checkRequest(request: unknown, rules: RequestRules): void {
  const faults: Fault[] = [];
  collectFaults(request, [], undefined, rules, faults);
  if (faults.length > 0) throw invalidRequest(faults);
}

const faultsMax = 100;

function collectFaults(
  value: unknown,
  path: string[],
  rule: Rule | undefined,
  rules: RequestRules,
  faults: Fault[],
): void {
  if (value === undefined || value === null || faults.length >= faultsMax) return;
  if (typeof value === 'object' && !(value instanceof Date) && !(value instanceof Uint8Array)) {
    const isList = Array.isArray(value);
    for (const [name, field] of Object.entries(value)) {
      path.push(name);
      const own = isList ? rule : rule === anyKeys ? undefined : rules[name];
      collectFaults(field, path, own, rules, faults);
      path.pop();
    }
    return;
  }
  const detail = universalFault(value) ?? rule?.(value);
  if (detail) faults.push({ pointer: pointerTo(path), detail });
}

function universalFault(value: unknown): string | undefined {
  if (typeof value === 'string')
    return value.includes('\0') ? 'Must not contain the character U+0000' : undefined;
  if (!(value instanceof Date)) return undefined;
  const ms = value.getTime();
  return ms >= timeMs.min && ms <= timeMs.max ? undefined : 'Must be a time in the years 1 to 9999';
}
