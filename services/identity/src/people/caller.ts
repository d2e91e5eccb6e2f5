import type { Grant } from '@parley/contracts/common/v1/grant';
import { roleScopes } from '@parley/contracts/roles';
import type { Scope } from '@parley/contracts/scopes';
import { noGrant } from '@parley/rpc/grants';
import { invalidCredentials, lostRace } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { type LockedKey, lockKeys } from '../keys/key-store.ts';
import { type OwnerPower, requireScopes } from '../rules/key-power.ts';
import type { Tables } from '../schema.ts';
import { listMemberships, lockPeople } from './member-store.ts';

/** A key or person that changes members or keys, as its rows are: a gateway may know an older state of it. */
export interface Caller extends OwnerPower {
  id: string;
  /** Rises with every change of it. */
  version: number;
  pointer: NonNullable<OwnerPower['pointer']>;
  /** True for a person and for a key of the operator: no key or person has made it. */
  isIndependent: boolean;
  now: Date;
}

/** The maker of the keys that the command line creates. */
export const operator = 'operator';

export function callerOfKey(key: LockedKey): Caller {
  const { apiKey, version, scopes, workspaceIds, expiresAt, hasAllScopes, createdBy, now } = key;
  return {
    id: apiKey,
    version,
    isOwner: hasAllScopes && expiresAt === null,
    pointer: '/headers/authorization',
    isIndependent: createdBy === operator,
    scopes,
    workspaceIds,
    expiresAt,
    now,
  };
}

interface Wanted {
  workspaceId: string;
  scope: Scope;
  version?: number | undefined;
  personId?: string | undefined;
}

/** As `lockCaller`, with the scope that changes of members need. */
export function lockCallerOfMembers(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  wanted: Omit<Wanted, 'scope'>,
): Promise<Caller> {
  return lockCaller(trx, grant, { ...wanted, scope: 'workspace:write' });
}

/**
 * Locks the caller, and the person of the member that it changes. Throws 401 if the caller is not valid any more, 409
 * if its version is another one than `version`, 403 without the scope.
 */
export async function lockCaller(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  wanted: Wanted,
): Promise<Caller> {
  const { workspaceId, version, personId, scope: needed } = wanted;
  const holder = grant?.holder;
  const isPerson = holder?.$case === 'personId';
  const people = [isPerson ? holder.value : undefined, personId].filter((id) => id !== undefined);
  const locked = people.length > 0 ? await lockPeople(trx, people) : [];
  const caller = isPerson
    ? await personAsCaller(trx, holder.value, locked, workspaceId)
    : await keyAsCaller(trx, holder?.$case === 'apiKey' ? holder.value : undefined);
  if (version !== undefined && version !== caller.version) throw lostRace();
  requireScopes(caller, [needed]);
  return caller;
}

/** Locks a person that changes the keys of a workspace. Throws as `lockCallerOfMembers`, but does not check scopes. */
export async function lockPersonOfKeys(
  trx: Kysely<Tables>,
  personId: string,
  workspaceId: string,
  version: number | undefined,
): Promise<Caller> {
  const caller = await personAsCaller(trx, personId, await lockPeople(trx, [personId]), workspaceId);
  if (version !== undefined && version !== caller.version) throw lostRace();
  return caller;
}

async function personAsCaller(
  trx: Kysely<Tables>,
  personId: string,
  locked: Awaited<ReturnType<typeof lockPeople>>,
  workspaceId: string,
): Promise<Caller> {
  const person = locked.find(({ id }) => id === personId);
  const memberships = person ? await listMemberships(trx, personId) : [];
  const own = memberships.find((one) => one.workspaceId === workspaceId.toLowerCase());
  if (!person || !own) throw invalidCredentials();
  const scopes = roleScopes(own.role, own.personalData);
  const isAsStrong = (others: readonly Scope[]): boolean => scopes.every((scope) => others.includes(scope));
  return {
    id: personId,
    version: person.version,
    now: person.now,
    isOwner: own.role === 'owner',
    pointer: '/headers/cookie',
    isIndependent: true,
    scopes,
    // The workspaces with equal rights.
    workspaceIds: memberships
      .filter(({ role, personalData }) => isAsStrong(roleScopes(role, personalData)))
      .map((one) => one.workspaceId),
    expiresAt: null,
  };
}

async function keyAsCaller(trx: Kysely<Tables>, apiKey: string | undefined): Promise<Caller> {
  if (apiKey === undefined) throw noGrant('it is not of an API key or a person');
  const nobody = { workspaceId: '00000000-0000-0000-0000-000000000000', apiKey: '' };
  const { caller } = await lockKeys(trx, apiKey, nobody);
  if (!caller?.isLive) throw invalidCredentials();
  return callerOfKey(caller);
}
