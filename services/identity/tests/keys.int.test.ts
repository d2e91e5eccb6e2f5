import { randomUUID } from 'node:crypto';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { keyLimits } from '@parley/contracts/limits';
import { type Scope, scopeNames } from '@parley/contracts/scopes';
import { connect } from '@parley/rpc/connect';
import type { RpcClient } from '@parley/rpc/definition';
import { keyGrantSeconds } from '@parley/rpc/grants';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';
import { newApiKey } from '../src/rules/credential.ts';
import { grants, startReplica, tokens } from './replica.ts';

// Keys with scopes, names and expiries, and what a key may do with other keys.

const call = { requestId: 'test', timeoutMs: 30_000 };

const stack = new AsyncDisposableStack();
let sql: SqlConnection;
let identity: RpcClient<typeof IdentityServiceService>;
let operator: RpcClient<typeof IdentityAdminServiceService>;
let workspaceId: string;

beforeAll(async () => {
  const database = stack.use(await createDatabase('identity', migrations));
  sql = stack.use(await openSqlConnection(database.adminUrl));
  const address = await startReplica(stack, database.url);
  identity = stack
    .use(connect(address, { token: tokens.service, caller: 'gateway' }))
    .client(IdentityServiceService);
  operator = stack
    .use(connect(address, { token: tokens.operator, caller: 'cli' }))
    .client(IdentityAdminServiceService);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  workspaceId = await newWorkspace();
});

const newWorkspace = async () => (await operator.createWorkspace({ name: 'T', allowedDomains: [] }, call)).id;

interface NewKey {
  scopes?: Scope[];
  accessIds?: string[];
  expiresAt?: Date | null;
  home?: string;
}
const newKey = ({ scopes = [], accessIds = [], expiresAt = null, home = workspaceId }: NewKey = {}) =>
  operator.createKey({ workspaceId: home, accessIds, scopes, expiresAt, name: 'Made here' }, call);
const by = (apiKey: string, ...workspaceIds: string[]) => ({
  ...call,
  grant: grants.issue(
    { workspaceIds: [workspaceId, ...workspaceIds], holder: { $case: 'apiKey', value: apiKey } },
    keyGrantSeconds,
  ),
});
const authenticate = (
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  { holder = '', checksScopes = true }: { holder?: string; checksScopes?: boolean } = {},
) => identity.authenticate({ apiKey, apiSecret, holder, checksScopes }, call);
const create = (apiKey: string, scopes: string[], expiresAt: Date | null = null, callerVersion = 1) =>
  identity.createApiKey({ workspaceId, callerVersion, name: 'A', scopes, expiresAt }, by(apiKey));
const update = (
  caller: string,
  apiKey: string,
  change: { name?: string; scopes?: string[]; expiresAt?: Date | null; ifVersion?: number },
  callerVersion = 1,
) => {
  const { expiresAt, scopes = [], ...rest } = change;
  const expiry = expiresAt === undefined ? null : { expiresAt };
  return identity.updateApiKey({ workspaceId, apiKey, callerVersion, scopes, expiry, ...rest }, by(caller));
};
const revoke = (caller: string, apiKey: string) => identity.revokeApiKey({ workspaceId, apiKey }, by(caller));
const inMs = (ms: number) => new Date(Date.now() + ms);
const inAnHour = () => inMs(3_600_000);
const refusal = { code: 'unauthenticated', type: 'invalid-credentials' };
const missing = (...faults: [string, Scope][]) => ({
  code: 'permission_denied',
  type: 'missing-scope',
  faults: faults.map(([pointer, detail]) => ({ pointer, detail })),
});
const ofCaller = '/headers/authorization';
const stronger = { code: 'permission_denied', type: 'stronger-key' };

describe('authentication', () => {
  test('returns the scopes: all of a key without limits', async () => {
    expect((await authenticate(await newKey())).scopes).toEqual(scopeNames);
    const key = await newKey({ scopes: ['webhooks:read', 'bots:read'] });
    expect(key.scopes).toEqual(['bots:read', 'webhooks:read']);
    expect((await authenticate(key)).scopes).toEqual(['bots:read', 'webhooks:read']);
  });

  test('of a key with scopes by a gateway that does not check them is unavailable', async () => {
    const key = await newKey({ scopes: ['bots:read'] });
    await expect(authenticate(key, { checksScopes: false })).rejects.toMatchObject({ code: 'unavailable' });
    const wrong = { ...key, apiSecret: (await newKey()).apiSecret };
    await expect(authenticate(wrong, { checksScopes: false })).rejects.toMatchObject(refusal);
    await expect(authenticate(await newKey(), { checksScopes: false })).resolves.toMatchObject({
      version: 1,
    });
  });

  test('finds no pepper for keys with limits in a replica that does not know them', async () => {
    const scoped = await newKey({ scopes: ['bots:read'] });
    const expiring = await newKey({ expiresAt: inAnHour() });
    const free = await newKey();
    const narrowed = await newKey();
    await update(free.apiKey, narrowed.apiKey, { scopes: ['bots:read'] });
    const stored = async (apiKey: string) => {
      const [row] = await sql.query<{ id: string }>(
        'select pepper_id as id from identity.api_key where api_key = $1',
        [apiKey],
      );
      return row?.id;
    };
    for (const { apiKey } of [scoped, expiring, narrowed]) expect(await stored(apiKey)).toBe('limited:p1');
    expect(await stored(free.apiKey)).toBe('p1');
    const request = { workspaceId, apiKey: scoped.apiKey, version: 1 };
    const { secret } = await identity.rotateSecret(request, by(scoped.apiKey));
    expect(await stored(scoped.apiKey)).toBe('limited:p1');
    expect((await authenticate({ ...scoped, apiSecret: secret })).scopes).toEqual(['bots:read']);
    await update(free.apiKey, expiring.apiKey, { expiresAt: null });
    expect(await stored(expiring.apiKey)).toBe('p1');
    await expect(authenticate(expiring)).resolves.toMatchObject({ scopes: scopeNames });
  });

  test('is not cached beyond the expiry, and then rejected', async () => {
    // A busy machine may take longer than a key lasts: another one is made then.
    const { expiresAt, key, askedAt, cacheableMs } = await eventually(async () => {
      const expiresAt = inMs(1_500);
      const key = await newKey({ expiresAt });
      const askedAt = Date.now();
      const { cacheableMs } = await authenticate(key, { holder: randomUUID() });
      return { expiresAt, key, askedAt, cacheableMs };
    });
    expect(askedAt + cacheableMs).toBeLessThanOrEqual(expiresAt.getTime());
    await eventually(async () => expect(authenticate(key)).rejects.toMatchObject(refusal));
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    const request = { workspaceId, apiKey: key.apiKey, version: 1 };
    await expect(identity.rotateSecret(request, by(key.apiKey))).rejects.toMatchObject(refusal);
    await expect(create(key.apiKey, ['bots:read'])).rejects.toMatchObject(refusal);
  });

  test('records the hour, once, without a new version', async () => {
    const key = await newKey();
    const get = () => identity.getApiKey({ workspaceId, apiKey: key.apiKey }, by(key.apiKey));
    expect(await get()).toMatchObject({ lastUsedAt: null, version: 1 });
    await authenticate(key, { holder: randomUUID() });
    const { lastUsedAt, version } = await get();
    expect(version).toBe(1);
    expect(Number(lastUsedAt) % 3_600_000).toBe(0);
    expect(Date.now() - Number(lastUsedAt)).toBeLessThan(3_700_000);
    const before = await sql.query('select xmin from identity.api_key where api_key = $1', [key.apiKey]);
    await authenticate(key, { holder: randomUUID() });
    expect(await sql.query('select xmin from identity.api_key where api_key = $1', [key.apiKey])).toEqual(
      before,
    );
    await sql.query(
      `update identity.api_key set last_used_at = last_used_at - interval '1 h' where api_key = $1`,
      [key.apiKey],
    );
    await authenticate(key, { holder: randomUUID() });
    expect((await get()).lastUsedAt).toEqual(lastUsedAt);
  });
});

test('the operator gives a key a name, scopes and an expiry, and lists them', async () => {
  const expiresAt = inAnHour();
  const { apiKey } = await newKey({ scopes: ['keys:write', 'bots:read'], expiresAt });
  const { keys } = await operator.listKeys({ workspaceId }, call);
  expect(keys).toMatchObject([
    { apiKey, name: 'Made here', scopes: ['bots:read', 'keys:write'], hasAllScopes: false, expiresAt },
  ]);
  for (const [given, pointer] of [
    [{ scopes: ['bots:all'] }, '/scopes/0'],
    [{ scopes: ['bots:read', 'bots:read'] }, '/scopes/1'],
    [{ expiresAt: inMs(-1_000) }, '/expiresAt'],
    [{ name: 'a\nb' }, '/name'],
  ] as const) {
    const request = { workspaceId, accessIds: [], name: '', expiresAt: null, ...given };
    await expect(
      operator.createKey({ ...request, scopes: [...('scopes' in given ? given.scopes : [])] }, call),
    ).rejects.toMatchObject({ code: 'invalid_argument', faults: [{ pointer }] });
  }
});

describe('a key creates', () => {
  test('one of the workspace, which works and names its maker', async () => {
    const admin = await newKey({ scopes: ['keys:write', 'bots:read'] });
    const { key, secret } = await create(admin.apiKey, ['bots:read']);
    expect(key).toMatchObject({
      homeWorkspaceId: workspaceId,
      workspaceIds: [workspaceId],
      name: 'A',
      scopes: ['bots:read'],
      hasAllScopes: false,
      createdBy: admin.apiKey,
      revokedAt: null,
      expiresAt: null,
      lastUsedAt: null,
      version: 1,
    });
    const made = { apiKey: key?.apiKey ?? '', apiSecret: secret };
    await expect(authenticate(made)).resolves.toMatchObject({ scopes: ['bots:read'] });
  });

  test('no scope that it does not have, by its row and not by what a gateway knows', async () => {
    const { apiKey } = await newKey({ scopes: ['bots:read', 'keys:write'] });
    await expect(create(apiKey, ['bots:read', 'bots:write', 'customers:read'])).rejects.toMatchObject(
      missing(['/scopes/1', 'bots:write'], ['/scopes/2', 'customers:read']),
    );
    const reader = await newKey({ scopes: ['bots:read', 'keys:read'] });
    await expect(create(reader.apiKey, ['bots:read'])).rejects.toMatchObject(
      missing([ofCaller, 'keys:write']),
    );
    const { keys } = await operator.listKeys({ workspaceId }, call);
    expect(keys).toHaveLength(2);
  });

  test('none that expires later', async () => {
    const expiresAt = inAnHour();
    const { apiKey } = await newKey({ expiresAt });
    const later = { ...stronger, faults: [{ pointer: '/expiresAt' }] };
    await expect(create(apiKey, ['bots:read'])).rejects.toMatchObject(later);
    await expect(create(apiKey, ['bots:read'], inMs(7_200_000))).rejects.toMatchObject(later);
    await expect(create(apiKey, ['bots:read'], expiresAt)).resolves.toMatchObject({ key: { expiresAt } });
  });

  test('none with faults', async () => {
    const { apiKey } = await newKey();
    const attempts = [
      create(apiKey, []),
      create(apiKey, ['nonsense']),
      create(apiKey, ['bots:read', 'bots:read']),
      create(apiKey, ['bots:read'], inMs(-1)),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('none after its secret was replaced or it was revoked', async () => {
    const { apiKey } = await newKey();
    await identity.rotateSecret({ workspaceId, apiKey, version: 1 }, by(apiKey));
    await expect(create(apiKey, ['bots:read'])).rejects.toMatchObject({ type: 'lost-race' });
    await expect(create(apiKey, ['bots:read'], null, 2)).resolves.toMatchObject({ key: {} });
    await operator.revokeKey({ apiKey }, call);
    await expect(create(apiKey, ['bots:read'], null, 3)).rejects.toMatchObject(refusal);
  });

  test('only with a grant of a key', async () => {
    const holder = { $case: 'customerId', value: 'c' } as const;
    const grant = grants.issue({ workspaceIds: [workspaceId], holder }, keyGrantSeconds);
    const request = { workspaceId, callerVersion: 1, name: 'A', scopes: ['bots:read'], expiresAt: null };
    for (const options of [call, { ...call, grant }]) {
      await expect(identity.createApiKey(request, options)).rejects.toMatchObject({ type: 'no-grant' });
    }
  });
});

describe('a key changes', () => {
  test('name, scopes and expiry of another one, and each change raises the version', async () => {
    const admin = await newKey();
    const { apiKey } = await newKey();
    const expiresAt = inAnHour();
    const name = 'New';
    expect(await update(admin.apiKey, apiKey, { name })).toMatchObject({
      name,
      hasAllScopes: true,
      version: 2,
    });
    const scopes = ['webhooks:read', 'bots:read'];
    const narrowed = { name, scopes: ['bots:read', 'webhooks:read'], hasAllScopes: false, version: 3 };
    expect(await update(admin.apiKey, apiKey, { scopes })).toMatchObject(narrowed);
    expect(await update(admin.apiKey, apiKey, { expiresAt })).toMatchObject({ expiresAt, version: 4 });
    expect(await update(admin.apiKey, apiKey, { expiresAt: null })).toMatchObject({ expiresAt: null });
    const stale = update(admin.apiKey, apiKey, { name: 'Old', ifVersion: 4 });
    await expect(stale).rejects.toMatchObject({ type: 'precondition-failed' });
  });

  test('none that can do more than itself, and itself only to less', async () => {
    const strong = await newKey();
    const weak = await newKey({ scopes: ['bots:read', 'keys:write'] });
    const lacked = scopeNames.filter((name) => !['bots:read', 'keys:write'].includes(name));
    const lacks = missing(...lacked.map((name): [string, Scope] => [ofCaller, name]));
    await expect(update(weak.apiKey, strong.apiKey, { name: 'Mine' })).rejects.toMatchObject(lacks);
    await expect(revoke(weak.apiKey, strong.apiKey)).rejects.toMatchObject(lacks);
    const wider = { scopes: ['bots:read', 'keys:write', 'bots:write'] };
    await expect(update(weak.apiKey, weak.apiKey, wider)).rejects.toMatchObject(
      missing(['/scopes/2', 'bots:write']),
    );
    await expect(update(weak.apiKey, weak.apiKey, { scopes: ['keys:write'] })).resolves.toMatchObject({
      scopes: ['keys:write'],
    });
    const again = update(weak.apiKey, weak.apiKey, { scopes: ['keys:write', 'bots:read'] }, 2);
    await expect(again).rejects.toMatchObject(missing(['/scopes/1', 'bots:read']));
  });

  test('none with workspaces that it cannot access', async () => {
    const other = await newWorkspace();
    const wide = await newKey({ accessIds: [other] });
    const narrow = await newKey();
    await expect(update(narrow.apiKey, wide.apiKey, { name: 'Mine' })).rejects.toMatchObject(stronger);
    await expect(revoke(narrow.apiKey, wide.apiKey)).rejects.toMatchObject(stronger);
    await expect(revoke(wide.apiKey, narrow.apiKey)).resolves.toMatchObject({ revokedAt: expect.any(Date) });
  });

  test('none to outlive its own expiry with more than before', async () => {
    const temporary = await newKey({ expiresAt: inAnHour() });
    const lasting = await newKey({ scopes: ['bots:read'] });
    const wider = update(temporary.apiKey, lasting.apiKey, { scopes: ['bots:write'] });
    await expect(wider).rejects.toMatchObject(stronger);
    const forever = update(temporary.apiKey, temporary.apiKey, { expiresAt: null });
    await expect(forever).rejects.toMatchObject(stronger);
    await expect(update(temporary.apiKey, lasting.apiKey, { name: 'B' })).resolves.toMatchObject({
      name: 'B',
    });
    const limited = { scopes: ['bots:write'], expiresAt: inMs(1_800_000) };
    await expect(update(temporary.apiKey, lasting.apiKey, limited)).resolves.toMatchObject({ version: 3 });
    await expect(revoke(temporary.apiKey, lasting.apiKey)).resolves.toMatchObject({ version: 4 });
  });

  test('none without limits, unless it has none itself: such a key counts as an owner', async () => {
    const unlimited = await newKey();
    for (const limits of [{ scopes: [...scopeNames] }, { expiresAt: inAnHour() }]) {
      const { apiKey } = await newKey(limits);
      await expect(revoke(apiKey, unlimited.apiKey)).rejects.toMatchObject(stronger);
      await expect(update(apiKey, unlimited.apiKey, { name: 'Mine' })).rejects.toMatchObject(stronger);
    }
    const another = await newKey();
    await expect(revoke(another.apiKey, unlimited.apiKey)).resolves.toMatchObject({ version: 2 });
  });

  test('none of another home, though it can access the workspace', async () => {
    const elsewhere = await newWorkspace();
    const admin = await newKey();
    const guest = await newKey({ home: elsewhere, accessIds: [workspaceId] });
    for (const apiKey of [guest.apiKey, newApiKey(), '']) {
      const gone = { code: 'not_found', message: 'There is no such resource' };
      await expect(update(admin.apiKey, apiKey, { name: 'A' })).rejects.toMatchObject(gone);
      await expect(revoke(admin.apiKey, apiKey)).rejects.toMatchObject(gone);
      const read = identity.getApiKey({ workspaceId, apiKey }, by(admin.apiKey));
      await expect(read).rejects.toMatchObject(gone);
    }
    // A guest creates and changes keys of the workspace.
    const { key } = await create(guest.apiKey, ['bots:read']);
    expect(key?.homeWorkspaceId).toBe(workspaceId);
    await expect(revoke(guest.apiKey, admin.apiKey)).resolves.toMatchObject({ apiKey: admin.apiKey });
  });

  test('none that has ended', async () => {
    const admin = await newKey();
    const { apiKey } = await newKey();
    const revoked = await revoke(admin.apiKey, apiKey);
    expect(await revoke(admin.apiKey, apiKey)).toEqual(revoked);
    const ended = { code: 'failed_precondition', type: 'key-ended' };
    await expect(update(admin.apiKey, apiKey, { name: 'Back' })).rejects.toMatchObject(ended);
    const expired = await newKey({ expiresAt: inAnHour() });
    await sql.query('update identity.api_key set expires_at = now() where api_key = $1', [expired.apiKey]);
    await expect(authenticate(expired)).rejects.toMatchObject(refusal);
    const extended = update(admin.apiKey, expired.apiKey, { expiresAt: inAnHour() });
    await expect(extended).rejects.toMatchObject(ended);
  });

  test('itself last: a key that revokes itself does nothing after it', async () => {
    const key = await newKey();
    await expect(revoke(key.apiKey, key.apiKey)).resolves.toMatchObject({ version: 2 });
    await expect(authenticate(key)).rejects.toMatchObject(refusal);
    await expect(revoke(key.apiKey, key.apiKey)).rejects.toMatchObject(refusal);
  });
});

test('keys that change each other at the same time do not lock each other out', async () => {
  const [one, other] = [await newKey(), await newKey()];
  const rename = async (caller: string, apiKey: string, name: string): Promise<void> => {
    const { version } = await identity.getApiKey({ workspaceId, apiKey: caller }, by(caller));
    await update(caller, apiKey, { name }, version).catch((error: unknown) =>
      expect(error).toMatchObject({ type: 'lost-race' }),
    );
  };
  // Few at once: a call that waits for all 40 before it would exceed its deadline on a busy machine.
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const [caller, changed] = index % 2 ? [one, other] : [other, one];
        return rename(caller.apiKey, changed.apiKey, `${round}-${index}`);
      }),
    );
  }
});

test('at the maximum, a new key replaces the oldest one that ended a day ago, or is refused', async () => {
  const { apiKey } = await newKey();
  await sql.query(`insert into identity.api_key (api_key, home_workspace_id, workspace_ids, pepper_id, digest, revoked_at)
    select n || '-of-' || home_workspace_id, home_workspace_id, workspace_ids, pepper_id, digest,
      now() - case when n <= 2 then interval '25 hours' else interval '23 hours' end
    from identity.api_key, generate_series(1, ${keyLimits.perWorkspaceMax - 1}) as n where api_key = '${apiKey}'`);
  const create = () =>
    identity.createApiKey(
      { workspaceId, callerVersion: 1, name: 'One more', scopes: ['bots:read'], expiresAt: null },
      by(apiKey),
    );
  const made = await Promise.allSettled([create(), create(), create()]);
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  await expect(create()).rejects.toMatchObject({ code: 'failed_precondition', type: 'too-many-api-keys' });
  await expect(newKey()).rejects.toMatchObject({ type: 'too-many-api-keys' });
  const kept =
    await sql.query(`select count(*)::int as n, bool_or(api_key like '1-of-%' or api_key like '2-of-%') as old
    from identity.api_key where home_workspace_id = '${workspaceId}'`);
  expect(kept).toEqual([{ n: keyLimits.perWorkspaceMax, old: false }]);
  workspaceId = await newWorkspace();
  expect((await newKey()).apiKey).toEqual(expect.any(String));
});

test('the list is of the home, oldest first, in pages of a cursor', async () => {
  const elsewhere = await newWorkspace();
  const made = [];
  for (let count = 0; count < 5; count += 1) made.push((await newKey()).apiKey);
  const guest = await newKey({ home: elsewhere, accessIds: [workspaceId] });
  const list = (cursor: string, limit: number) =>
    identity.listApiKeys({ workspaceId, cursor, limit }, by(guest.apiKey));
  const first = await list('', 3);
  const last = await list(first.nextCursor, 3);
  expect([...first.keys, ...last.keys].map(({ apiKey }) => apiKey)).toEqual(made);
  expect([first.keys.length, last.nextCursor]).toEqual([3, '']);
  for (const unknown of [guest.apiKey, newApiKey()]) {
    expect(await list(unknown, 3)).toEqual({ keys: [], nextCursor: '' });
  }
  await expect(list('nonsense', 3)).rejects.toMatchObject({ faults: [{ pointer: '/query/cursor' }] });
  await expect(list('', 51)).rejects.toMatchObject({ faults: [{ pointer: '/limit' }] });
});
