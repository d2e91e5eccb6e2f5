import { randomUUID } from 'node:crypto';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import type { NewSession, SignedIn } from '@parley/contracts/identity/v1/identity';
import type { Role } from '@parley/contracts/roles';
import { connect } from '@parley/rpc/connect';
import { keyGrantSeconds } from '@parley/rpc/grants';
import { createDatabase } from '@parley/testing/database/database';
import { quietLogger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { migrations } from '../src/migrations/index.ts';
import { grants, startReplica, tokens } from './replica.ts';
import { startTokenProvider } from './token-provider.ts';

const call = { requestId: 'test', timeoutMs: 30_000 };
const redirectUri = 'https://parley.example/console/sign-in/callback';

/** Who makes a call: an API key, or a person. */
export type Holder = { $case: 'apiKey' | 'personId'; value: string };

/** Starts identity with a sign-in provider whose claims a test decides. */
export async function startPeopleWorld(stack: AsyncDisposableStack, groupRoles: string) {
  const provider = stack.use(await startTokenProvider());
  const database = stack.use(await createDatabase('identity', migrations));
  const sql = stack.use(await openSqlConnection(database.adminUrl));
  const warnings: { personId?: string; workspaceId?: string }[] = [];
  const logger = quietLogger.child({});
  logger.warn = (fields: object) => void warnings.push(fields);
  const env = { OIDC_GROUP_ROLES: groupRoles, ...provider.env };
  const address = await startReplica(stack, database.url, env, logger);
  const clientOf = (token: string, caller: 'gateway' | 'cli') =>
    stack.use(connect(address, { token, caller }));
  const identity = clientOf(tokens.service, 'gateway').client(IdentityServiceService);
  const operator = clientOf(tokens.operator, 'cli').client(IdentityAdminServiceService);

  const begin = async (invitationCode = '') => {
    const { url, attempt } = await identity.beginSignIn({ redirectUri, invitationCode }, call);
    const asked = new URL(url).searchParams;
    const code = randomUUID();
    const query = `code=${code}&state=${String(asked.get('state'))}`;
    return { begun: { attempt, query }, code, nonce: String(asked.get('nonce')) };
  };
  const personOf = async ({ token }: NewSession): Promise<SignedIn> =>
    identity.authenticateSession({ token, holder: '' }, call);

  return {
    call,
    provider,
    database,
    sql,
    warnings,
    identity,
    operator,
    begin,
    newWorkspace: async (): Promise<string> =>
      (await operator.createWorkspace({ name: 'T', allowedDomains: [] }, call)).id,
    /** Signs in with these claims of the ID token and of the userinfo endpoint. */
    signIn: async (
      idToken: Record<string, unknown>,
      userInfo: Record<string, unknown> = {},
      invitationCode = '',
    ): Promise<SignedIn> => {
      const { begun, code, nonce } = await begin(invitationCode);
      provider.answers.set(code, { idToken: { sub: randomUUID(), nonce, ...idToken }, userInfo });
      return personOf(await identity.completeSignIn(begun, call));
    },
    /** Signs in by a link of the operator. */
    signInByLink: async (workspaceId: string, role: Role): Promise<SignedIn> => {
      const { code } = await operator.createConsoleLink({ workspaceId, role, name: 'Ada' }, call);
      const { session } = await identity.openSignInLink({ code }, call);
      if (!session) throw new Error('the link has begun no session');
      return personOf(session);
    },
    by: (holder: Holder, workspaceId: string) => ({
      ...call,
      grant: grants.issue({ workspaceIds: [workspaceId], holder }, keyGrantSeconds),
    }),
  };
}

export type PeopleWorld = Awaited<ReturnType<typeof startPeopleWorld>>;
