import { customerIdFault } from '@parley/contracts/customer-id';
import { pageSizeMax } from '@parley/contracts/limits';
import { type Fault, invalidRequest, notFound } from '@parley/runtime/errors';
import { pointerTo } from '@parley/runtime/json-pointer';

/** Returns what is wrong with the value of a field; undefined when nothing is. */
type Rule = (value: unknown) => string | undefined;

/** What the fields of a service's requests may hold, by name, at any depth. A field that is not set has no fault. */
export type RequestRules = Readonly<Partial<Record<string, Rule>>>;

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const timeMs = { min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59.999Z') };

/** An id that is a UUID. */
export const uuid: Rule = (value) => (isUuid(value) ? undefined : 'Must be a UUID');

/** The id of a resource: NOT_FOUND for what is no UUID, as for one that does not exist. */
export const resourceId: Rule = (value) => {
  if (!isUuid(value)) throw notFound();
  return undefined;
};

/** A text of so many code points. */
export function characters(min: number, max: number): Rule {
  const detail = min === 0 ? `Must have at most ${max} characters` : `Must have ${min} to ${max} characters`;
  return (value) => {
    if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return detail;
    return value.length > max && Array.from(value).length > max ? detail : undefined;
  };
}

/** A number within limits. */
export function between(min: number, max: number): Rule {
  const detail = `Must be between ${min} and ${max}`;
  return (value) => (typeof value === 'number' && value >= min && value <= max ? undefined : detail);
}

/** The client's own id of a customer. */
export const customerId: Rule = (value) => customerIdFault(String(value));

/** The fields that mean the same in every service. */
export const commonRules = {
  workspaceId: uuid,
  customerId,
  page: between(1, 2 ** 31 - 1),
  pageSize: between(1, pageSizeMax),
  // The key of a table, made of a SHA-256.
  scope: characters(1, 255),
  fingerprint: (value) => (isShort(value) ? undefined : 'Must have at most 64 bytes'),
} as const satisfies RequestRules;

function isShort(value: unknown): boolean {
  return value instanceof Uint8Array && value.length <= 64;
}

/** For a map: its names are the client's and follow no rule. */
export const freeNames: Rule = () => undefined;

/**
 * Throws INVALID_ARGUMENT with every fault of a request: what the rules reject, and in any field a text with NUL, which
 * Postgres cannot store, or a time outside of the years 1 to 9999 (google.protobuf.Timestamp).
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
      const own = isList ? rule : rule === freeNames ? undefined : rules[name];
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

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && uuidForm.test(value);
}
