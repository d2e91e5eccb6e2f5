import { isScope, scopeNames } from '@parley/contracts/scopes';
import { z } from 'zod';
import { isOperator, type Principal, principalIn } from '../../http/request/principal.ts';
import { notForCaller, type Route, route } from '../../http/server/route.ts';
import { scope } from '../keys/present.ts';
import { role } from './present.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestampOrNull } from '../../values/timestamp.ts';

const session = z
  .strictObject({
    type: z.enum(['key', 'person', 'portal']),
    id: z.string().meta({
      description: 'The API key, or the id of the person or of the portal link',
      examples: ['prl_key_3vVQmGdZcKxw9n2TfPq0Xy'],
    }),
    name: z.string().meta({ description: 'May be empty', examples: ['Shop backend'] }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'Null for all but people', examples: [null] }),
    isOperator: z.boolean().meta({
      description: 'Whether the caller may see the state of the deployment',
      examples: [false],
    }),
    workspaces: z.array(
      z.strictObject({
        workspaceId: id,
        name: z.string().meta({ examples: ['Shop'] }),
        role: role.nullable().meta({ description: 'Null for all but people', examples: [null] }),
        scopes: z
          .array(scope)
          .meta({ description: 'In the order of the catalogue', examples: [['interactions:write']] }),
      }),
    ),
    webhookIds: z
      .array(id)
      .nullable()
      .meta({
        description: 'The webhooks that a portal link is limited to; null: no limit',
        examples: [null],
      }),
    expiresAt: timestamp.nullable().meta({
      description: 'When the key or the session ends; a session ends later if it is used. Null: never',
      examples: [null],
    }),
  })
  .meta({ id: 'CallerSession' });

const getSession = route({
  method: 'GET',
  path: '/v1/session',
  access: 'key',
  scope: 'any',
  portal: 'any',
  operationId: 'getSession',
  clientMethod: 'session.get',
  tag: 'Members',
  summary:
    'Get who is calling: the key, person or portal link, its workspaces and its scopes in each of them',
  data: session,
  handle: async (_input, call, { identity }) => {
    const { principal } = call;
    const { workspaceIds } = principal;
    const { workspaces } = await identity.batchGetWorkspaces({ workspaceIds }, call.rpc());
    return {
      data: {
        type: principal.type,
        id: principal.id,
        name: principal.name,
        email: principal.type === 'person' ? principal.email || null : null,
        isOperator: isOperator(principal),
        workspaces: workspaces.map(({ id, name }) => ({
          workspaceId: id,
          name,
          role: roleIn(principal, id),
          scopes: scopesIn(principal, id),
        })),
        webhookIds: principal.type === 'portal' ? principal.webhookIds && [...principal.webhookIds] : null,
        expiresAt: toTimestampOrNull(principal.expiresAt),
      },
    };
  },
});

const endSession = route({
  method: 'DELETE',
  path: '/v1/session',
  access: 'key',
  scope: 'any',
  portal: 'any',
  operationId: 'endSession',
  clientMethod: 'session.end',
  tag: 'Members',
  summary: 'Sign out the calling person or portal session',
  description: 'After the answer, no gateway accepts the session.',
  errors: ['not-for-caller'],
  data: z.null(),
  // The usual limit, and the three seconds that a sign-out waits for a gateway that cannot be notified.
  timeoutMs: 8_000,
  handle: async (_input, call, { identity, cookies }) => {
    const { sessionToken, principal } = call;
    if (sessionToken === undefined) {
      throw notForCaller('Only a person has a session. Revoke an API key instead');
    }
    await identity.endSession({ token: sessionToken }, call.rpc());
    const cookie = principal.type === 'portal' ? cookies.portalSession : cookies.session;
    return { data: null, cookie: cookie.clear() };
  },
});

function roleIn(principal: Principal, workspaceId: string): z.output<typeof role> | null {
  if (principal.type !== 'person') return null;
  return role.parse(principal.memberships.find((one) => one.workspaceId === workspaceId)?.role);
}

function scopesIn(principal: Principal, workspaceId: string): z.output<typeof scope>[] {
  const { type, scopes } = principalIn(principal, workspaceId);
  // A replica of identity that does not know scopes accepts only keys that have all.
  return type === 'key' && scopes.length === 0 ? scopeNames : scopes.filter(isScope);
}

/** The key, person or portal link that calls. */
export const callerSessionRoutes: Route[] = [getSession, endSession];
