import type { IdentityServiceService, NewSession } from '@parley/contracts/identity/v1/identity';
import { memberLimits } from '@parley/contracts/limits';
import { idOfToken } from '@parley/contracts/person-token';
import type { CallContext } from '@parley/rpc/context';
import type { Handlers } from '@parley/rpc/definition';
import { AppError } from '@parley/runtime/errors';
import { type Keyring, open, seal } from '@parley/runtime/config/keyring';
import type { Kysely, Selectable } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { auditJoining } from '../auditing.ts';
import type { Leases } from '../leases/leases.ts';
import { isSecretOf } from '../rules/credential.ts';
import type { SignInLinkTable, Tables } from '../schema.ts';
import { findMember, insertMember } from './member-store.ts';
import type { Account } from './account.ts';
import { reportGroups, signIn } from './account-sign-in.ts';
import { invalidSignIn, type Provider } from './provider.ts';
import { beginSession, endLeasesOf } from './sessions.ts';
import { invalidLink } from './sign-in-link.ts';
import { acceptInvitation, findLink, insertPerson, useLink } from './sign-in-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  peppers: Keyring;
  encryptionKeys: Keyring;
  leases: Leases;
  provider: Provider | undefined;
  logger: Logger;
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

export function signInHandlers(
  dependencies: Dependencies,
): Pick<Handlers<IdentityServiceService>, SignInMethods> {
  const { db, peppers, encryptionKeys, leases, provider, logger } = dependencies;
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
      reportGroups(logger, signedIn, account);
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

function noMembership({ name, groups }: Account): AppError {
  const unknown = groups ? '' : ', and the sign-in provider has not said which groups it is in';
  return new AppError(
    'permission_denied',
    'no-membership',
    `${name} is a member of no workspace${unknown}. Ask for an invitation`,
  );
}
