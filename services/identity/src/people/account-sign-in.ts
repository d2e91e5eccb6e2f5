import type { NewSession } from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import type { CallContext } from '@parley/rpc/context';
import type { Keyring } from '@parley/runtime/config/keyring';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { asPerson, auditJoining } from '../auditing.ts';
import { endMadeBeyond } from '../makers/made.ts';
import type { Tables } from '../schema.ts';
import type { Account } from './account.ts';
import { isOperatorBy, rolesOfGroups } from './group-roles.ts';
import { powerOf } from './member-power.ts';
import { hasOtherOwner, listMemberships, raisePersonVersion } from './member-store.ts';
import type { Provider } from './provider.ts';
import { beginSession } from './sessions.ts';
import { invalidLink } from './sign-in-link.ts';
import {
  acceptInvitation,
  acceptInvitationsTo,
  deleteInvitationsOfMember,
  findLink,
  type GroupMember,
  listWorkspaceIds,
  lockWorkspacesLosingOwner,
  type MembershipChanges,
  setOperator,
  syncGroupMembers,
  upsertPerson,
  useLink,
} from './sign-in-store.ts';

interface SignInResult {
  personId: string;
  session: NewSession | undefined;
  /** Whether gateways may have cached former memberships. */
  hasChanged: boolean;
  /** The workspaces in which it stays an owner against its groups, because there is no other one. */
  keptOwnerIn: string[];
}

/**
 * Makes the memberships of an account what its groups and invitations say, and begins a session. Without a membership
 * there is none. If the provider has not named the groups, what they gave stays.
 */
export async function signIn(
  trx: Kysely<Tables>,
  { peppers, provider, context }: { peppers: Keyring; provider: Provider; context: CallContext },
  account: Account,
  linkId: string | undefined,
): Promise<SignInResult> {
  const { groups, ...said } = account;
  const roles = groups && (await rolesBy(trx, provider, groups));
  // Before the person, as in changes of members.
  const endangered = roles ? await lockWorkspacesLosingOwner(trx, account, roles) : [];
  const person = await upsertPerson(trx, { id: uuidv7(), ...said, lacksGroups: groups === undefined });
  const personId = person.id;
  const link = linkId === undefined ? undefined : await findLink(trx, linkId);
  const joined = link?.memberId != null ? await acceptInvitation(trx, link.memberId, personId) : [];
  // Another invitation may have replaced the link.
  if (link && joined.length > 0 && !(await useLink(trx, link.id))) throw invalidLink();
  const { name, verifiedEmail } = said;
  const invited = verifiedEmail === null ? [] : await acceptInvitationsTo(trx, verifiedEmail, personId);
  const mayLose = await withOtherOwner(trx, endangered);
  const ofGroups = roles ? await syncGroupMembers(trx, personId, roles, mayLose) : noChanges;
  const needless =
    verifiedEmail === null ? [] : await deleteInvitationsOfMember(trx, verifiedEmail, personId);
  const changes = {
    ...ofGroups,
    joined: [...joined, ...invited, ...ofGroups.joined],
    removed: [...ofGroups.removed, ...needless],
  };
  await auditJoining(trx, { id: personId, name }, context, changes);
  await asPerson({ id: personId, name }, context, () => endMade(trx, changes));
  const isOperator = groups ? isOperatorBy(provider.groupRoles, groups) : person.isOperator;
  const hasPowerChanged = await setOperator(trx, personId, isOperator);
  const hasChanged = hasPowerChanged || Object.values(changes).some((rows) => rows.length > 0);
  if (hasChanged) await raisePersonVersion(trx, personId);
  const memberships = await listMemberships(trx, personId);
  const session =
    memberships.length > 0 || isOperator
      ? await beginSession(trx, peppers, { id: personId, name }, context)
      : undefined;
  const joinedWorkspaceIds = changes.joined.map(({ workspaceId }) => workspaceId);
  return {
    personId,
    session: session && { ...session, joinedWorkspaceIds },
    hasChanged,
    keptOwnerIn: endangered.map(({ workspaceId }) => workspaceId).filter((id) => !mayLose.includes(id)),
  };
}

const noChanges: MembershipChanges = { joined: [], changed: [], removed: [] };

/** Logs what groups could not change. */
export function reportGroups(
  logger: Logger,
  { personId, keptOwnerIn }: SignInResult,
  { groups }: Account,
): void {
  if (!groups) {
    logger.warn({ personId }, 'the sign-in provider has not named the groups of a person: its roles stay');
  }
  for (const workspaceId of keptOwnerIn) {
    const text = 'a person stays an owner although its groups give less: the workspace has no other owner';
    logger.warn({ personId, workspaceId }, text);
  }
}

/** Ends what a person has made and could not make any more. */
async function endMade(
  trx: Kysely<Tables>,
  { changed, removed }: Pick<MembershipChanges, 'changed' | 'removed'>,
): Promise<void> {
  for (const { personId, workspaceId, role, personalData } of changed) {
    if (personId) await endMadeBeyond(trx, { id: personId, workspaceId }, powerOf({ role, personalData }));
  }
  for (const { personId, workspaceId } of removed) {
    if (personId) await endMadeBeyond(trx, { id: personId, workspaceId });
  }
}

/** Each role has a new id for a member. */
async function rolesBy(
  trx: Kysely<Tables>,
  { groupRoles }: Provider,
  groups: readonly string[],
): Promise<GroupMember[]> {
  const workspaceIds = groupRoles.length > 0 ? await listWorkspaceIds(trx) : [];
  return [...rolesOfGroups(groupRoles, groups, workspaceIds)]
    .slice(0, memberLimits.workspacesPerPersonMax)
    .map(([workspaceId, role]) => ({ id: uuidv7(), workspaceId, role }));
}

/** Returns the ids of the workspaces that have an owner besides the member. */
async function withOtherOwner(
  trx: Kysely<Tables>,
  owners: readonly { workspaceId: string; memberId: string }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { workspaceId, memberId } of owners) {
    if (await hasOtherOwner(trx, workspaceId, memberId)) ids.push(workspaceId);
  }
  return ids;
}
