import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { scopeNames } from '@parley/contracts/scopes';
import type { CallerName } from '@parley/contracts/method-access';
import { connect } from '@parley/rpc/connect';
import { createGrantVerifier } from '@parley/rpc/grants';
import type { RpcClient } from '@parley/rpc/definition';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { createHmac, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';
import { newApiKey, newApiSecret } from '../src/rules/credential.ts';
import { workspacesPerKeyMax } from '../src/admin-handlers.ts';
import { grants, ring, startReplica, tokens } from './replica.ts';

const call = { requestId: 'test', timeoutMs: 30_000 };

const stack = new AsyncDisposableStack();
let database: { url: string; adminUrl: string };
let admin: pg.Client;
let address: string;
let identity: RpcClient<typeof IdentityServiceService>;
/** Another replica of the service. */
let copy: RpcClient<typeof IdentityServiceService>;
let operator: RpcClient<typeof IdentityAdminServiceService>;
let workspaceId: string;

const startCopy = (peppers = ring('p1')) =>
  startReplica(stack, database.url, { CREDENTIAL_PEPPERS: peppers });

const identityAt = (at: string, token = tokens.service) =>
  stack.use(connectAsCallers(at, { token, grants })).client(IdentityServiceService);
const operatorAt = (at: string, token = tokens.operator, caller: CallerName = 'cli') =>
  stack.use(connect(at, { token, caller })).client(IdentityAdminServiceService);

beforeAll(async () => {
  database = stack.use(await createDatabase('identity', migrations));
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  stack.defer(() => admin.end());
  address = await startCopy();
  identity = identityAt(address);
  copy = identityAt(await startCopy());
  operator = operatorAt(address);
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  ({ id: workspaceId } = await operator.createWorkspace({ name: 'Test', allowedDomains: [] }, call));
});

const newKey = (accessIds: string[] = []) =>
  operator.createKey({ workspaceId, accessIds, scopes: [], expiresAt: null }, call);
const rotate = (apiKey: string, inWorkspace = workspaceId, by = identity, version = 1) =>
  by.rotateSecret({ workspaceId: inWorkspace, apiKey, version }, call);
const accepts = (apiKey: string, apiSecret: string, by = identity): Promise<boolean> =>
  by.authenticate({ apiKey, apiSecret, holder: '' }, call).then(
    () => true,
    (error: { code: string }) => {
      if (error.code !== 'unauthenticated') throw error;
      return false;
    },
  );

const notFound = { code: 'not_found', type: 'not-found', message: 'There is no such resource' };
const strangeIds = ['', 'nonsense', randomUUID(), "'; drop table workspace; --"];

describe('permissions', () => {
  test('only the operator can administer', async () => {
    const refusal = { code: 'permission_denied', type: 'caller-not-allowed' };
    const service = operatorAt(address, tokens.service, 'gateway');
    await expect(service.createWorkspace({ name: 'A', allowedDomains: [] }, call)).rejects.toMatchObject(
      refusal,
    );
    await expect(service.listWorkspaces({}, call)).rejects.toMatchObject(refusal);
    await expect(
      service.createKey({ workspaceId, accessIds: [], scopes: [], expiresAt: null }, call),
    ).rejects.toMatchObject(refusal);
    await expect(service.listKeys({ workspaceId }, call)).rejects.toMatchObject(refusal);
    await expect(service.revokeKey({ apiKey: newApiKey() }, call)).rejects.toMatchObject(refusal);
  });

  test('every call needs a valid credential', async () => {
    const refusal = { code: 'unauthenticated', type: 'unauthenticated' };
    await expect(operatorAt(address, 'x').listWorkspaces({}, call)).rejects.toMatchObject(refusal);
    await expect(identityAt(address, 'x').getWorkspace({ id: workspaceId }, call)).rejects.toMatchObject(
      refusal,
    );
  });

  test('a service cannot call as the operator by its name', async () => {
    const service = operatorAt(address, tokens.service, 'cli');
    await expect(service.listWorkspaces({}, call)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('workspaces', () => {
  test('a new one is returned as sent, and found by its id', async () => {
    const asked = { name: 'Zoë & Söhne 😀', allowedDomains: ['https://a.example/', 'http://localhost:3000'] };
    const made = await operator.createWorkspace(asked, call);
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/), ...asked });
    await expect(identity.getWorkspace({ id: made.id }, call)).resolves.toEqual(made);
  });

  test('an invalid one is rejected with all faults, and not created', async () => {
    const before = await operator.listWorkspaces({}, call);
    await expect(
      operator.createWorkspace({ name: '', allowedDomains: ['https://fine.example', 'nonsense'] }, call),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/name' }, { pointer: '/allowedDomains/1' }],
    });
    await expect(operator.listWorkspaces({}, call)).resolves.toEqual(before);
  });

  test('its allowed domains can be replaced, by valid ones only', async () => {
    const { id, name } = await operator.createWorkspace({ name: 'Moves', allowedDomains: [] }, call);
    const allowedDomains = ['https://b.example'];
    const changed = await operator.replaceAllowedDomains({ id, allowedDomains }, call);
    expect(changed).toEqual({ id, name, allowedDomains });
    await expect(
      operator.replaceAllowedDomains({ id, allowedDomains: ['https://c.example', 'c.example'] }, call),
    ).rejects.toMatchObject({ code: 'invalid_argument', faults: [{ pointer: '/allowedDomains/1' }] });
    await expect(identity.getWorkspace({ id }, call)).resolves.toEqual(changed);
    for (const strange of strangeIds) {
      await expect(
        operator.replaceAllowedDomains({ id: strange, allowedDomains }, call),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('its allowed domains can be replaced by a caller of the workspace, by valid ones only', async () => {
    const allowedDomains = ['https://b.example'];
    const changed = await identity.updateWorkspace({ workspaceId, allowedDomains }, call);
    expect(changed).toEqual({ id: workspaceId, name: 'Test', allowedDomains });
    const faulty = { workspaceId, allowedDomains: ['https://c.example', 'c.example'] };
    await expect(identity.updateWorkspace(faulty, call)).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer: '/allowedDomains/1' }],
    });
    await expect(identity.getWorkspace({ id: workspaceId }, call)).resolves.toEqual(changed);
    const nowhere = identity.updateWorkspace({ workspaceId: randomUUID(), allowedDomains }, call);
    await expect(nowhere).rejects.toMatchObject(notFound);
  });

  test('lists are oldest first, without missing ones', async () => {
    const second = await operator.createWorkspace({ name: 'Second', allowedDomains: [] }, call);
    const third = await operator.createWorkspace({ name: 'Third', allowedDomains: [] }, call);
    const all = (await operator.listWorkspaces({}, call)).workspaces.map(({ id }) => id);
    expect(all.slice(-3)).toEqual([workspaceId, second.id, third.id]);

    const ids = [third.id, ...strangeIds, workspaceId, third.id];
    const { workspaces } = await identity.batchGetWorkspaces({ workspaceIds: ids }, call);
    expect(workspaces.map(({ id }) => id)).toEqual([workspaceId, third.id]);
    await expect(identity.batchGetWorkspaces({ workspaceIds: [] }, call)).resolves.toEqual({
      workspaces: [],
    });
  });

  test.each(strangeIds)('%j is not found', async (id) => {
    await expect(identity.getWorkspace({ id }, call)).rejects.toMatchObject(notFound);
    await expect(operator.listKeys({ workspaceId: id }, call)).rejects.toMatchObject(notFound);
    const named = { ...notFound, message: `There is no workspace ${id}` };
    await expect(
      operator.createKey({ workspaceId: id, accessIds: [], scopes: [], expiresAt: null }, call),
    ).rejects.toMatchObject(named);
    await expect(newKey([id])).rejects.toMatchObject(named);
    await expect(identity.rotateSdkSecret({ workspaceId: id }, call)).rejects.toMatchObject(notFound);
    await expect(
      identity.mintCustomerToken({ workspaceId: id, customerId: 'c' }, call),
    ).rejects.toMatchObject(notFound);
    await expect(rotate((await newKey()).apiKey, id)).rejects.toMatchObject(notFound);
    await expect(operator.listKeys({ workspaceId }, call)).resolves.toMatchObject({ keys: [{}] });
  });
});

describe('authentication', () => {
  test('returns the owner of the credentials', async () => {
    const other = await operator.createWorkspace({ name: 'Other', allowedDomains: [] }, call);
    const { apiKey, apiSecret } = await newKey([other.id, other.id, workspaceId]);
    await expect(identity.authenticate({ apiKey, apiSecret, holder: '' }, call)).resolves.toEqual({
      apiKey,
      homeWorkspaceId: workspaceId,
      workspaceIds: [workspaceId, other.id],
      version: 1,
      cacheableMs: 0,
      scopes: scopeNames,
      grant: expect.stringMatching(/^[\w-]+\.[\w-]{86}$/),
      name: '',
      expiresAt: null,
    });
  });

  test('has at most as many workspaces as a call can name', async () => {
    const tooMany = Array.from({ length: workspacesPerKeyMax }, () => randomUUID());
    await expect(newKey(tooMany)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  test('rejects every fault of the credentials in the same way', async () => {
    const own = await newKey();
    const foreign = await newKey();
    const revoked = await newKey();
    await operator.revokeKey({ apiKey: revoked.apiKey }, call);
    const faulty = [
      { apiKey: own.apiKey, apiSecret: foreign.apiSecret },
      { apiKey: own.apiKey, apiSecret: newApiSecret() },
      { apiKey: newApiKey(), apiSecret: own.apiSecret },
      { apiKey: own.apiKey, apiSecret: own.apiSecret.slice(0, -1) },
      { apiKey: own.apiKey, apiSecret: '' },
      { apiKey: '', apiSecret: '' },
      { apiKey: `${own.apiKey}\n`, apiSecret: own.apiSecret },
      { apiKey: "' or 1=1 --", apiSecret: own.apiSecret },
      revoked,
    ];
    for (const credentials of faulty) {
      const asked = identity.authenticate({ ...credentials, holder: randomUUID() }, call);
      const error = await asked.catch((refused: unknown) => refused);
      expect(error).toMatchObject({
        code: 'unauthenticated',
        type: 'invalid-credentials',
        message: 'The request has no valid API key and secret',
      });
    }
    await expect(accepts(own.apiKey, own.apiSecret)).resolves.toBe(true);
  });

  test('stores no secret in the database', async () => {
    const { apiKey, apiSecret } = await newKey();
    const { secret } = await rotate(apiKey);
    const sdk = await identity.rotateSdkSecret({ workspaceId }, call);
    const { rows } = await admin.query<{ kept: string }>(`
      select (select string_agg(api_key::text, ' ') from identity.api_key)
        || (select string_agg(sdk_secret::text, ' ') from identity.sdk_secret) as kept`);
    const kept = rows[0]?.kept ?? '';
    expect(kept).toContain(apiKey);
    for (const plain of [apiSecret, secret, sdk.secret]) {
      expect(kept).not.toContain(plain);
      expect(kept).not.toContain(Buffer.from(plain).toString('hex'));
    }
  });

  test('accepts digests under an old pepper until it is removed; rotation uses the new one', async () => {
    const { apiKey, apiSecret } = await newKey();
    const both = identityAt(await startCopy(`${ring('p2')},${ring('p1')}`));
    const newOnly = identityAt(await startCopy(ring('p2')));
    await expect(accepts(apiKey, apiSecret, both)).resolves.toBe(true);
    await expect(accepts(apiKey, apiSecret, newOnly)).resolves.toBe(false);
    const { secret } = await rotate(apiKey, workspaceId, both);
    await expect(accepts(apiKey, secret, newOnly)).resolves.toBe(true);
  });

  test('rejects malformed credentials without a statement', async () => {
    const ask = (apiKey: string, apiSecret: string) =>
      identity.authenticate({ apiKey, apiSecret, holder: '' }, call);
    const refusal = { code: 'unauthenticated', type: 'invalid-credentials' };
    await admin.query('alter table identity.api_key rename to hidden');
    try {
      await expect(ask('prl_key_short', newApiSecret())).rejects.toMatchObject(refusal);
      await expect(ask(newApiKey(), `${newApiSecret()}x`)).rejects.toMatchObject(refusal);
      await expect(ask(newApiKey(), newApiSecret())).rejects.toMatchObject({ code: 'internal' });
    } finally {
      await admin.query('alter table identity.hidden rename to api_key');
    }
  });
});

test('the keys of grants are those that its grants are signed with, also at another replica', async () => {
  const { apiKey, apiSecret } = await newKey();
  const { grant } = await identity.authenticate({ apiKey, apiSecret, holder: '' }, call);
  for (const one of [identity, copy]) {
    const verifier = createGrantVerifier(undefined, () => one.listGrantKeys({}, call));
    expect((await verifier.verify(grant)).workspaceIds).toEqual([workspaceId]);
  }
});

describe('rotation', () => {
  test('replaces the secret at once, for every replica of the service', async () => {
    const { apiKey, apiSecret } = await newKey();
    let old = apiSecret;
    for (let version = 1; version <= 5; version += 1) {
      const { secret } = await rotate(apiKey, workspaceId, identity, version);
      const answers = await Promise.all([accepts(apiKey, old, copy), accepts(apiKey, secret, copy)]);
      expect(answers).toEqual([false, true]);
      old = secret;
    }
    const { keys } = await operator.listKeys({ workspaceId }, call);
    expect(keys).toEqual([
      {
        apiKey,
        homeWorkspaceId: workspaceId,
        workspaceIds: [workspaceId],
        createdAt: expect.any(Date),
        rotatedAt: expect.any(Date),
        revokedAt: null,
        name: '',
        scopes: scopeNames,
        hasAllScopes: true,
        createdBy: 'operator',
        expiresAt: null,
        lastUsedAt: expect.any(Date),
        version: 6,
      },
    ]);
  });

  test('of one key by twenty concurrent calls: one succeeds, with the valid secret', async () => {
    const { apiKey, apiSecret } = await newKey();
    const rotations = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => rotate(apiKey, workspaceId, index % 2 ? copy : identity)),
    );
    const [won, ...others] = rotations.filter(({ status }) => status === 'fulfilled');
    expect(others).toEqual([]);
    const secret = won?.status === 'fulfilled' ? won.value.secret : '';
    await expect(accepts(apiKey, secret)).resolves.toBe(true);
    await expect(accepts(apiKey, apiSecret)).resolves.toBe(false);
    for (const lost of rotations.filter((one) => one !== won)) {
      expect(lost).toMatchObject({ reason: { code: 'unauthenticated', type: 'invalid-credentials' } });
    }
  });

  test('with credentials that were replaced meanwhile changes nothing', async () => {
    const { apiKey } = await newKey();
    const { secret } = await rotate(apiKey);
    await expect(rotate(apiKey)).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(accepts(apiKey, secret)).resolves.toBe(true);
  });

  test('works only under the home workspace', async () => {
    const other = await operator.createWorkspace({ name: 'Other', allowedDomains: [] }, call);
    const unseen = await operator.createWorkspace({ name: 'Unseen', allowedDomains: [] }, call);
    const { apiKey, apiSecret } = await newKey([other.id]);
    const refusal = { code: 'permission_denied', type: 'not-home-workspace' };
    await expect(rotate(apiKey, other.id)).rejects.toMatchObject(refusal);
    await expect(rotate(apiKey, unseen.id)).rejects.toMatchObject(notFound);
    await expect(rotate(newApiKey())).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(rotate('nonsense')).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(accepts(apiKey, apiSecret)).resolves.toBe(true);
  });

  test('does not restore a revoked key', async () => {
    const { apiKey } = await newKey();
    await operator.revokeKey({ apiKey }, call);
    await expect(rotate(apiKey)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('revocation', () => {
  test('is permanent and idempotent', async () => {
    const { apiKey, apiSecret } = await newKey();
    const survivor = await newKey();
    const first = await operator.revokeKey({ apiKey }, call);
    expect(first).toMatchObject({ apiKey, revokedAt: expect.any(Date), rotatedAt: null });
    await expect(operator.revokeKey({ apiKey }, call)).resolves.toEqual(first);
    await expect(accepts(apiKey, apiSecret)).resolves.toBe(false);
    await expect(accepts(survivor.apiKey, survivor.apiSecret)).resolves.toBe(true);
    const { keys } = await operator.listKeys({ workspaceId }, call);
    expect(keys.map((key) => key.apiKey)).toEqual([apiKey, survivor.apiKey]);
  });

  test.each(['', 'nonsense', newApiKey(), `${newApiKey()}\n`])(
    'of the unknown key %j is not found',
    async (apiKey) => {
      await expect(operator.revokeKey({ apiKey }, call)).rejects.toMatchObject(notFound);
    },
  );
});

describe('customer tokens', () => {
  const mint = (customerId = 'c-1', by = identity) => by.mintCustomerToken({ workspaceId, customerId }, call);
  const verify = (token: string, inWorkspace = workspaceId) =>
    identity.verifyCustomerToken({ workspaceId: inWorkspace, token }, call);
  const invalid = { code: 'unauthenticated', type: 'invalid-customer-token' };

  test('the first one stores the secret that signs it with its audit event, or nothing', async () => {
    const { id } = await operator.createWorkspace({ name: 'Test', allowedDomains: [] }, call);
    const stored = async (table: string): Promise<number> => {
      const text = `select from identity.${table} where workspace_id = $1`;
      return (await admin.query(text, [id])).rowCount ?? 0;
    };
    const before = await stored('audit_log');
    await admin.query(
      `alter table identity.audit_log add constraint refused check (workspace_id <> '${id}') not valid`,
    );
    const request = { workspaceId: id, customerId: 'c' };
    await expect(identity.mintCustomerToken(request, call)).rejects.toMatchObject({ code: 'internal' });
    await admin.query('alter table identity.audit_log drop constraint refused');
    expect([await stored('sdk_secret'), await stored('audit_log')]).toEqual([0, before]);
    const tokens = await Promise.all(
      Array.from({ length: 5 }, () => identity.mintCustomerToken(request, call)),
    );
    expect([await stored('sdk_secret'), await stored('audit_log')]).toEqual([1, before + tokens.length]);
  });

  function tokenOf({ kid, secret }: { kid: string; secret: string }): string {
    const now = Math.floor(Date.now() / 1000);
    const parts = [
      { alg: 'HS256', kid },
      { sub: 'c-1', aud: `parley:${workspaceId}`, iat: now, exp: now + 60 },
    ];
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  }

  test('are signed for an hour, without an earlier SDK secret', async () => {
    const { customerToken, expiresAt } = await mint('Zoë/😀');
    expect(expiresAt?.getTime()).toBeGreaterThan(Date.now() + 3_590_000);
    expect(expiresAt?.getTime()).toBeLessThanOrEqual(Date.now() + 3_600_000);
    await expect(verify(customerToken)).resolves.toMatchObject({ customerId: 'Zoë/😀' });
    await expect(verify(customerToken, workspaceId.toUpperCase())).resolves.toMatchObject({
      customerId: 'Zoë/😀',
    });
  });

  test('are valid if twenty are signed concurrently in a new workspace', async () => {
    const minted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => mint(`c-${index}`, index % 2 ? copy : identity)),
    );
    const ids = await Promise.all(
      minted.map(async ({ customerToken }) => (await verify(customerToken)).customerId),
    );
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => `c-${index}`));
  });

  test('signed by a client with a rotated secret are valid until the next but one rotation', async () => {
    const first = await identity.rotateSdkSecret({ workspaceId }, call);
    const second = await identity.rotateSdkSecret({ workspaceId }, call);
    await expect(verify(tokenOf(first))).resolves.toMatchObject({ customerId: 'c-1' });
    await expect(verify(tokenOf(second))).resolves.toMatchObject({ customerId: 'c-1' });
    const third = await identity.rotateSdkSecret({ workspaceId }, call);
    await expect(verify(tokenOf(first))).rejects.toMatchObject(invalid);
    await expect(verify(tokenOf(second))).resolves.toMatchObject({ customerId: 'c-1' });
    await expect(verify(tokenOf(third))).resolves.toMatchObject({ customerId: 'c-1' });
    await expect(verify(tokenOf({ ...third, kid: second.kid }))).rejects.toMatchObject(invalid);

    const { rows } = await admin.query('select 1 from identity.sdk_secret where workspace_id = $1', [
      workspaceId,
    ]);
    expect(rows).toHaveLength(2);
  });

  test('are signed with one of exactly two live secrets after twenty concurrent rotations', async () => {
    const rotations = Array.from({ length: 20 }, () => identity.rotateSdkSecret({ workspaceId }, call));
    const tokensOf = (await Promise.all(rotations)).map(tokenOf);
    const valid = await Promise.all(tokensOf.map((token) => verify(token).catch(() => undefined)));
    expect(valid.filter(Boolean)).toHaveLength(2);
  });

  test('of one workspace are invalid in another, even with a copy of its secret', async () => {
    const other = await operator.createWorkspace({ name: 'Other', allowedDomains: [] }, call);
    const key = await identity.rotateSdkSecret({ workspaceId }, call);
    await expect(verify(tokenOf(key), other.id)).rejects.toMatchObject(invalid);
    await admin.query(
      `insert into identity.sdk_secret (workspace_id, generation, kid, sealed)
       select $1, 1, kid, sealed from identity.sdk_secret where workspace_id = $2`,
      [other.id, workspaceId],
    );
    await expect(verify(tokenOf(key), other.id)).rejects.toMatchObject({ code: 'internal' });
  });

  test('with faults, or for an unknown workspace, are rejected alike', async () => {
    const { customerToken } = await mint();
    await expect(verify(customerToken, randomUUID())).rejects.toMatchObject(invalid);
    await expect(verify(customerToken, 'nonsense')).rejects.toMatchObject({ code: 'not_found' });
    for (const text of ['', 'nonsense', `${customerToken}x`, customerToken.replace('.', '')]) {
      await expect(verify(text)).rejects.toMatchObject(invalid);
    }
  });

  test.each(['', '.', 'a\0b', 'x'.repeat(256)])(
    'are not signed for the invalid customer id %j',
    async (id) => {
      await expect(mint(id)).rejects.toMatchObject({
        code: 'invalid_argument',
        faults: [{ pointer: '/customerId' }],
      });
    },
  );
});
