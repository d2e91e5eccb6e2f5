import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { idOfToken } from '@parley/contracts/person-token';
import { evictionAnswer, evictionSubject, sessionLease } from '@parley/contracts/subjects';
import { openConnection } from '@parley/nats/connection';
import { connect } from '@parley/rpc/connect';
import { keyGrantSeconds } from '@parley/rpc/grants';
import type { RpcClient } from '@parley/rpc/definition';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { repeatedly } from '@parley/testing/repeatedly';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrations } from '../src/migrations/index.ts';
import { grants, startReplica, tokens } from './replica.ts';

const call = { requestId: 'test', timeoutMs: 20_000 };

const stack = new AsyncDisposableStack();
let nats: PrivateNats;
let databaseUrl: string;
let sql: SqlConnection;
let adminUrl: string;
/** Two replicas of the service. */
let copies: RpcClient<typeof IdentityServiceService>[];
let identity: RpcClient<typeof IdentityServiceService>;
let operator: RpcClient<typeof IdentityAdminServiceService>;
let workspaceId: string;

const startCopy = () => startReplica(stack, databaseUrl, { NATS_URL: nats.url });

beforeAll(async () => {
  nats = stack.use(await startPrivateNats());
  const database = stack.use(await createDatabase('identity', migrations));
  ({ url: databaseUrl, adminUrl } = database);
  sql = stack.use(await openSqlConnection(adminUrl));
  const addresses = [await startCopy(), await startCopy()];
  const peers = addresses.map((at) => stack.use(connectAsCallers(at, { token: tokens.service, grants })));
  copies = peers.map((peer) => peer.client(IdentityServiceService));
  [identity] = copies as [RpcClient<typeof IdentityServiceService>];
  const [address = ''] = addresses;
  operator = stack.use(connect(address, { token: tokens.operator })).client(IdentityAdminServiceService);
  ({ id: workspaceId } = await operator.createWorkspace({ name: 'Test', allowedDomains: [] }, call));
  await untilAsked();
});
afterAll(() => stack.disposeAsync());

/** A call with the grant of a key. */
const by = (apiKey: string) => ({
  ...call,
  grant: grants.issue(
    { workspaceIds: [workspaceId], holder: { $case: 'apiKey', value: apiKey } },
    keyGrantSeconds,
  ),
});

const newKey = () => operator.createKey({ workspaceId, accessIds: [], scopes: [], expiresAt: null }, call);
/** Rotates the key at any version. */
const rotate = async (apiKey: string, by = identity): Promise<string> => {
  const rows = await sql.query<{ version: number }>(
    'select version from identity.api_key where api_key = $1',
    [apiKey],
  );
  const request = { workspaceId, apiKey, version: rows[0]?.version ?? 0 };
  return (await by.rotateSecret(request, call)).secret;
};
const refusal = { code: 'unauthenticated', type: 'invalid-credentials' };

interface Credentials {
  apiKey: string;
  apiSecret: string;
}

async function leasesOn(apiKey: string): Promise<{ holder: string; goesOn: boolean }[]> {
  return sql.query(
    `select holder, expires_at > clock_timestamp() as "goesOn" from identity.credential_lease where api_key = $1`,
    [apiKey],
  );
}

/** Gives the leases of a holder an hour: a busy machine may need longer than a lease until it ends one. */
async function prolongLeases(holder: string): Promise<void> {
  await sql.query(
    `update identity.credential_lease set expires_at = now() + interval '1 h' where holder = $1`,
    [holder],
  );
}

/** A minimal gateway. */
async function startHolder({ reply = () => evictionAnswer }: { reply?: () => string } = {}) {
  const id = randomUUID();
  const connection = stack.use(openConnection({ url: nats.url, logger }));
  /** The secrets that it accepts without a call, by key. */
  const kept = new Map<string, { apiSecret: string; endsAt: number }>();
  /** The credentials that it was asked to evict, more than once when its answer was late. */
  const forgotten: string[] = [];
  connection.respond(evictionSubject(id), (key) => {
    kept.delete(key);
    forgotten.push(key);
    return reply();
  });
  await connection.connecting;
  // The server has the subscription when it has answered a later request.
  await connection.current()?.flush();
  return {
    id,
    forgotten,
    ask: async ({ apiKey, apiSecret }: Credentials, by = identity): Promise<void> => {
      const askedAt = performance.now();
      const forgottenBefore = forgotten.length;
      const { cacheableMs } = await by.authenticate({ apiKey, apiSecret, holder: id }, call);
      if (forgotten.length === forgottenBefore)
        kept.set(apiKey, { apiSecret, endsAt: askedAt + cacheableMs });
    },
    takesAsValid: ({ apiKey, apiSecret }: Credentials): boolean => {
      const entry = kept.get(apiKey);
      return entry?.apiSecret === apiSecret && performance.now() < entry.endsAt;
    },
  };
}

/** Waits until both replicas and a new holder are connected to NATS. */
async function untilAsked(): Promise<void> {
  for (const copy of copies) {
    const holder = await startHolder();
    await eventually(async () => {
      const key = await newKey();
      await holder.ask(key);
      await rotate(key.apiKey, copy);
      expect(holder.forgotten).toContain(key.apiKey);
    });
  }
}

describe('a lease', () => {
  test('is granted with valid credentials to a holder, which may use it for less time than it lasts', async () => {
    const key = await newKey();
    const holder = randomUUID();
    const [before] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
    const { cacheableMs } = await identity.authenticate({ ...key, holder }, call);
    expect(cacheableMs).toBeGreaterThan(1_000);
    const lasts = await sql.query(
      `select holder, expires_at > $2::timestamptz + $3::int * interval '1 ms' as "isLonger"
       from identity.credential_lease where api_key = $1`,
      [key.apiKey, before?.now, cacheableMs],
    );
    expect(lasts).toEqual([{ holder, isLonger: true }]);
  });

  test('is not granted without a holder, nor with a wrong secret', async () => {
    const key = await newKey();
    const { apiSecret } = await newKey();
    await expect(identity.authenticate({ ...key, holder: '' }, call)).resolves.toMatchObject({
      cacheableMs: 0,
    });
    await expect(identity.authenticate({ ...key, holder: 'nobody' }, call)).resolves.toMatchObject({
      cacheableMs: 0,
    });
    const wrong = { apiKey: key.apiKey, apiSecret, holder: randomUUID() };
    await expect(identity.authenticate(wrong, call)).rejects.toMatchObject(refusal);
    expect(await leasesOn(key.apiKey)).toEqual([]);
  });

  test('is not granted on a row that is being changed: the secret is compared again', async () => {
    const key = await newKey();
    const { apiKey } = await newKey();
    await using changing = await openSqlConnection(adminUrl);
    await changing.query('begin');
    await changing.query(
      `update identity.api_key set version = key.version + 1, digest = other.digest
       from identity.api_key as other, identity.api_key as key
       where api_key.api_key = $1 and key.api_key = $1 and other.api_key = $2`,
      [key.apiKey, apiKey],
    );
    const asked = identity.authenticate({ ...key, holder: randomUUID() }, call);
    asked.catch(() => {});
    await untilWaiting('insert into "?credential_lease');
    await changing.query('commit');
    await expect(asked).rejects.toMatchObject(refusal);
    expect(await leasesOn(key.apiKey)).toEqual([]);
  });

  test('that is granted during a rotation is ended by the rotation', async () => {
    const key = await newKey();
    const holder = await startHolder();
    await using giving = await openSqlConnection(adminUrl);
    await giving.query('begin');
    await giving.query(
      `insert into identity.credential_lease
       select api_key, $2, now() + interval '1 h' from identity.api_key where api_key = $1 for share`,
      [key.apiKey, holder.id],
    );
    const rotating = rotate(key.apiKey);
    await untilWaiting('update "?(identity"?[.]"?)?api_key');
    expect(holder.forgotten).toEqual([]);
    await giving.query('commit');
    await rotating;
    expect(new Set(holder.forgotten)).toEqual(new Set([key.apiKey]));
  });

  test('that has expired is deleted', async () => {
    const { apiKey } = await newKey();
    await sql.query(
      `insert into identity.credential_lease values ($1, $2, now() - interval '1 s'), ($1, $3, now() + interval '1 h')`,
      [apiKey, randomUUID(), randomUUID()],
    );
    await startCopy();
    await eventually(async () => expect(await leasesOn(apiKey)).toMatchObject([{ goesOn: true }]));
  });
});

/** Waits until a statement of the service waits for a lock. */
async function untilWaiting(statement: string): Promise<void> {
  await eventually(async () => {
    const waiting = await sql.query(
      `select query from pg_stat_activity
       where datname = current_database() and usename = 'parley_identity' and wait_event_type = 'Lock' and query ~* $1`,
      [statement],
    );
    expect(waiting).not.toEqual([]);
  });
}

describe('a change returns when no holder accepts the former credentials', () => {
  const changes: Record<string, (apiKey: string) => Promise<unknown>> = {
    rotation: rotate,
    revocation: (apiKey) => operator.revokeKey({ apiKey }, call),
    'a change of scopes': (apiKey) => {
      const change = { workspaceId, apiKey, callerVersion: 1, scopes: ['keys:write'], expiry: null };
      return identity.updateApiKey(change, call);
    },
    'a revocation by a key': (apiKey) => identity.revokeApiKey({ workspaceId, apiKey }, call),
    'a second revocation': async (apiKey) => {
      await sql.query('update identity.api_key set revoked_at = now() where api_key = $1', [apiKey]);
      await operator.revokeKey({ apiKey }, call);
    },
  };

  test.each(Object.entries(changes))('%s: each holder has confirmed', async (_, change) => {
    const key = await newKey();
    const other = await newKey();
    const holders = [await startHolder(), await startHolder(), await startHolder()];
    for (const holder of holders) {
      await holder.ask(key);
      await holder.ask(other);
      await prolongLeases(holder.id);
    }
    // However long the calls took, none is over.
    await sql.query(
      `update identity.credential_lease set expires_at = now() + interval '1 h' where api_key = $1`,
      [key.apiKey],
    );
    await change(key.apiKey);
    for (const { forgotten } of holders) expect(new Set(forgotten)).toEqual(new Set([key.apiKey]));
    expect(holders.map((holder) => holder.takesAsValid(key))).toEqual([false, false, false]);
  });

  test('a lease expires if its holder is unavailable, does not answer, or answers something else', async () => {
    const wrong = await startHolder({ reply: () => 'yes' });
    const silent = await startHolder({
      reply: () => {
        throw new Error('silent');
      },
    });
    await Promise.all(
      [randomUUID(), wrong.id, silent.id].map(async (holder) => {
        const key = await newKey();
        await identity.authenticate({ ...key, holder }, call);
        await rotate(key.apiKey);
        expect(await leasesOn(key.apiKey)).not.toContainEqual({ holder, goesOn: true });
      }),
    );
  });

  test('it takes no longer than a lease, also after the database clock was set back', async () => {
    const { apiKey } = await newKey();
    await sql.query(`insert into identity.credential_lease values ($1, $2, now() + interval '30 d')`, [
      apiKey,
      randomUUID(),
    ]);
    await rotate(apiKey);
  });

  test('without NATS, it waits until the leases are over', async () => {
    const holder = await startHolder();
    const key = await newKey();
    await nats.stop();
    try {
      await holder.ask(key);
      expect(holder.takesAsValid(key)).toBe(true);
      await rotate(key.apiKey);
      expect(holder.takesAsValid(key)).toBe(false);
      expect(await leasesOn(key.apiKey)).not.toContainEqual({ holder: holder.id, goesOn: true });
    } finally {
      await nats.start();
    }
    await untilAsked();
  });
});

test('a sign-out that is repeated after a crash is answered when no holder accepts the session', async () => {
  const link = { workspaceId, role: 'viewer', name: 'Ada' };
  const { code } = await operator.createConsoleLink(link, call);
  const token = (await identity.openSignInLink({ code }, call)).session?.token ?? '';
  const id = idOfToken('session', token) ?? '';
  const attempts = [
    () => identity.endSession({ token }, call),
    () => identity.authenticateSession({ token, holder: randomUUID() }, call),
  ];
  for (const attempt of attempts) {
    const holder = await startHolder();
    await sql.query('update identity.person_session set ended_at = null where id = $1', [id]);
    await identity.authenticateSession({ token, holder: holder.id }, call);
    await prolongLeases(holder.id);
    // As a replica leaves it that stops after its commit.
    await sql.query('update identity.person_session set ended_at = now() where id = $1', [id]);
    await expect(attempt()).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(new Set(holder.forgotten)).toEqual(new Set([sessionLease(id)]));
  }
});

describe('a change that is repeated before its holders have confirmed is answered when none accepts', () => {
  /** Does not confirm: as if the replica of the first call had stopped after its commit. */
  const holderOfACrash = () => startHolder({ reply: () => 'yes' });
  const isCommitted = (select: string, id: string) =>
    eventually(async () => expect(await sql.query(select, [id])).toEqual([]));

  const repeats: Record<string, (key: Credentials) => Promise<unknown>> = {
    'a revocation by the key itself': ({ apiKey }) => identity.revokeApiKey({ workspaceId, apiKey }, call),
    'an authentication': (key) => identity.authenticate({ ...key, holder: randomUUID() }, call),
    'a rotation': ({ apiKey }) => identity.rotateSecret({ workspaceId, apiKey, version: 1 }, call),
  };
  test.each(Object.entries(repeats))('a revoked key: %s', async (_, repeat) => {
    const key = await newKey();
    await (await holderOfACrash()).ask(key);
    const first = operator.revokeKey({ apiKey: key.apiKey }, call);
    await isCommitted('select from identity.api_key where api_key = $1 and revoked_at is null', key.apiKey);
    expect(await leasesOn(key.apiKey)).toMatchObject([{ goesOn: true }]);
    await expect(repeat(key)).rejects.toMatchObject(refusal);
    expect(await leasesOn(key.apiKey)).not.toContainEqual(expect.objectContaining({ goesOn: true }));
    await first;
  });

  test('a removed member', async () => {
    const { code } = await operator.createConsoleLink({ workspaceId, role: 'viewer', name: 'Ada' }, call);
    const token = (await identity.openSignInLink({ code }, call)).session?.token ?? '';
    const lease = sessionLease(idOfToken('session', token) ?? '');
    const holder = await holderOfACrash();
    const { personId } = await identity.authenticateSession({ token, holder: holder.id }, call);
    const [member] = await sql.query<{ id: string }>('select id from identity.member where person_id = $1', [
      personId,
    ]);
    const memberId = member?.id ?? '';
    const { apiKey } = await newKey();
    const remove = () => identity.removeMember({ workspaceId, memberId }, by(apiKey));
    const first = remove();
    await isCommitted('select from identity.member where id = $1', memberId);
    expect(await leasesOn(lease)).toMatchObject([{ goesOn: true }]);
    await expect(remove()).rejects.toMatchObject({ code: 'not_found' });
    expect(await leasesOn(lease)).not.toContainEqual(expect.objectContaining({ goesOn: true }));
    await first;
  });
});

test('100 rotations between calls of three holders at two replicas leave no old secret valid', async () => {
  const holders = [await startHolder(), await startHolder(), await startHolder()];
  const { apiKey, apiSecret } = await newKey();
  const current = { apiKey, apiSecret };
  let granted = 0;
  const asking = holders.flatMap((holder) =>
    copies.map((copy) =>
      repeatedly(() =>
        holder.ask({ ...current }, copy).then(
          () => (granted += 1),
          (error: unknown) => expect(error).toMatchObject(refusal),
        ),
      ),
    ),
  );
  try {
    for (let round = 0; round < 100; round += 1) {
      const dead = { ...current };
      current.apiSecret = await rotate(apiKey, copies[round % 2]);
      expect(holders.map((holder) => holder.takesAsValid(dead))).toEqual([false, false, false]);
    }
  } finally {
    await Promise.all(asking.map(({ stop }) => stop()));
  }
  expect(granted).toBeGreaterThan(0);
});
