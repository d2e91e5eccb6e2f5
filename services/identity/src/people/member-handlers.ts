import { changesBetween } from '@parley/audit/rows';
import type { Grant } from '@parley/contracts/common/v1/grant';
import { emailForm } from '@parley/contracts/email';
import type {
  IdentityServiceService,
  InviteMemberRequest,
  RemoveMemberRequest,
  UpdateMemberRequest,
} from '@parley/contracts/identity/v1/identity';
import { customerLimits, isLonger, memberLimits } from '@parley/contracts/limits';
import { isRole, type Role, roleNames } from '@parley/contracts/roles';
import type { Handlers } from '@parley/rpc/definition';
import { noGrant } from '@parley/rpc/grants';
import { idPositions, readPage } from '@parley/runtime/cursor';
import {
  AppError,
  requireExisting,
  type Fault,
  invalidRequest,
  lostRace,
  notFound,
  requireUnchanged,
} from '@parley/runtime/errors';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { auditMember, findRemovedPerson } from '../auditing.ts';
import type { Leases } from '../leases/leases.ts';
import { endMadeBeyond, losesPower } from '../makers/made.ts';
import { digestOf, newToken } from '../rules/credential.ts';
import type { Tables } from '../schema.ts';
import { type Caller, lockCallerOfMembers } from './caller.ts';
import { powerOf, requireMayGive, requireMayTake } from './member-power.ts';
import {
  countMembers,
  deleteLinksOf,
  deleteMember,
  findMember,
  hasOtherOwner,
  insertLink,
  insertMember,
  listMembers,
  listMemberships,
  lockMember,
  lockMemberOfPerson,
  lockMembersByEmail,
  lockPeople,
  lockWorkspace,
  type MemberRow,
  raisePersonVersion,
  updateMember,
} from './member-store.ts';
import { endSessionsOf } from './session-store.ts';
import { endLeasesOf } from './sessions.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  leases: Leases;
}

type MemberMethods =
  | 'listMembers'
  | 'getMember'
  | 'inviteMember'
  | 'updateMember'
  | 'removeMember'
  | 'leaveWorkspace';

export function memberHandlers({
  db,
  peppers,
  leases,
}: Dependencies): Pick<Handlers<IdentityServiceService>, MemberMethods> {
  return {
    listMembers: async ({ workspaceId, ...page }) => {
      const { rows: members, nextCursor } = await readPage(idPositions, page, (after, limit) =>
        listMembers(db, workspaceId, after?.id ?? null, limit),
      );
      return { members, nextCursor };
    },

    getMember: async ({ workspaceId, memberId }) =>
      requireExisting(await findMember(db, workspaceId, memberId)),

    inviteMember: async (request, { grant }) => {
      const role = checkedRole(request.role);
      requireEmail(request.email);
      return db.transaction().execute((trx) => invite(trx, peppers, grant, { ...request, role }));
    },

    updateMember: async (request, { grant }) => {
      const { workspaceId, memberId } = request;
      if (typeof request.role === 'string') checkedRole(request.role);
      const changed = await db.transaction().execute(async (trx) => {
        await changeMember(trx, grant, request);
        return requireExisting(await findMember(trx, workspaceId, memberId));
      });
      if (changed.personId) await endLeasesOf(db, leases, changed.personId);
      return changed;
    },

    removeMember: async (request, { grant }) => {
      const { workspaceId, memberId } = request;
      const removed = db.transaction().execute((trx) => removeTarget(trx, grant, request));
      const personId = await removed.catch(async (error: unknown) => {
        // An earlier call may have removed the member, and stopped before it ended the leases.
        const former = await findRemovedPerson(db, workspaceId, memberId);
        if (former !== undefined) await endLeasesOf(db, leases, former);
        throw error;
      });
      if (personId) await endLeasesOf(db, leases, personId);
      return {};
    },

    leaveWorkspace: async ({ workspaceId }, { grant }) => {
      if (grant?.holder?.$case !== 'personId') throw noGrant('it is not of a person');
      const personId = grant.holder.value;
      await db.transaction().execute((trx) => removePerson(trx, workspaceId, personId));
      // Repeated calls too: an earlier one may have failed before this line.
      await endLeasesOf(db, leases, personId);
      return {};
    },
  };
}

async function invite(
  trx: Kysely<Tables>,
  peppers: Keyring,
  grant: Grant | undefined,
  request: InviteMemberRequest & { role: Role },
): Promise<{ member: MemberRow; code: string }> {
  const { workspaceId, callerVersion, email, role, personalData } = request;
  if (!(await lockWorkspace(trx, workspaceId))) throw notFound();
  const caller = await lockCallerOfMembers(trx, grant, { workspaceId, version: callerVersion });
  requireMayGive(caller, { role, personalData });
  const known = await lockMembersByEmail(trx, workspaceId, email);
  if (known.some(({ personId }) => personId)) {
    throw new AppError('already_exists', 'member-exists', 'The workspace has a member with this address');
  }
  const [pending] = known;
  const id = pending?.id ?? uuidv7();
  if (pending) {
    requireMayTake(caller, pending);
    await updateMember(trx, workspaceId, id, { role, personalData, invitedBy: caller.id });
    await deleteLinksOf(trx, workspaceId, id);
  } else {
    await requireRoom(trx, workspaceId);
    await insertMember(trx, {
      id,
      workspaceId,
      personId: null,
      invitedEmail: email,
      invitedBy: caller.id,
      role,
      personalData,
      origin: 'invitation',
    });
  }
  const linkId = uuidv7();
  const code = newToken('link', linkId);
  const link = { id: linkId, workspaceId, memberId: id, role: null, name: null, ...digestOf(peppers, code) };
  await insertLink(trx, link, memberLimits.invitationSecondsMax);
  const member = requireExisting(await findMember(trx, workspaceId, id));
  await auditMember(trx, 'member.invited', member, changesBetween({}, { role, personalData }));
  return { member, code };
}

/** Returns the person of the removed member. */
async function removeTarget(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  request: RemoveMemberRequest,
): Promise<string | null | undefined> {
  const { caller, target } = await lockTarget(trx, grant, request);
  requireMayTake(caller, target);
  await remove(trx, target);
  return target.personId;
}

/** Idempotent. */
async function removePerson(trx: Kysely<Tables>, workspaceId: string, personId: string): Promise<void> {
  if (!(await lockWorkspace(trx, workspaceId))) throw notFound();
  await lockPeople(trx, [personId]);
  const target = await lockMemberOfPerson(trx, workspaceId, personId);
  if (target) await remove(trx, target);
}

/** Removes a member that is locked. Its person is signed out without another workspace. Throws 409 `last-owner`. */
async function remove(trx: Kysely<Tables>, target: MemberRow): Promise<void> {
  const { workspaceId, id, personId } = target;
  await requireAnotherOwner(trx, target);
  await deleteMember(trx, workspaceId, id);
  await auditMember(trx, 'member.removed', target);
  if (!personId) return;
  const { isOperator } = await raisePersonVersion(trx, personId);
  await endMadeBeyond(trx, { id: personId, workspaceId });
  if (isOperator) return;
  const others = await listMemberships(trx, personId);
  if (others.length === 0) await endSessionsOf(trx, personId);
}

async function changeMember(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  request: UpdateMemberRequest,
): Promise<void> {
  const { workspaceId, memberId, callerVersion } = request;
  const { caller, target } = await lockTarget(trx, grant, request, callerVersion);
  const role = (request.role ?? target.role) as Role;
  const personalData = request.personalData ?? target.personalData;
  requireMayTake(caller, target);
  requireMayGive(caller, { role, personalData });
  if (role !== target.role) {
    if (target.origin === 'group') throw roleOfGroup();
    await requireAnotherOwner(trx, target);
  }
  const invitedBy = target.personId ? {} : { invitedBy: caller.id };
  await updateMember(trx, workspaceId, memberId, { role, personalData, ...invitedBy });
  await auditMember(trx, 'member.updated', target, changesBetween(target, { role, personalData }));
  if (!target.personId) return;
  await raisePersonVersion(trx, target.personId);
  const left = powerOf({ role, personalData });
  if (losesPower(powerOf(target), left)) {
    await endMadeBeyond(trx, { id: target.personId, workspaceId }, left);
  }
}

interface Target {
  workspaceId: string;
  memberId: string;
  ifVersion?: number | null | undefined;
}

/**
 * Locks the workspace, the people and the calling key, always in this order. Throws 404 without the member, 412, and as
 * `lockCallerOfMembers`.
 */
async function lockTarget(
  trx: Kysely<Tables>,
  grant: Grant | undefined,
  { workspaceId, memberId, ifVersion }: Target,
  version?: number,
): Promise<{ caller: Caller; target: MemberRow }> {
  if (!(await lockWorkspace(trx, workspaceId))) throw notFound();
  const before = await findMember(trx, workspaceId, memberId);
  const personId = before?.personId ?? undefined;
  const caller = await lockCallerOfMembers(trx, grant, { workspaceId, version, personId });
  const target = requireExisting(await lockMember(trx, workspaceId, memberId));
  // An invitation was accepted meanwhile: its person is not locked.
  if ((target.personId ?? undefined) !== personId) throw lostRace();
  requireUnchanged(target.version, ifVersion);
  return { caller, target };
}

async function requireAnotherOwner(trx: Kysely<Tables>, target: MemberRow): Promise<void> {
  if (target.role !== 'owner' || !target.personId) return;
  if (await hasOtherOwner(trx, target.workspaceId, target.id)) return;
  throw new AppError('failed_precondition', 'last-owner', 'The workspace must keep an owner');
}

async function requireRoom(trx: Kysely<Tables>, workspaceId: string): Promise<void> {
  if ((await countMembers(trx, workspaceId)) < memberLimits.perWorkspaceMax) return;
  const detail = `The workspace has ${memberLimits.perWorkspaceMax} members, the maximum`;
  throw new AppError('failed_precondition', 'too-many-members', detail);
}

function roleOfGroup(): AppError {
  return new AppError(
    'failed_precondition',
    'role-of-group',
    'The role comes from a group of the sign-in provider: change it there',
  );
}

function checkedRole(role: string): Role {
  if (isRole(role)) return role;
  throw invalidRequest([{ pointer: '/role', detail: `Must be one of ${roleNames.join(', ')}` }]);
}

function requireEmail(email: string): void {
  const faults: Fault[] = [];
  const { emailCharactersMax } = customerLimits;
  if (isLonger(email, emailCharactersMax)) {
    faults.push({ pointer: '/email', detail: `Must have at most ${emailCharactersMax} characters` });
  } else if (!emailForm.test(email)) {
    faults.push({ pointer: '/email', detail: 'Must be an email address' });
  }
  if (faults.length > 0) throw invalidRequest(faults);
}
