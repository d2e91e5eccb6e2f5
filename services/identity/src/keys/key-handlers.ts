import { changesBetween } from '@parley/audit/rows';
import { isApiKey } from '@parley/contracts/api-key';
import type { Scope } from '@parley/contracts/scopes';
import type { Grant } from '@parley/contracts/common/v1/grant';
import type {
  ApiKey,
  CreateApiKeyRequest,
  IdentityServiceService,
  UpdateApiKeyRequest,
} from '@parley/contracts/identity/v1/identity';
import type { Handlers } from '@parley/rpc/definition';
import { noGrant } from '@parley/rpc/grants';
import { positionsOf, readPage, textPart } from '@parley/runtime/cursor';
import {
  AppError,
  requireExisting,
  invalidCredentials,
  invalidRequest,
  lostRace,
  notFound,
  requireUnchanged,
} from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { auditKey, keyFieldsOf } from '../auditing.ts';
import {
  findApiKey,
  insertApiKey,
  listApiKeyPage,
  type LockedKey,
  lockKeys,
  makeRoomForKey,
  revokeApiKey,
  updateApiKey,
} from './key-store.ts';
import type { Leases } from '../leases/leases.ts';
import { endLeasesOfMade, endMadeBeyond, losesPower } from '../makers/made.ts';
import { type Caller, callerOfKey, lockPersonOfKeys, operator } from '../people/caller.ts';
import {
  digestOf,
  newApiKey,
  newApiSecret,
  pepperIdOf,
  type SecretDigest,
  storedPepperId,
} from '../rules/credential.ts';
import {
  scopesInOrder,
  isLater,
  isWider,
  keyNameFaults,
  requireExpiryWithin,
  requirePowerOver,
  requireScopes,
  scopeFaults,
} from '../rules/key-power.ts';
import type { Tables } from '../schema.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
}

type KeyMethods = 'createApiKey' | 'getApiKey' | 'listApiKeys' | 'updateApiKey' | 'revokeApiKey';

const keyPositions = positionsOf<{ apiKey: string }>({ apiKey: textPart(isApiKey) });

export function keyHandlers({
  db,
  peppers,
  leases,
}: Dependencies): Pick<Handlers<IdentityServiceService>, KeyMethods> {
  const endLeases = (apiKey: string): Promise<void> => endLeasesOfMade(db, leases, apiKey);
  return {
    createApiKey: async (request, { grant }) => {
      const { name, scopes } = request;
      requireValid([...keyNameFaults(name), ...(scopes.length === 0 ? [noScope] : scopeFaults(scopes))]);
      const secret = newApiSecret();
      const key = await db
        .transaction()
        .execute((trx) => addKey(trx, grant, request, digestOf(peppers, secret)));
      return { key, secret };
    },

    getApiKey: async ({ workspaceId, apiKey }) => requireExisting(await findApiKey(db, workspaceId, apiKey)),

    listApiKeys: async ({ workspaceId, ...page }) => {
      const { rows: keys, nextCursor } = await readPage(keyPositions, page, (after, limit) =>
        listApiKeyPage(db, workspaceId, after?.apiKey ?? null, limit),
      );
      return { keys, nextCursor };
    },

    updateApiKey: async (request, { grant }) => {
      const { name, scopes } = request;
      requireValid([...(typeof name === 'string' ? keyNameFaults(name) : []), ...scopeFaults(scopes)]);
      const changed = await db.transaction().execute((trx) => changeKey(trx, grant, request));
      await endLeases(changed.apiKey);
      return changed;
    },

    revokeApiKey: async ({ workspaceId, apiKey, ifVersion }, { grant }) => {
      const revocation = db.transaction().execute(async (trx) => {
        const { target } = await lockTarget(trx, grant, { workspaceId, apiKey, ifVersion });
        const key = await revokeApiKey(trx, workspaceId, target.apiKey);
        if (!target.revokedAt) await auditKey(trx, 'key.revoked', key);
        await endMadeBeyond(trx, { id: target.apiKey });
        return key;
      });
      const revoked = await revocation.catch(async (error: unknown) => {
        // A key that has revoked itself cannot repeat the call.
        if (grant?.holder?.value === apiKey) await leases.end(apiKey);
        throw error;
      });
      // Repeated calls too: an earlier one may have failed before this line.
      await endLeases(apiKey);
      return revoked;
    },
  };
}

const noScope = { pointer: '/scopes', detail: 'Must have at least one scope' };

async function addKey(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  { workspaceId, callerVersion, name, scopes, expiresAt }: CreateApiKeyRequest,
  { pepperId, digest }: SecretDigest,
): Promise<ApiKey> {
  const { caller } = await lockCaller(trx, grant, { workspaceId, apiKey: '' }, callerVersion);
  requireScopes(caller, scopes, (_, index) => `/scopes/${index}`);
  requireFuture(expiresAt, caller.now);
  requireExpiryWithin(caller, expiresAt);
  await makeRoomForKey(trx, workspaceId);
  const limits = { scopes: scopesInOrder(scopes), expiresAt };
  const key = await insertApiKey(trx, {
    ...limits,
    apiKey: newApiKey(),
    homeWorkspaceId: workspaceId.toLowerCase(),
    name,
    createdBy: caller.id,
    pepperId: storedPepperId(pepperId, limits),
    digest,
  });
  await auditKey(trx, 'key.created', key, changesBetween({}, keyFieldsOf(key)));
  return key;
}

async function changeKey(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  request: UpdateApiKeyRequest,
): Promise<ApiKey> {
  const { workspaceId, callerVersion, name, scopes, expiry } = request;
  const { caller, target } = await lockTarget(trx, grant, request, callerVersion);
  // Gateways remember for a while that they have rejected its secret, so it cannot become valid again.
  if (!target.isLive) {
    throw new AppError('failed_precondition', 'key-ended', 'The API key has been revoked or has expired');
  }
  requireScopes(caller, scopes, (_, index) => `/scopes/${index}`);
  const next = {
    scopes: scopes.length > 0 ? scopesInOrder(scopes) : target.storedScopes,
    expiresAt: expiry ? expiry.expiresAt : target.expiresAt,
  };
  if (expiry) requireFuture(next.expiresAt, caller.now);
  const nextPower = { ...next, scopes: next.scopes ?? target.scopes };
  if (isWider(nextPower, target)) requireExpiryWithin(caller, next.expiresAt);
  const left = { ...nextPower, isOwner: next.scopes === null && next.expiresAt === null };
  const isLess = losesPower(callerOfKey(target), left);
  // Who only takes something from a key does not vouch for it.
  const onlyNarrows = isLess && !isWider(nextPower, target);
  const changed = await updateApiKey(trx, workspaceId, target.apiKey, {
    ...next,
    name: name ?? target.name,
    createdBy:
      !onlyNarrows && isTakenOver(caller, target, request, next.expiresAt) ? caller.id : target.createdBy,
    pepperId: storedPepperId(pepperIdOf(target.pepperId), next),
  });
  if (isLess) await endMadeBeyond(trx, { id: target.apiKey }, left);
  await auditKey(trx, 'key.updated', changed, changesBetween(keyFieldsOf(target), keyFieldsOf(changed)));
  return changed;
}

/**
 * Returns whether a caller becomes the maker of a key to which it gives scopes or an end: the key stays when its former
 * maker goes. A key that was made cannot do so, or two of them could vouch for each other after the end of their maker.
 */
function isTakenOver(
  caller: Caller,
  { apiKey, createdBy }: LockedKey,
  { scopes, expiry }: UpdateApiKeyRequest,
  expiresAt: Date | null,
): boolean {
  const isOfOther = createdBy !== operator && caller.isIndependent && caller.id !== apiKey;
  return isOfOther && (scopes.length > 0 || !!expiry) && !isLater(expiresAt, caller.expiresAt);
}

interface Target {
  workspaceId: string;
  /** Empty: none. */
  apiKey: string;
  ifVersion?: number | null | undefined;
}

/**
 * Locks the calling key or person, and the target. What the caller may do is read from its rows, not from the gateway,
 * which may know an older state of it. Throws 401 if it is not live, 409 if its version is another one than `version`,
 * 403 if it must not change keys.
 */
async function lockCaller(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  wanted: Target,
  version?: number,
): Promise<{ caller: Caller; target: LockedKey | undefined }> {
  const holder = grant?.holder;
  if (holder?.$case === 'personId') {
    const caller = await lockPersonOfKeys(trx, holder.value, wanted.workspaceId, version);
    requireScopes(caller, ['keys:write' satisfies Scope]);
    const { target } = await lockKeys(trx, '', wanted);
    return { caller, target };
  }
  if (holder?.$case !== 'apiKey') throw noGrant('it is not of an API key or a person');
  const { caller, target } = await lockKeys(trx, holder.value, wanted);
  if (!caller?.isLive) throw invalidCredentials();
  // Its secret may have been replaced. If so, a retry gets 401.
  if (version !== undefined && version !== caller.version) throw lostRace();
  requireScopes(caller, ['keys:write' satisfies Scope]);
  return { caller: callerOfKey(caller), target };
}

/** As `lockCaller`. Also throws 404 without a target, 403 if it can do more than the caller, and 412. */
async function lockTarget(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  wanted: Target,
  callerVersion?: number,
): Promise<{ caller: Caller; target: LockedKey }> {
  const { caller, target } = await lockCaller(trx, grant, wanted, callerVersion);
  if (!target) throw notFound();
  requirePowerOver(caller, callerOfKey(target));
  requireUnchanged(target.version, wanted.ifVersion);
  return { caller, target };
}

function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt && expiresAt <= now)
    requireValid([{ pointer: '/expiresAt', detail: 'Must be in the future' }]);
}

function requireValid(faults: { pointer: string; detail: string }[]): void {
  if (faults.length > 0) throw invalidRequest(faults);
}
