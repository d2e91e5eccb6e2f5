import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { type Api, createWorkspace, type Envelope, type TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { butRequestId } from './identical.ts';
import {
  callsIn,
  type CreatedKey,
  createKey,
  type Key,
  missingScopes,
  neverMade,
  ofCaller,
} from '../people/limited-keys.ts';

// What an API key cannot do with other keys and with itself. Contract 2, section 12.

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

describe('hostile keys', () => {
  let weak: CreatedKey;
  let calls: Api;
  beforeAll(async () => {
    weak = await create(['keys:write', 'keys:read', 'bots:read']);
    calls = callsOf(weak);
  });

  test('create no key that can do more', async () => {
    const attempt = (scopes: string[]) => calls.post('/apikeys', { name: 'More', scopes });
    const more = await attempt(['bots:read', 'bots:write', 'audit:read']);
    expect(more.body).toMatchObject(missingScopes(['/scopes/1', 'bots:write'], ['/scopes/2', 'audit:read']));
    const equal = await attempt(['bots:read', 'keys:write']);
    expect(equal.status).toBe(200);
    // Nor by a key in between.
    const between = callsOf(equal.body.data as CreatedKey);
    const again = await between.post('/apikeys', { name: 'More', scopes: ['keys:read'] });
    expect(again.body).toMatchObject(missingScopes(['/scopes/0', 'keys:read']));
  });

  test('change and revoke no key that can do more; it stays as it was', async () => {
    const key = await create(scopeNames);
    const path = `/apikeys/${key.apiKey}`;
    const before = await workspace.api.get<Key>(path);
    for (const attempt of [
      calls.patch(path, { name: 'Mine' }),
      calls.patch(path, { scopes: ['bots:read'] }),
      calls.patch(path, { expiresAt: new Date(Date.now() + 60_000) }),
      calls.delete(path),
    ]) {
      const { body }: { body: Envelope<unknown> } = await attempt;
      expect(body).toMatchObject({ code: 403, type: 'missing-scope' });
      expect(body.errors?.map(({ detail }) => detail)).toContain('bots:write');
    }
    expect((await workspace.api.get<Key>(path)).body.data).toEqual(before.body.data);
    expect((await callsOf(key).get('/customers')).status).toBe(200);
  });

  test('do not widen themselves, nor come back', async () => {
    const { apiKey } = weak;
    const wider = await calls.patch(`/apikeys/${apiKey}`, { scopes: [...weak.scopes, 'customers:read'] });
    expect(wider.body).toMatchObject(missingScopes(['/scopes/3', 'customers:read']));
    const expiring = await create(['keys:write', 'bots:read'], new Date(Date.now() + 60_000));
    for (const attempt of [
      callsOf(expiring).patch(`/apikeys/${expiring.apiKey}`, { expiresAt: null }),
      callsOf(expiring).patch(`/apikeys/${expiring.apiKey}`, { expiresAt: '2099-01-01T00:00:00Z' }),
      callsOf(expiring).post('/apikeys', { name: 'Forever', scopes: ['bots:read'] }),
    ]) {
      expect((await attempt).body).toMatchObject({
        code: 403,
        type: 'stronger-key',
        errors: [{ pointer: '/expiresAt' }],
      });
    }
    const narrow = await callsOf(expiring).patch(`/apikeys/${expiring.apiKey}`, { scopes: ['bots:read'] });
    expect(narrow.status).toBe(200);
    const back = await callsOf(expiring).patch(`/apikeys/${expiring.apiKey}`, { scopes: ['keys:write'] });
    expect(back.body).toMatchObject(missingScopes([ofCaller, 'keys:write']));
  });

  test('reach no key of another workspace: it is answered like one that was never made', async () => {
    const guest = await createWorkspace(baseUrl, operator, { accessIds: [workspace.id] });
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const send = (apiKey: string) =>
        workspace.api.call(method, `/apikeys/${apiKey}`, { ...(body && { body }) });
      // The last one can access the workspace, but has its home elsewhere.
      const answers = await Promise.all([neverMade, other.apiKey, guest.apiKey].map(send));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      const [first, ...rest] = answers.map((answer) => butRequestId(answer.body));
      for (const one of rest) expect(one).toEqual(first);
    }
    expect((await other.api.get('/customers')).status).toBe(200);
  });

  test('see of another key only the workspaces that they can access, and do not revoke one with more', async () => {
    const wide = await createWorkspace(baseUrl, operator, { accessIds: [other.id] });
    const of = (key: CreatedKey) => callsIn(baseUrl, wide.id, key);
    const narrow = of(await createKey(wide, scopeNames));
    const path = `/apikeys/${wide.apiKey}`;
    expect((await narrow.get<Key>(path)).body.data.workspaceIds).toEqual([wide.id]);
    expect((await wide.api.get<Key>(path)).body.data.workspaceIds).toEqual([wide.id, other.id]);
    for (const attempt of [narrow.delete(path), narrow.patch(path, { scopes: ['bots:read'] })]) {
      expect((await attempt).body).toMatchObject({ code: 403, type: 'stronger-key' });
    }
    expect((await wide.api.get('/customers')).status).toBe(200);
  });

  test.each([
    [{ name: 'A', scopes: [] }, ['/scopes']],
    [{ name: 'A', scopes: ['bots:read', 'bots:read'] }, ['/scopes']],
    [{ name: 'A', scopes: ['bots:*', '*', 'personal-data:write'] }, ['/scopes/0', '/scopes/1', '/scopes/2']],
    [{ name: 'A', scopes: ['bots:read'], expiresAt: '2020-01-01T00:00:00Z' }, ['/expiresAt']],
    [{ name: '', scopes: 'bots:read' }, ['/name', '/scopes']],
    [
      { scopes: ['bots:read'], workspaceIds: [nowhere], createdBy: 'operator' },
      ['/createdBy', '/name', '/workspaceIds'],
    ],
  ])('%j is rejected (400)', async (body, pointers) => {
    const answer = await workspace.api.post('/apikeys', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ pointer }) => pointer).toSorted()).toEqual(pointers);
  });

  test('an expiry in the past and an empty change are rejected (400), an Idempotency-Key too', async () => {
    const path = `/apikeys/${weak.apiKey}`;
    expect((await workspace.api.patch(path, { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
    expect((await workspace.api.patch(path, {})).status).toBe(400);
    const keyed = { 'idempotency-key': 'k' };
    const twice = await workspace.api.post('/apikeys', { name: 'A', scopes: ['bots:read'] }, keyed);
    expect(twice.body).toMatchObject({ code: 400, errors: [{ pointer: '/headers/idempotency-key' }] });
  });

  test('make no key once their own scopes are narrowed, also by calls at the same time', async ({
    signal,
  }) => {
    const maker = await create(['keys:write', 'bots:read', 'bots:write']);
    let isNarrowed = false;
    const late: unknown[] = [];
    const counts = { made: 0, refused: 0 };
    const load = Array.from({ length: 4 }, async () => {
      while (!signal.aborted && counts.refused < 40) {
        const wasNarrowed = isNarrowed;
        const { status, body } = await callsOf(maker).post('/apikeys', {
          name: 'Late',
          scopes: ['bots:write'],
        });
        if (status === 200) counts.made += 1;
        else counts.refused += 1;
        if (status === 200 && wasNarrowed) late.push(body);
        // A change of its own row is in progress.
        if (status !== 200) expect(body.type).toBeOneOf(['missing-scope', 'lost-race']);
      }
    });
    await eventually(() => expect(counts.made).toBeGreaterThan(5));
    await workspace.api.patch(`/apikeys/${maker.apiKey}`, { scopes: ['keys:write', 'bots:read'] });
    isNarrowed = true;
    await Promise.all(load);
    expect(late).toEqual([]);
  });
});
