import { keyLimits } from '@parley/contracts/limits';
import { isScope, type Scope, scopeNames } from '@parley/contracts/scopes';
import { AppError, type Fault, missingScope } from '@parley/runtime/errors';
import { lineFaults } from './branding-faults.ts';

export interface KeyPower {
  /** The place of its credential in a request, for faults. Default: the place of a key. */
  pointer?: '/headers/authorization' | '/headers/cookie';
  scopes: readonly string[];
  workspaceIds: readonly string[];
  /** Null: for good. */
  expiresAt: Date | null;
}

/** What a key or person can do, and whether it makes, changes and removes owners. */
export interface OwnerPower extends KeyPower {
  /** An owner, or a key of the operator without limits. */
  isOwner: boolean;
}

const ofKey = '/headers/authorization';

/** Null stands for all. */
export function expandScopes(scopes: readonly string[] | null): string[] {
  return [...(scopes ?? scopeNames)];
}

/** Returns scopes in the order of the catalogue. */
export function scopesInOrder(scopes: readonly string[]): Scope[] {
  return scopeNames.filter((name) => scopes.includes(name));
}

/** Returns the faults of the name of a key: 1 to 100 code points on one line. */
export function keyNameFaults(name: string): Fault[] {
  return lineFaults('/name', name, keyLimits.nameCharactersMax);
}

/** Returns the faults of requested scopes: unknown ones and repeated ones. */
export function scopeFaults(scopes: readonly string[]): Fault[] {
  return scopes.flatMap((scope, index) => {
    const pointer = `/scopes/${index}`;
    if (!isScope(scope)) return [{ pointer, detail: 'Is not a scope' }];
    return scopes.indexOf(scope) < index ? [{ pointer, detail: 'Is repeated' }] : [];
  });
}

/**
 * Throws `missing-scope` unless the caller has these scopes. `placeOf` returns the place of one in a request. Default:
 * the place of the credential.
 */
export function requireScopes(
  { scopes, pointer = ofKey }: Pick<KeyPower, 'scopes' | 'pointer'>,
  needed: readonly string[],
  placeOf: (scope: string, index: number) => string = () => pointer,
): void {
  const faults = needed.flatMap((detail, index) =>
    scopes.includes(detail) ? [] : [{ pointer: placeOf(detail, index), detail }],
  );
  if (faults.length > 0) throw missingScope(faults);
}

/** Throws `stronger-key`. */
export function requireExpiryWithin(caller: KeyPower, expiresAt: Date | null): void {
  if (!isLater(expiresAt, caller.expiresAt)) return;
  const detail = `Must not be later than ${String(caller.expiresAt?.toISOString())}`;
  throw strongerKey('The key would expire later than the calling key', [{ pointer: '/expiresAt', detail }]);
}

/**
 * Throws `missing-scope` or `stronger-key` if the other key has scopes or workspaces that the caller does not have, or
 * counts as an owner and the caller does not.
 */
export function requirePowerOver(caller: OwnerPower, other: OwnerPower): void {
  requireScopes(caller, other.scopes);
  if (other.isOwner && !caller.isOwner)
    throw strongerKey('The key has no limits: only an owner, or a key without limits, changes or revokes it');
  if (other.workspaceIds.every((id) => caller.workspaceIds.includes(id))) return;
  throw strongerKey('The key can access workspaces that the caller cannot');
}

/** Returns whether a change lets a key do more, or for longer. */
export function isWider(next: Omit<KeyPower, 'workspaceIds'>, before: KeyPower): boolean {
  return (
    next.scopes.some((scope) => !before.scopes.includes(scope)) || isLater(next.expiresAt, before.expiresAt)
  );
}

/** Returns whether something would expire later than `limit`. Null: never. */
export function isLater(expiresAt: Date | null, limit: Date | null): boolean {
  return limit !== null && (expiresAt === null || expiresAt > limit);
}

function strongerKey(detail: string, faults?: Fault[]): AppError {
  return new AppError('permission_denied', 'stronger-key', detail, { faults });
}
