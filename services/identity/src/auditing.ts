import type { ActionOn } from '@parley/contracts/audit-actions';
import { listAudit } from '@parley/audit/list';
import { audit, type AuditedAction, changesBetween } from '@parley/audit/rows';
import type { AuditChanges } from '@parley/audit/table';
import type { Member, PortalLink } from '@parley/contracts/identity/v1/identity';
import type { CallContext } from '@parley/rpc/context';
import { type Actor, currentWork, inWork } from '@parley/runtime/scheduling/work';
import type { Kysely } from 'kysely';
import type { MembershipChanges, MembershipRow } from './people/sign-in-store.ts';
import type { Tables } from './schema.ts';

interface KeyFields {
  name: string | null;
  scopes: string[] | null;
  expiresAt: Date | null;
}

export function keyFieldsOf({ name, scopes, expiresAt }: KeyFields): KeyFields {
  return { name, scopes, expiresAt };
}

export function auditKey(
  trx: Kysely<Tables>,
  action: ActionOn<'key'>,
  { homeWorkspaceId: workspaceId, apiKey }: { homeWorkspaceId: string; apiKey: string },
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'key', id: apiKey }], changes });
}

export function auditMember(
  trx: Kysely<Tables>,
  action: ActionOn<'member'>,
  { workspaceId, id, personId }: Pick<Member, 'workspaceId' | 'id' | 'personId'>,
  changes?: AuditChanges,
): Promise<void> {
  const person = personId ? [{ type: 'person', id: personId }] : [];
  return audit(trx, { workspaceId, action, targets: [{ type: 'member', id }, ...person], changes });
}

/** How long a gateway may rely on a membership after its end, with a margin for slow transactions. */
const removedAgoMsMax = 60_000;

/** Returns the person of a member that was removed a moment ago. */
export async function findRemovedPerson(
  db: Kysely<Tables>,
  workspaceId: string,
  memberId: string,
): Promise<string | undefined> {
  const from = new Date(Date.now() - removedAgoMsMax);
  const ofMember = { workspaceId, action: 'member.removed', target: memberId };
  const { rows } = await listAudit(db, { ...ofMember, from, to: null, before: null, limit: 1 }, 1);
  return rows[0]?.targets.find(({ type }) => type === 'person')?.id;
}

/**
 * Records in each workspace of a person that a session of it begins or ends, in the same transaction. For an operator
 * without a workspace, it concerns the deployment.
 */
export function auditSession(
  trx: Kysely<Tables>,
  action: ActionOn<'session'>,
  person: Pick<Actor, 'id' | 'name'>,
  context: CallContext,
  memberships: readonly { workspaceId: string }[],
): Promise<void> {
  return asPerson(person, context, () => audit(trx, ...sessionActions(action, person.id, memberships)));
}

/** Records that the operator has ended the sessions of a person, as `auditSession`. */
export function auditSessionsEnded(
  trx: Kysely<Tables>,
  personId: string,
  memberships: readonly { workspaceId: string }[],
): Promise<void> {
  return audit(trx, ...sessionActions('session.ended', personId, memberships));
}

function sessionActions(
  action: ActionOn<'session'>,
  personId: string,
  memberships: readonly { workspaceId: string }[],
): AuditedAction[] {
  const targets = [{ type: 'person', id: personId }];
  const workspaceIds = memberships.length > 0 ? memberships.map(({ workspaceId }) => workspaceId) : [null];
  return workspaceIds.map((workspaceId) => ({ workspaceId, action, targets }));
}

export function auditPortalLink(
  trx: Kysely<Tables>,
  action: ActionOn<'portalLink'>,
  workspaceId: string,
  id: string,
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'portalLink', id }], changes });
}

/** Records a revocation of portal links because their maker lost what they allow, in the transaction of the change. */
export function auditPortalLinks(
  trx: Kysely<Tables>,
  revoked: readonly Pick<PortalLink, 'id' | 'workspaceId'>[],
): Promise<void> {
  const action = 'portalLink.revoked';
  const actions = revoked.map(({ workspaceId, id }) => ({
    workspaceId,
    action,
    targets: [{ type: 'portalLink', id }],
  })) satisfies AuditedAction[];
  return audit(trx, ...actions);
}

/** Records the begin or end of a portal session, in the transaction of the change. */
export function auditPortalSession(
  trx: Kysely<Tables>,
  action: ActionOn<'session'>,
  { id, name, workspaceId }: Pick<PortalLink, 'id' | 'name' | 'workspaceId'>,
  { requestId, clientAddress }: CallContext,
): Promise<void> {
  const actor: Actor = { type: 'portal', id, name, requestId, clientAddress };
  const targets = [{ type: 'portalLink', id }];
  return inWork({ ...currentWork(), actor }, () => audit(trx, { workspaceId, action, targets }));
}

/** Records what a sign-in changes about the memberships of its person, in the transaction of the change. */
export function auditJoining(
  trx: Kysely<Tables>,
  person: Pick<Actor, 'id' | 'name'>,
  context: CallContext,
  { joined, changed, removed }: MembershipChanges,
): Promise<void> {
  return asPerson(person, context, async () => {
    for (const member of joined) await auditMember(trx, 'member.joined', member, givenPower(member));
    for (const member of changed) await auditMember(trx, 'member.updated', member, givenPower(member));
    for (const member of removed) await auditMember(trx, 'member.removed', member);
  });
}

function givenPower({ role, personalData }: MembershipRow): AuditChanges {
  return changesBetween({}, { role, personalData });
}

/** Runs work of a call without a grant: only its course shows who the person is. */
export function asPerson<Result>(
  person: Pick<Actor, 'id' | 'name'>,
  { requestId, clientAddress }: CallContext,
  work: () => Result,
): Result {
  const actor: Actor = { type: 'person', ...person, requestId, clientAddress };
  return inWork({ ...currentWork(), actor }, work);
}

export function auditWorkspace(
  trx: Kysely<Tables>,
  workspaceId: string,
  action: ActionOn<'workspace' | 'branding' | 'sdkSecret' | 'consoleLink'>,
  changes?: AuditChanges,
): Promise<void> {
  return audit(trx, { workspaceId, action, targets: [{ type: 'workspace', id: workspaceId }], changes });
}
