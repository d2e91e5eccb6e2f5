import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { type Api, api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { butRequestId } from '../api/identical.ts';
import {
  callsIn,
  type CreatedKey,
  createKey,
  type Key,
  missingScopes,
  neverMade,
  ofCaller,
} from './limited-keys.ts';
import { type NamedOperation, operationsOf } from '../api/operations.ts';

// Contract 2, section 12: API keys with scopes and expiries.

const { baseUrl } = inject('local');
const operator = inject('operator');
const nowhere = '01890000-0000-7000-8000-000000000000';

let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, operator);
  other = await createWorkspace(baseUrl, operator);
});

const callsOf = (key: CreatedKey): Api => callsIn(baseUrl, workspace.id, key);
const create = (scopes: readonly Scope[], expiresAt?: Date) => createKey(workspace, scopes, expiresAt);

describe('every operation needs exactly its scope', () => {
  const operations = operationsOf(inject('openapi')).flatMap((operation) => {
    const scopes = operation.security.flatMap((one) => one['key'] ?? undefined);
    return operation.security.some((one) => one['key'])
      ? [{ ...operation, scope: scopes[0] as Scope | undefined }]
      : [];
  });
  const withScope = operations.filter((one): one is typeof one & { scope: Scope } => one.scope !== undefined);
  /** Keys with only one scope, and with all but one. */
  const only = new Map<Scope, Api>();
  const allBut = new Map<Scope, Api>();

  beforeAll(async () => {
    for (const scope of new Set(withScope.map((one) => one.scope))) {
      const rest = scopeNames.filter((name) => name !== scope);
      only.set(scope, callsOf(await create([scope])));
      allBut.set(scope, callsOf(await create(rest)));
    }
  });

  const send = (calls: Api | undefined, operation: NamedOperation) => {
    const values: Record<string, string> = { apiKey: neverMade, customerId: 'nobody', version: '1' };
    const path = operation.path
      .replace('/v1/workspaces/{workspaceId}', '')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? nowhere);
    const example = operation.requestBody?.content['application/json'].example;
    // The key of the example could do more than a key with one scope.
    const body = operation.operationId === 'createApiKey' ? { ...example, scopes: ['keys:write'] } : example;
    return calls?.call(operation.method, path, { ...(body !== undefined && { body }) });
  };

  test('all but those about the caller itself', () => {
    expect(withScope.length).toBeGreaterThan(50);
    const free = operations.filter(({ scope }) => scope === undefined);
    expect(free.map(({ operationId }) => operationId)).toEqual([
      'listWorkspaces',
      'rotateApiKeySecret',
      'leaveWorkspace',
      'getSession',
      'endSession',
    ]);
    for (const { scope } of withScope) expect(scopeNames).toContain(scope);
  });

  test.each(withScope.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_, operation) => {
      const { scope } = operation;
      const without = await send(allBut.get(scope), operation);
      expect(without?.body).toMatchObject(missingScopes([ofCaller, scope]));
      const allowed = await send(only.get(scope), operation);
      // The key has the scope, and is no person.
      if (['renewPresence', 'endPresence'].includes(operation.operationId)) {
        expect(allowed?.body.type).toBe('not-for-caller');
        return;
      }
      const stronger: Record<string, string> = {
        // The role of the example, and a portal link, can do more than a key with one scope. A replay needs two.
        inviteMember: '/role',
        createPortalLink: ofCaller,
        replayConversations: ofCaller,
      };
      if (stronger[operation.operationId] !== undefined) {
        expect(allowed?.body.errors?.[0]?.pointer).toBe(stronger[operation.operationId]);
        return;
      }
      expect(allowed?.status).toBeOneOf([200, 400, 404, 409, 428]);
    },
  );

  test('a key with any scope may make the others', async () => {
    const key = await create(['audit:read']);
    const root = api(`${baseUrl}/v1`, basic(key.apiKey, key.secret));
    expect((await root.get('/workspaces')).body.data).toMatchObject([{ id: workspace.id }]);
    const rotated = await callsOf(key).post<{ secret: string }>('/apikeys/rotate');
    expect(rotated.status).toBe(200);
    expect((await callsOf(key).get('')).status).toBe(401);
    const renewed = await callsOf({ ...key, ...rotated.body.data }).get('');
    expect(renewed.body).toMatchObject(missingScopes([ofCaller, 'workspace:read']));
  });

  test('a workspace that the key cannot access is still not found', async () => {
    const key = await create(['bots:read']);
    const [foreign, unknown] = await Promise.all(
      [other.id, nowhere].map((id) => callsIn(baseUrl, id, key).get('/customers')),
    );
    expect(foreign?.status).toBe(404);
    expect(foreign && butRequestId(foreign.body)).toEqual(unknown && butRequestId(unknown.body));
  });
});

describe('a key', () => {
  test('has exactly the fields of its record; its secret is shown once', async () => {
    const key = await create(['interactions:write', 'customers:read']);
    const { secret, ...record } = key;
    expect(secret).toMatch(/^prl_sec_[0-9A-Za-z]{49}$/);
    expect(record).toEqual({
      apiKey: expect.stringMatching(/^prl_key_[0-9A-Za-z]{22}$/),
      name: 'Test',
      scopes: ['customers:read', 'interactions:write'],
      workspaceIds: [workspace.id],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/),
      createdBy: workspace.apiKey,
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
    expect((await workspace.api.get(`/apikeys/${key.apiKey}`)).body.data).toEqual(record);
    const listed = await workspace.api.get<Key[]>('/apikeys?limit=50');
    expect(listed.body.data[0]).toMatchObject({
      apiKey: workspace.apiKey,
      createdBy: 'operator',
      scopes: scopeNames,
    });
  });

  test('is recorded as used in this hour', async () => {
    const key = await create(['customers:read']);
    expect((await callsOf(key).get('/customers')).status).toBe(200);
    const { body } = await workspace.api.get<{ lastUsedAt: string }>(`/apikeys/${key.apiKey}`);
    expect(body.data.lastUsedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00\.000000$/);
    expect(Date.now() - Date.parse(`${body.data.lastUsedAt}Z`)).toBeLessThan(3_700_000);
  });

  test('that expires is accepted before and never after', async () => {
    const begunBefore: number[] = [];
    // A busy machine may take longer than a key lasts: another one is made then.
    const { key, expiresAt } = await eventually(async () => {
      const expiresAt = new Date(Date.now() + 3_000);
      const key = await create(['customers:read'], expiresAt);
      const begunAt = Date.now();
      expect((await callsOf(key).get('/customers')).status).toBe(200);
      begunBefore.push(begunAt);
      return { key, expiresAt };
    });
    await eventually(async () => {
      const begunAt = Date.now();
      const { status } = await callsOf(key).get('/customers');
      if (status === 200) begunBefore.push(begunAt);
      expect(status).toBe(401);
    });
    for (const begunAt of begunBefore) expect(begunAt).toBeLessThan(expiresAt.getTime());
    const extended = await workspace.api.patch(`/apikeys/${key.apiKey}`, { expiresAt: null });
    expect(extended.body).toMatchObject({ code: 409, type: 'key-ended' });
  });

  test('is changed at once, with If-Match', async () => {
    const key = await create(['customers:read']);
    const path = `/apikeys/${key.apiKey}`;
    const etag = (await workspace.api.get(path)).headers.get('etag') ?? '';
    const changed = await workspace.api.patch<Key>(
      path,
      { scopes: ['bots:read'], name: 'B' },
      { 'if-match': etag },
    );
    expect(changed.body.data).toMatchObject({ scopes: ['bots:read'], name: 'B' });
    expect((await callsOf(key).get('/customers')).status).toBe(403);
    expect((await callsOf(key).get('/bots')).status).toBe(200);
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { name: 'C' } } : {};
      const late = await workspace.api.call(method, path, { headers: { 'if-match': etag }, ...body });
      expect(late.body).toMatchObject({ code: 412, type: 'precondition-failed' });
    }
  });

  test('can be revoked twice, and revoke itself; its record stays', async () => {
    const key = await create(['keys:write', 'keys:read']);
    const path = `/apikeys/${key.apiKey}`;
    expect((await callsOf(key).delete(path)).body).toMatchObject({ code: 200, data: null });
    expect((await callsOf(key).get('/apikeys')).status).toBe(401);
    expect((await workspace.api.delete(path)).status).toBe(200);
    const { body } = await workspace.api.get<Key>(path);
    expect(body.data.revokedAt).toMatch(/^\d{4}-/);
    const changed = await workspace.api.patch(path, { name: 'Back' });
    expect(changed.body).toMatchObject({ code: 409, type: 'key-ended' });
  });
});
