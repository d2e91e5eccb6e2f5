import { type Role, roleScopes } from '@parley/contracts/roles';
import type { PowerLeft } from '../makers/made.ts';
import { AppError } from '@parley/runtime/errors';
import { requireScopes } from '../rules/key-power.ts';
import type { Caller } from './caller.ts';

interface MemberPower {
  role: Role;
  personalData: boolean;
}

/** Returns what a member can do in its workspace, as of a maker. */
export function powerOf({ role, personalData }: MemberPower): PowerLeft {
  return { scopes: roleScopes(role, personalData), expiresAt: null, isOwner: role === 'owner' };
}

/**
 * Throws `missing-scope`, `owner-only` or `stronger-key` if a member could do more than the caller, or longer: members
 * do not expire, as keys do.
 */
export function requireMayGive(caller: Caller, power: MemberPower): void {
  if (caller.expiresAt !== null) {
    throw new AppError(
      'permission_denied',
      'stronger-key',
      'An API key that expires cannot make or change members',
    );
  }
  requireMay(caller, power, '/role');
}

/** Throws `missing-scope` or `owner-only` if a member, who is to be changed or removed, can do more than the caller. */
export function requireMayTake(caller: Caller, power: MemberPower): void {
  requireMay(caller, power, caller.pointer);
}

function requireMay(caller: Caller, { role, personalData }: MemberPower, pointer: string): void {
  if (role === 'owner' && !caller.isOwner) {
    throw new AppError(
      'permission_denied',
      'owner-only',
      'Only an owner can make, change or remove an owner',
    );
  }
  requireScopes(caller, roleScopes(role, personalData), () => pointer);
}
