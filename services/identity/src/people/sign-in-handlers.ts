import type { IdentityServiceService, NewSession } from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import { roleScopes } from '@parley/contracts/roles';
import { idOfToken } from '@parley/contracts/person-token';
import type { CallContext } from '@parley/rpc/context';
import type { Handlers } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import { type Keyring, open, seal } from '@parley/runtime/keyring';
import type { Kysely, Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { asPerson, auditJoining } from '../auditing.ts';
import type { Leases } from '../leases.ts';
import { revokeLinksBeyond } from '../portal/maker.ts';
import { isSecretOf } from '../rules/credential.ts';
import type { SignInLinkTable, Tables } from '../schema.ts';
import { isOperatorBy, rolesOfGroups } from './group-roles.ts';
import { findMember, insertMember, listMemberships, raisePersonVersion } from './member-store.ts';
import { type Account, invalidSignIn, type Provider } from './provider.ts';
import { beginSession, endLeasesOf } from './sessions.ts';
import {
  acceptInvitation,
  acceptInvitationsTo,
  findLink,
  insertPerson,
  listWorkspaceIds,
  type MembershipChanges,
  setOperator,
  syncGroupMembers,
  upsertPerson,
  useLink,
} from './sign-in-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  leases: Leases;
  provider: Provider | undefined;
}

type Link = Selectable<SignInLinkTable>;
type SignInMethods = 'beginSignIn' | 'completeSignIn' | 'openSignInLink';

const attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  /** The id of the link of an invitation that the sign-in accepts. */
  linkId: z.string().optional(),
  expiresAtMs: z.number(),
});

const bound = 'a sign-in with the provider';

/** Returns the handlers of the RPCs by which people sign in. */
export function signInHandlers(
  dependencies: Dependencies,
): Pick<Handlers<IdentityServiceService>, SignInMethods> {
  const { db, peppers, encryptionKeys, leases, provider } = dependencies;
  const findByCode = async (code: string): Promise<Link> => {
    const id = idOfToken('link', code);
    const link = id === undefined ? undefined : await findLink(db, id);
    const isRight = isSecretOf(peppers, code, link);
    if (!link || !isRight) throw invalidLink();
    return link;
  };

  return {
    beginSignIn: async ({ redirectUri, invitationCode }) => {
      if (!provider) throw noProvider();
      const linkId = invitationCode === '' ? undefined : (await findByCode(invitationCode)).id;
      const begun = await provider.begin(redirectUri);
      const expiresAtMs = Date.now() + memberLimits.signInSecondsMax * 1_000;
      const kept = JSON.stringify({ ...begun.attempt, linkId, expiresAtMs } satisfies z.input<
        typeof attempt
      >);
      return { url: begun.url, attempt: seal(encryptionKeys, kept, bound) };
    },

    completeSignIn: async (request, context) => {
      if (!provider) throw noProvider();
      const begun = readAttempt(encryptionKeys, request.attempt);
      const account = await provider.complete(begun, request.query);
      const signedIn = await db
        .transaction()
        .execute((trx) => signIn(trx, { peppers, provider, context }, account, begun.linkId));
      if (signedIn.hasChanged) await endLeasesOf(db, leases, signedIn.personId);
      if (!signedIn.session) throw noMembership(account);
      return signedIn.session;
    },

    openSignInLink: async ({ code }, context) => {
      const link = await findByCode(code);
      if (link.memberId && provider) return { session: null };
      return { session: await db.transaction().execute((trx) => openLink(trx, { peppers, context }, link)) };
    },
  };
}

/** Begins a session of a new person, as the operator or an invitation says. */
async function openLink(
  trx: Kysely<Tables>,
  { peppers, context }: { peppers: Keyring; context: CallContext },
  link: Link,
): Promise<NewSession> {
  const { workspaceId, memberId, role, isOperator } = link;
  const id = uuidv7();
  if (isOperator || workspaceId === null) {
    if (!(await useLink(trx, link.id))) throw invalidLink();
    const operator = { id, name: link.name ?? '' };
    await insertPerson(trx, { ...operator, email: null, isOperator: true });
    return beginSession(trx, peppers, operator, context);
  }
  if (memberId !== null) {
    const invitation = await findMember(trx, workspaceId, memberId);
    if (!invitation) throw invalidLink();
    const email = invitation.email ?? '';
    const person = { id, name: email };
    await insertPerson(trx, { ...person, email });
    const joined = await acceptInvitation(trx, memberId, id);
    // The member before the link, as in changes of a member.
    if (joined.length === 0 || !(await useLink(trx, link.id))) throw invalidLink();
    await auditJoining(trx, person, context, { joined, changed: [], removed: [] });
    return beginSession(trx, peppers, person, context);
  }
  if (!(await useLink(trx, link.id))) throw invalidLink();
  if (!role) throw new Error('a link has no role');
  await insertPerson(trx, { id, name: link.name ?? '', email: null });
  const member = { id: uuidv7(), workspaceId, personId: id, role, personalData: true } as const;
  await insertMember(trx, { ...member, invitedEmail: null, origin: 'link' });
  const person = { id, name: link.name ?? '' };
  await auditJoining(trx, person, context, { joined: [member], changed: [], removed: [] });
  return beginSession(trx, peppers, person, context);
}

/**
 * Makes the memberships of an account what its groups and invitations say, and begins a session. Without a membership
 * there is none. Returns also whether gateways may have cached former memberships.
 */
async function signIn(
  trx: Kysely<Tables>,
  { peppers, provider, context }: { peppers: Keyring; provider: Provider; context: CallContext },
  account: Account,
  linkId: string | undefined,
): Promise<{ personId: string; session: NewSession | undefined; hasChanged: boolean }> {
  const { issuer, subject, name, email, isEmailVerified, groups } = account;
  const personId = await upsertPerson(trx, { id: uuidv7(), issuer, subject, name, email });
  const link = linkId === undefined ? undefined : await findLink(trx, linkId);
  const joined = link?.memberId != null ? await acceptInvitation(trx, link.memberId, personId) : [];
  // Another invitation may have replaced the link.
  if (link && joined.length > 0 && !(await useLink(trx, link.id))) throw invalidLink();
  const invited = email !== null && isEmailVerified ? await acceptInvitationsTo(trx, email, personId) : [];
  const ofGroups = await syncGroups(trx, provider, personId, groups);
  const changes = { ...ofGroups, joined: [...joined, ...invited, ...ofGroups.joined] };
  await auditJoining(trx, { id: personId, name }, context, changes);
  await asPerson({ id: personId, name }, context, () => narrowLinks(trx, changes));
  const isOperator = isOperatorBy(provider.groupRoles, groups);
  const hasPowerChanged = await setOperator(trx, personId, isOperator);
  const hasChanged = hasPowerChanged || Object.values(changes).some((rows) => rows.length > 0);
  if (hasChanged) await raisePersonVersion(trx, personId);
  const memberships = await listMemberships(trx, personId);
  const session =
    memberships.length > 0 || isOperator
      ? await beginSession(trx, peppers, { id: personId, name }, context)
      : undefined;
  const joinedWorkspaceIds = changes.joined.map(({ workspaceId }) => workspaceId);
  return { personId, session: session && { ...session, joinedWorkspaceIds }, hasChanged };
}

/** Revokes the portal links that a person could not make any more. */
async function narrowLinks(
  trx: Kysely<Tables>,
  { changed, removed }: Pick<MembershipChanges, 'changed' | 'removed'>,
): Promise<void> {
  for (const { personId, workspaceId, role, personalData } of changed) {
    if (personId) {
      const scopes = roleScopes(role, personalData);
      await revokeLinksBeyond(trx, { id: personId, workspaceId }, { scopes });
    }
  }
  for (const { personId, workspaceId } of removed) {
    if (personId) await revokeLinksBeyond(trx, { id: personId, workspaceId });
  }
}

async function syncGroups(
  trx: Kysely<Tables>,
  { groupRoles }: Provider,
  personId: string,
  groups: readonly string[],
): Promise<MembershipChanges> {
  const workspaceIds = groupRoles.length > 0 ? await listWorkspaceIds(trx) : [];
  const roles = [...rolesOfGroups(groupRoles, groups, workspaceIds)];
  const members = roles
    .slice(0, memberLimits.workspacesPerPersonMax)
    .map(([workspaceId, role]) => ({ id: uuidv7(), workspaceId, role }));
  return syncGroupMembers(trx, personId, members);
}

function readAttempt(keys: Keyring, sealed: string): z.output<typeof attempt> {
  const read = (): z.output<typeof attempt> => {
    try {
      return attempt.parse(JSON.parse(open(keys, sealed, bound)));
    } catch (cause) {
      throw invalidSignIn(cause);
    }
  };
  const begun = read();
  if (begun.expiresAtMs < Date.now()) throw invalidSignIn('it took too long');
  return begun;
}

function noProvider(): AppError {
  return new AppError('not_found', 'no-provider', 'This deployment has no sign-in provider');
}

/** Returns the error 401 of a link, the same for every fault of its code. */
export function invalidLink(): AppError {
  return new AppError(
    'unauthenticated',
    'invalid-link',
    'This link is not valid any more. Ask for another one',
  );
}

function noMembership({ name }: Account): AppError {
  return new AppError(
    'permission_denied',
    'no-membership',
    `${name} is a member of no workspace. Ask for an invitation`,
  );
}
