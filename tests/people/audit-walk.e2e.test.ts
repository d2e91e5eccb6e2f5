import { createClient } from '@parley/client';
import { CustomerAdminServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { InsightServiceService } from '@parley/contracts/insight/v1/insight';
import { BotServiceService } from '@parley/contracts/interaction/v1/bot';
import { methodAccess } from '@parley/contracts/method-access';
import { type DatabaseService, databaseServices } from '@parley/contracts/services';
import { connect } from '@parley/rpc/connect';
import { openTls } from '@parley/rpc/tls';
import { eventually } from '@parley/testing/eventually';
import { quietLogger } from '@parley/testing/quiet';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection, type SqlConnection } from '@parley/testing/database/sql';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { auditedReads, changes, withoutRow, type World } from './audit-changes.ts';
import { auditEventsOf } from './audit-log.ts';
import { createLink, signInBy } from './console-people.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';
import { operationsOf, recordingFetch } from '../api/operations.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Every change by an API key or the operator leaves a row of the audit log. A call that also changes a customer leaves
// one for each change.

const { baseUrl, postgresUrl } = inject('local');
const operator = inject('operator');

let world: World;
let admin: SqlConnection;
beforeAll(async () => {
  const place = await createNpsWorkspace(baseUrl, operator);
  const { id, apiKey, apiSecret } = place.workspace;
  const { called, fetch } = recordingFetch(inject('openapi'));
  const client = createClient({ baseUrl, apiKey, apiSecret, fetch }).workspace(id);
  world = { ...place, receiver: await startReceiver(), baseUrl, client, called };
  admin = await openSqlConnection(postgresUrl);
});
afterAll(async () => {
  await world.receiver[Symbol.asyncDispose]();
  await admin[Symbol.asyncDispose]();
});

/** The rows of a request in the logs of all services. */
async function rowsOf(requestId: string): Promise<{ action: string; actorType: string }[]> {
  const of = (schema: DatabaseService): string =>
    `select action, actor_type as "actorType" from ${schema}.audit_log where request_id = $1`;
  return admin.query(`${databaseServices.map(of).join(' union all ')} order by action`, [requestId]);
}

describe('an operation of the API', () => {
  const operations = operationsOf(inject('openapi'));
  const changing = operations.filter(({ method }) => method !== 'GET').map(({ operationId }) => operationId);

  test('is in the list of changes, or in that of exceptions', () => {
    expect([...Object.keys(changes), ...Object.keys(withoutRow)].toSorted()).toEqual(changing.toSorted());
  });

  test.each(Object.entries({ ...changes, ...auditedReads }))(
    '%s',
    async (operationId, { action, brings = [], prepare, isByClient }) => {
      const send = await prepare(world);
      const answer = await send();
      expect([answer.status, answer.body?.errors]).toEqual([200, undefined]);
      if (isByClient) expect([...world.called]).toContain(operationId);
      const requestId = answer.headers.get('x-request-id') ?? '';
      const actions = [...brings, action];
      expect(await rowsOf(requestId)).toEqual(actions.map((one) => ({ action: one, actorType: 'key' })));
      const [event] = await auditEventsOf(world.workspace, { action });
      expect(event).toMatchObject({ requestId, actor: { type: 'key' } });
    },
  );

  test('that is refused leaves no row', async () => {
    const { api } = world.workspace;
    const nowhere = randomUUID();
    const refused = await Promise.all([
      api.patch(`/webhooks/${nowhere}`, { isActive: false }),
      api.delete(`/customers/${nowhere}`),
      api.post('/interactions', { customerId: 'c', botId: nowhere }),
      api.patch('/branding', { displayName: 7 }),
      api.delete(`/interactions/${nowhere}`),
      api.patch('/customers/c', { firstName: 'x' }, { 'if-match': '"99"' }),
    ]);
    for (const { status, headers } of refused) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(await rowsOf(headers.get('x-request-id') ?? '')).toEqual([]);
    }
  });

  const repeated = [
    'updateRetention',
    'updateWebhook',
    'updateWebhookOptions',
    'revokeApiKey',
    'updateInteraction',
  ];
  test.each(repeated)('%s that changes nothing leaves no row', async (name) => {
    const send = await changes[name]?.prepare(world);
    await send?.();
    const again = await send?.();
    expect(again?.status).toBe(200);
    expect(await rowsOf(again?.headers.get('x-request-id') ?? '')).toEqual([]);
  });

  test('that is replayed leaves no second row', async () => {
    const { api } = world.workspace;
    const { botId, receiver } = world;
    await api.post('/customers', { id: 'c' });
    const bodies: [string, object][] = [
      ['/customers', { id: randomUUID() }],
      ['/interactions', { customerId: 'c', botId }],
      ['/interactions/bulk', { interactions: [{ customerId: 'c', botId }] }],
      ['/webhooks', { url: receiver.url, secretToken: randomUUID(), isActive: false }],
    ];
    for (const [path, body] of bodies) {
      const key = { 'idempotency-key': randomUUID() };
      const first = await api.post(path, body, key);
      const replayed = await api.post(path, body, key);
      expect([path, first.status, replayed.status]).toEqual([path, 200, 200]);
      expect(await rowsOf(first.headers.get('x-request-id') ?? '')).toHaveLength(1);
      expect(await rowsOf(replayed.headers.get('x-request-id') ?? '')).toEqual([]);
    }
  });

  test.each(Object.keys(auditedReads))('HEAD of %s leaves no row', async (name) => {
    const { path = '' } = operations.find(({ operationId }) => operationId === name) ?? {};
    const { id, apiKey, apiSecret, client } = world.workspace;
    const customer = await client.customers.create({ id: randomUUID() });
    const credentials = Buffer.from(`${apiKey}:${apiSecret}`).toString('base64');
    const url = world.baseUrl + path.replace('{workspaceId}', id).replace('{customerId}', customer.id);
    const answer = await fetch(url, { method: 'HEAD', headers: { authorization: `Basic ${credentials}` } });
    expect(answer.status).toBe(200);
    expect(await rowsOf(answer.headers.get('x-request-id') ?? '')).toEqual([]);
  });
});

describe('a call that creates interactions', () => {
  const post = async (path: string, body: object, fields = {}): Promise<string> => {
    const { headers, status } = await world.workspace.api.post(path, body, fields);
    expect(status).toBe(200);
    return headers.get('x-request-id') ?? '';
  };
  const actionsOf = async (requestId: string) => (await rowsOf(requestId)).map(({ action }) => action);
  const send = async (path: string, body: object) => actionsOf(await post(path, body));
  const one = (customerId: string, customer?: object) =>
    send('/interactions', { customerId, botId: world.botId, customer });

  test('leaves rows of the changes of its customer', async () => {
    const id = randomUUID();
    expect(await one(id, { firstName: 'Ada' })).toEqual(['customer.created', 'interaction.created']);
    expect(await one(id)).toEqual(['interaction.created']);
    expect(await one(id, { firstName: 'Ada' })).toEqual(['interaction.created']);
    expect(await one(id, { firstName: 'Eva' })).toEqual(['customer.updated', 'interaction.created']);
    const [updated] = await auditEventsOf(world.workspace, { target: id, action: 'customer.updated' });
    expect(updated).toMatchObject({
      actor: { type: 'key', id: world.workspace.apiKey },
      clientAddress: expect.stringMatching(/127\.0\.0\.1|::1/),
      changes: { firstName: ['[hidden]', '[hidden]'] },
    });
  });

  test('in bulk leaves none of an item that is rejected', async () => {
    const { botId } = world;
    const [known, other, refused] = [randomUUID(), randomUUID(), randomUUID()];
    await one(known);
    const interactions = [
      { customerId: known, botId },
      { customerId: other, botId, customer: { firstName: 'Ada' } },
      { customerId: refused, botId: randomUUID() },
      { customerId: other, botId, customer: { firstName: 'Eva' } },
      { customerId: other, botId },
    ];
    const all = ['customer.created', ...Array<string>(4).fill('interaction.created')];
    expect(await send('/interactions/bulk', { interactions })).toEqual(all);
    expect(await auditEventsOf(world.workspace, { target: refused })).toEqual([]);
    expect((await auditEventsOf(world.workspace, { target: other })).map(({ action }) => action)).toEqual([
      'interaction.created',
      'interaction.created',
      'interaction.created',
      'customer.created',
    ]);
  });

  test.each(['/interactions', '/interactions/bulk'])(
    '%s leaves as many rows as changes when several race with one Idempotency-Key',
    async (path) => {
      const id = randomUUID();
      const item = { customerId: id, botId: world.botId, customer: { firstName: 'Ada' } };
      const body = path.endsWith('bulk') ? { interactions: [item] } : item;
      const key = { 'idempotency-key': randomUUID() };
      const requests = await Promise.all(Array.from({ length: 10 }, () => post(path, body, key)));
      const actions: string[] = [];
      for (const requestId of requests) actions.push(...(await actionsOf(requestId)));
      expect(actions.toSorted()).toEqual(['customer.created', 'interaction.created']);
    },
  );
});

describe('an RPC of the operator', () => {
  const id = (): string => world.workspace.id;
  const definition = (): string => JSON.stringify({ ...(npsBot as object), name: randomUUID() });
  const key = () => ({ workspaceId: id(), accessIds: [], scopes: [], expiresAt: null });

  async function to<Result>(
    service: DatabaseService,
    work: (peer: ReturnType<typeof connect>) => Promise<Result>,
  ): Promise<Result> {
    await using tls = openTls(operator.tls, 'cli', quietLogger);
    using peer = connect(operator[service], { token: operator.operatorToken, tls: tls?.to(service) });
    return await work(peer);
  }

  /** RPCs that change something, with their actions. */
  const rpcs: Record<string, [string, (requestId: string) => Promise<unknown>]> = {
    '/parley.identity.v1.IdentityAdminService/CreateWorkspace': [
      'workspace.created',
      (requestId) =>
        to('identity', (peer) =>
          peer
            .client(IdentityAdminServiceService)
            .createWorkspace({ name: 'X', allowedDomains: [] }, { requestId }),
        ),
    ],
    '/parley.identity.v1.IdentityAdminService/ReplaceAllowedDomains': [
      'workspace.updated',
      (requestId) =>
        to('identity', (peer) =>
          peer
            .client(IdentityAdminServiceService)
            .replaceAllowedDomains({ id: id(), allowedDomains: ['https://shop.example.com'] }, { requestId }),
        ),
    ],
    '/parley.identity.v1.IdentityAdminService/CreateKey': [
      'key.created',
      (requestId) =>
        to('identity', (peer) => peer.client(IdentityAdminServiceService).createKey(key(), { requestId })),
    ],
    '/parley.identity.v1.IdentityAdminService/RevokeKey': [
      'key.revoked',
      (requestId) =>
        to('identity', async (peer) => {
          const client = peer.client(IdentityAdminServiceService);
          const { apiKey } = await client.createKey(key(), { requestId: 'setup' });
          await client.revokeKey({ apiKey }, { requestId });
          await client.revokeKey({ apiKey }, { requestId });
        }),
    ],
    '/parley.identity.v1.IdentityAdminService/CreateConsoleLink': [
      'consoleLink.created',
      (requestId) =>
        to('identity', (peer) =>
          peer
            .client(IdentityAdminServiceService)
            .createConsoleLink({ workspaceId: id(), role: 'viewer', name: 'Ada' }, { requestId }),
        ),
    ],
    '/parley.identity.v1.IdentityAdminService/EndSessions': [
      'session.ended',
      (requestId) =>
        to('identity', async (peer) => {
          const { personId } = await signInBy(world.baseUrl, await createLink(operator, id()));
          const client = peer.client(IdentityAdminServiceService);
          await client.endSessions({ personId }, { requestId });
          await client.endSessions({ personId }, { requestId });
        }),
    ],
    '/parley.identity.v1.IdentityService/RotateSdkSecret': [
      'sdkSecret.rotated',
      (requestId) =>
        to('identity', (peer) =>
          peer.client(IdentityServiceService).rotateSdkSecret({ workspaceId: id() }, { requestId }),
        ),
    ],
    '/parley.identity.v1.IdentityService/UpdateBranding': [
      'branding.updated',
      (requestId) =>
        to('identity', (peer) =>
          peer
            .client(IdentityServiceService)
            .updateBranding({ workspaceId: id(), displayName: randomUUID(), endLink: null }, { requestId }),
        ),
    ],
    '/parley.interaction.v1.BotService/CreateBot': [
      'bot.created',
      (requestId) =>
        to('interaction', (peer) => {
          const other = JSON.stringify({ ...(npsBot as object), key: `k${requestId}` });
          const request = { workspaceId: id(), definition: other, idempotency: null };
          return peer.client(BotServiceService).createBot(request, { requestId });
        }),
    ],
    '/parley.interaction.v1.BotService/PublishBotVersion': [
      'bot.published',
      (requestId) =>
        to('interaction', (peer) => {
          const request = { workspaceId: id(), id: world.botId, definition: definition(), idempotency: null };
          return peer.client(BotServiceService).publishBotVersion(request, { requestId });
        }),
    ],
    '/parley.customer.v1.CustomerAdminService/RepeatErasure': [
      'customer.deleted',
      async (requestId) => {
        const customerId = randomUUID();
        await world.workspace.api.post('/customers', { id: customerId });
        const request = {
          workspaceId: id(),
          customerId,
          kind: 'deletion',
          requestedAt: new Date(Date.now() + 60_000),
        };
        await to('customer', (peer) =>
          peer.client(CustomerAdminServiceService).repeatErasure(request, { requestId }),
        );
      },
    ],
    '/parley.customer.v1.CustomerAdminService/RotateErasureKey': [
      'erasureKey.rotated',
      (requestId) =>
        to('customer', (peer) =>
          peer.client(CustomerAdminServiceService).rotateErasureKey({}, { requestId }),
        ),
    ],
    '/parley.insight.v1.InsightService/StartRebuild': [
      'figures.rebuilt',
      (requestId) =>
        to('insight', async (peer) => {
          const insight = peer.client(InsightServiceService);
          // While one runs, a call starts no other.
          await eventually(async () => {
            const { finishedAt } = await insight.getRebuild({}, { requestId: 'setup' });
            expect(finishedAt).toBeInstanceOf(Date);
          });
          await insight.startRebuild({}, { requestId });
        }),
    ],
  };

  test('is in the list, unless it only reads', () => {
    const ofOperator = [...methodAccess]
      .filter(([, { callers }]) => callers.includes('cli'))
      .map(([path]) => path);
    const changing = ofOperator.filter((path) => !/\/(?:Get|List)\w+$/.test(path));
    expect(Object.keys(rpcs).toSorted()).toEqual(changing.toSorted());
  });

  test.each(Object.entries(rpcs))('%s', async (_, [action, send]) => {
    const requestId = randomUUID();
    await send(requestId);
    expect(await rowsOf(requestId)).toEqual([{ action, actorType: 'operator' }]);
  });
});
