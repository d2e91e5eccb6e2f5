import { keyLimits } from '@parley/contracts/limits';
import { scopeNames } from '@parley/contracts/scopes';
import { z } from 'zod';
import { inWorkspace, type Route, route } from '../../http/server/route.ts';
import { apiKey, keyName, scope, toApiKey } from './present.ts';
import { cursorMeta, cursorQuery } from '../../values/cursor.ts';
import { required } from '../../values/message.ts';
import { text } from '../../values/text.ts';
import { instant } from '../../values/timestamp.ts';

const name = text({
  min: 1,
  max: keyLimits.nameCharactersMax,
  controlCharacters: 'refused',
  blank: 'refused',
}).meta({ description: 'For people', examples: ['Shop backend'] });

const requestedScopes = z
  .array(scope)
  .min(1)
  .max(scopeNames.length)
  .refine((names) => new Set(names).size === names.length, 'Must not name a scope twice')
  .meta({
    description: 'What the key may do: scopes that the calling key has too',
    examples: [['interactions:write']],
  });

const expiresAt = instant.nullable().meta({
  description: 'From then on no gateway accepts the key. Null: it does not expire',
  examples: ['2099-01-01T00:00:00Z'],
});

const newKey = z
  .strictObject({ name, scopes: requestedScopes, expiresAt: expiresAt.optional() })
  .meta({ id: 'NewApiKey', examples: [{ name: 'Shop backend', scopes: ['interactions:write'] }] });

const keyChange = z
  .strictObject({ name, scopes: requestedScopes, expiresAt })
  .partial()
  .refine((given) => Object.keys(given).length > 0, 'Must have at least one of name, scopes, expiresAt')
  .meta({ id: 'ApiKeyChange', minProperties: 1, examples: [{ scopes: ['interactions:write'] }] });

const oneKey = inWorkspace.extend({ apiKey: keyName });

/** The usual limit, and the three seconds that a change waits for a gateway that cannot be notified. */
const changeTimeoutMs = 8_000;

const listApiKeys = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/apikeys',
  access: 'key',
  scope: 'keys:read',
  operationId: 'listApiKeys',
  clientMethod: 'keys.list',
  tag: 'Keys and secrets',
  summary: 'List the API keys that were created for the workspace, oldest first',
  description: 'Revoked and expired keys are in the list too.',
  params: inWorkspace,
  query: cursorQuery(keyLimits.pageSizeMax),
  data: z.array(apiKey),
  handle: async ({ params: { workspaceId }, query: { cursor = '', limit } }, call, { identity }) => {
    const list = await identity.listApiKeys({ workspaceId, cursor, limit }, call.rpc());
    const { workspaceIds } = call.principal;
    return { data: list.keys.map((row) => toApiKey(row, workspaceIds)), meta: cursorMeta(list.nextCursor) };
  },
});

const getApiKey = route({
  method: 'GET',
  path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}',
  access: 'key',
  scope: 'keys:read',
  operationId: 'getApiKey',
  clientMethod: 'keys.get',
  tag: 'Keys and secrets',
  summary: 'Get an API key that was created for the workspace',
  params: oneKey,
  data: apiKey,
  handle: async ({ params }, call, { identity }) => {
    const row = await identity.getApiKey(params, call.rpc());
    return { data: toApiKey(row, call.principal.workspaceIds), version: row.version };
  },
});

const createApiKey = route({
  method: 'POST',
  path: '/v1/workspaces/{workspaceId}/apikeys',
  access: 'key',
  scope: 'keys:write',
  operationId: 'createApiKey',
  clientMethod: 'keys.create',
  tag: 'Keys and secrets',
  summary: 'Create an API key of this workspace; its secret is shown only once',
  description: `The new key cannot do more than the calling key: each of its scopes must be one of the caller's
(\`missing-scope\`), and it must not expire later (\`stronger-key\`). A workspace has at most 1,000 keys, revoked and
expired ones too; then a new key replaces the oldest one that ended a day ago or earlier. An \`Idempotency-Key\` is rejected (400).`,
  errors: ['stronger-key', 'too-many-api-keys', 'lost-race'],
  params: inWorkspace,
  body: newKey,
  data: apiKey
    .extend({ secret: z.string().meta({ examples: ['prl_sec_...'] }) })
    .meta({ id: 'CreatedApiKey' }),
  idempotencyKey: 'refused',
  handle: async ({ params: { workspaceId }, body }, call, { identity }) => {
    const { version: callerVersion, workspaceIds } = call.principal;
    const { expiresAt = null, ...rest } = body;
    const made = await identity.createApiKey({ workspaceId, callerVersion, ...rest, expiresAt }, call.rpc());
    return { data: { ...toApiKey(required(made.key), workspaceIds), secret: made.secret } };
  },
});

const updateApiKey = route({
  method: 'PATCH',
  path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}',
  access: 'key',
  scope: 'keys:write',
  operationId: 'updateApiKey',
  clientMethod: 'keys.update',
  tag: 'Keys and secrets',
  summary: 'Change the name, the scopes or the expiry of an API key',
  description: `After the answer, no gateway uses the former scopes and expiry. The calling key must have all scopes and
workspaces of the other key, and the scopes that it gives. Only an owner, or another key without limits, changes a key
without limits. A key that has ended stays ended. API keys, invitations and portal links of the key that it could not
make any more end.`,
  errors: ['stronger-key', 'key-ended', 'lost-race'],
  params: oneKey,
  body: keyChange,
  data: apiKey,
  timeoutMs: changeTimeoutMs,
  handle: async ({ params, body }, call, { identity }) => {
    const { version: callerVersion, workspaceIds } = call.principal;
    const { name, scopes = [], expiresAt } = body;
    const expiry = expiresAt === undefined ? null : { expiresAt };
    const { ifVersion } = call;
    const change = { ...params, callerVersion, ifVersion, name, scopes, expiry };
    const row = await identity.updateApiKey(change, call.rpc());
    return { data: toApiKey(row, workspaceIds), version: row.version };
  },
});

const revokeApiKey = route({
  method: 'DELETE',
  path: '/v1/workspaces/{workspaceId}/apikeys/{apiKey}',
  access: 'key',
  scope: 'keys:write',
  operationId: 'revokeApiKey',
  clientMethod: 'keys.revoke',
  tag: 'Keys and secrets',
  summary: 'Revoke an API key for good',
  description: `After the answer, no gateway accepts it. Its record stays, with \`revokedAt\`. The calling key must have
all scopes and workspaces of the other key. Only an owner, or another key without limits, revokes a key without limits.
A key can revoke itself. API keys, invitations and portal links that it made end, too.`,
  errors: ['stronger-key'],
  params: oneKey,
  data: z.null(),
  timeoutMs: changeTimeoutMs,
  handle: async ({ params }, call, { identity }) => {
    await identity.revokeApiKey({ ...params, ifVersion: call.ifVersion }, call.rpc());
    return { data: null };
  },
});

export const apiKeyRoutes: Route[] = [listApiKeys, getApiKey, createApiKey, updateApiKey, revokeApiKey];
