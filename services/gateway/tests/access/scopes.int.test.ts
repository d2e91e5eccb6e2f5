import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { AppError } from '@parley/runtime/errors';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cursorListOf } from '../../src/http/request/cursor-list.ts';
import { routes } from '../../src/routes.ts';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());
beforeEach(() => {
  surface.services.scopes = [...scopeNames];
  surface.services.seen.length = 0;
});

const workspace = `/v1/workspaces/${known.workspaceId}`;
const keyPath = `${workspace}/apikeys/${known.apiKey}`;
const record = {
  apiKey: known.apiKey,
  name: 'Shop backend',
  scopes: ['interactions:write'],
  workspaceIds: [known.workspaceId, known.otherWorkspaceId],
  createdAt: '2026-11-21T09:30:00.123000',
  createdBy: 'operator',
  expiresAt: null,
  lastUsedAt: '2026-11-21T09:00:00.000000',
  revokedAt: null,
};
const missing = (detail: Scope) => ({
  code: 403,
  type: 'missing-scope',
  detail: `The caller does not have the scope ${detail}`,
  errors: [{ pointer: '/headers/authorization', detail }],
});
const seen = () =>
  surface.services.seen.map(({ method }) => method).filter((name) => name !== 'authenticate');
const requestOf = (name: string) => surface.services.seen.findLast(({ method }) => method === name)?.request;

/** They change nothing, or only say who reads. */
const readsBesides = ['previewRetention', 'replayConversations', 'renewPresence', 'endPresence'];

test('exactly the routes for API keys have a scope, and reads need none to write', () => {
  for (const { access, scope, method, operationId } of routes) {
    expect([operationId, scope !== undefined]).toEqual([operationId, access === 'key']);
    if (scope === undefined || scope === 'any' || scope === 'operator') continue;
    const isRead = method === 'GET' || readsBesides.includes(operationId);
    expect([operationId, scope]).toEqual([operationId, expect.stringMatching(isRead ? /:read$/ : /:write$/)]);
  }
});

describe('a key without the scope of a route', () => {
  test('gets 403 with the scope, before its input is read, and no service is called', async () => {
    surface.services.scopes = ['webhooks:read'];
    const answer = await surface.call('POST', `${workspace}/webhooks`, { body: '{' });
    expect(answer.envelope()).toMatchObject(missing('webhooks:write'));
    expect((await surface.call('GET', `${workspace}/webhooks`)).status).toBe(200);
    expect(seen()).toEqual(['listWebhooks']);
  });

  test('replays conversations only if it may read them, with personal data', async () => {
    const replay = () =>
      surface.call('POST', `${workspace}/bots/${known.botId}/replays`, { body: { definition: {} } });
    surface.services.scopes = ['personal-data:read'];
    expect((await replay()).envelope()).toMatchObject(missing('interactions:read'));
    surface.services.scopes = ['interactions:read'];
    expect((await replay()).envelope()).toMatchObject(missing('personal-data:read'));
    expect(seen()).toEqual([]);
    surface.services.scopes = ['interactions:read', 'personal-data:read'];
    expect((await replay()).status).toBe(200);
  });

  test('gets the 404 of a workspace that it cannot access', async () => {
    surface.services.scopes = ['bots:read'];
    const path = `/v1/workspaces/${known.foreignWorkspaceId}/customers`;
    expect((await surface.call('GET', path)).envelope()).toMatchObject({ code: 404, type: 'not-found' });
  });

  test('may list its workspaces and rotate its secret', async () => {
    surface.services.scopes = ['bots:read'];
    expect((await surface.call('GET', '/v1/workspaces')).status).toBe(200);
    expect((await surface.call('POST', `${workspace}/apikeys/rotate`)).status).toBe(200);
  });

  test('writes do not include reads, and scopes that this release does not know allow nothing', async () => {
    surface.services.scopes = ['customers:write', 'everything:read', 'any'];
    const answer = await surface.call('GET', `${workspace}/customers`);
    expect(answer.envelope()).toMatchObject(missing('customers:read'));
  });
});

test('a replica of identity that does not know scopes returns none: its keys have all', async () => {
  surface.services.scopes = [];
  expect((await surface.call('GET', `${workspace}/customers`)).status).toBe(200);
});

describe('API keys', () => {
  test('are listed by cursor and read, with the workspaces that the caller can access', async () => {
    const { workspaceId } = known;
    const { cursorOf } = cursorListOf({ operationId: 'listApiKeys' }, { workspaceId }, {});
    const query = `limit=1&cursor=${cursorOf(known.otherApiKey)}`;
    const list = await surface.call('GET', `${workspace}/apikeys?${query}`);
    expect(list.envelope()).toMatchObject({ data: [record], meta: { nextCursor: cursorOf(known.apiKey) } });
    expect(requestOf('listApiKeys')).toMatchObject({ limit: 1, cursor: known.otherApiKey });
    const one = await surface.call('GET', keyPath);
    expect(one.envelope().data).toEqual(record);
    expect(one.headers['etag']).toMatch(/^"5\./);
    for (const unknown of ['rotate', 'prl_key_1', known.otherApiKey]) {
      const answer = await surface.call('DELETE', `${workspace}/apikeys/${unknown}`);
      expect(answer.status, unknown).toBe(unknown === 'rotate' ? 405 : 404);
    }
  });

  test('are created with the version of the caller; the secret is in this answer only', async () => {
    const body = { name: 'Partner', scopes: ['interactions:write'], expiresAt: '2099-01-01T00:00:00Z' };
    const made = await surface.call('POST', `${workspace}/apikeys`, { body });
    const expiresAt = '2099-01-01T00:00:00.000000';
    expect(made.envelope().data).toEqual({ ...record, name: 'Partner', expiresAt, secret: 'prl_sec_new' });
    expect(requestOf('createApiKey')).toEqual({
      ...body,
      workspaceId: known.workspaceId,
      callerVersion: 1,
      expiresAt: new Date(body.expiresAt),
    });
  });

  test('are changed in parts, and revoked', async () => {
    const changes: [unknown, unknown][] = [
      [{ name: 'New' }, { name: 'New', scopes: [], expiry: null }],
      [{ expiresAt: null }, { scopes: [], expiry: { expiresAt: null } }],
      [{ scopes: ['bots:read'] }, { scopes: ['bots:read'], expiry: null }],
    ];
    const etag = String((await surface.call('GET', keyPath)).headers['etag']);
    for (const [body, request] of changes) {
      const answer = await surface.call('PATCH', keyPath, { body, headers: { 'if-match': etag } });
      expect(answer.status).toBe(200);
      expect(answer.headers['etag']).toMatch(/^"6\./);
      expect(requestOf('updateApiKey')).toMatchObject({ ...Object(request), callerVersion: 1, ifVersion: 5 });
    }
    expect((await surface.call('DELETE', keyPath)).envelope()).toMatchObject({ code: 200, data: null });
    const stale = await surface.call('DELETE', keyPath, {
      headers: { 'if-match': etag.replace('"5.', '"4.') },
    });
    expect(stale.envelope()).toMatchObject({ code: 412 });
  });

  test.each([
    [{}, ['/name', '/scopes']],
    [{ name: ' ', scopes: [] }, ['/name', '/scopes']],
    [{ name: 'a\nb', scopes: ['bots:read', 'bots:read'] }, ['/name', '/scopes']],
    [{ name: 'x'.repeat(101), scopes: ['bots:delete', 'any'] }, ['/name', '/scopes/0', '/scopes/1']],
    [{ name: 'a', scopes: null, expiresAt: 'soon' }, ['/expiresAt', '/scopes']],
    [{ name: 'a', scopes: ['bots:read'], workspaceIds: [] }, ['/workspaceIds']],
  ])('%j is rejected with all faults', async (body, pointers) => {
    const answer = await surface.call('POST', `${workspace}/apikeys`, { body });
    expect(answer.status).toBe(400);
    expect(
      answer
        .envelope()
        .errors?.map(({ pointer }) => pointer)
        .toSorted(),
    ).toEqual(pointers);
    expect(seen()).toEqual([]);
  });

  test('the faults of identity are returned with what is missing', async () => {
    surface.services.before.set('createApiKey', () => {
      const faults = [{ pointer: '/scopes/0', detail: 'bots:write' }];
      throw new AppError('permission_denied', 'missing-scope', 'no', { faults });
    });
    const body = { name: 'a', scopes: ['bots:write'] };
    const answer = await surface.call('POST', `${workspace}/apikeys`, { body });
    surface.services.before.delete('createApiKey');
    expect(answer.envelope()).toMatchObject({
      code: 403,
      type: 'missing-scope',
      errors: [{ pointer: '/scopes/0', detail: 'bots:write' }],
    });
  });
});
