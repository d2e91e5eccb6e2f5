import { randomBytes, randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Grant } from '@parley/contracts/common/v1/grant';
import { methodAccess } from '@parley/contracts/method-access';
import type { DatabaseService } from '@parley/contracts/services';
import { ensureSecrets, tokenOf, type Secrets } from '@parley/local/files/secrets';
import { createGrantSigner, sessionGrantSeconds } from '@parley/rpc/grants';
import { keyring } from '@parley/runtime/config/keyring';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hostileRequests, type Rpc, rpcsOf } from './hostile-requests.ts';
import { npsBot } from '../conversations/sample-bots.ts';

// Services apply their own limits to every caller: every RPC gets requests that the gateway would never send.

const operator = inject('operator');
const { postgresUrl } = inject('local');
const clients = new Map<string, Client>();
let metadataOf: (rpc: Rpc) => Metadata;
let secrets: Secrets;
let workspace: TestWorkspace;

afterAll(() => {
  for (const client of clients.values()) client.close();
});

/** Valid values of fields, by name. */
let known: Record<string, (rpc: Rpc) => unknown>;
let rpcs: Rpc[];

beforeAll(async () => {
  workspace = await createWorkspace(inject('local').baseUrl, operator);
  const botId = await workspace.publish(npsBot);
  const { customers, interactions, webhooks } = workspace.client;
  await customers.create({ id: 'c' });
  const made = await interactions.create({ customerId: 'c', botId, status: 'Pending' });
  const hook = await webhooks.create({ url: 'http://127.0.0.1:9/', secretToken: 't', isActive: true });
  const delivery = await webhooks.sendTest(hook.id);
  const fresh = () => randomBytes(8).toString('hex');
  const ids: Record<string, string> = {
    Bot: botId,
    Interaction: made.id,
    Delivery: hook.id,
    Webhook: hook.id,
  };
  const portalLink = await workspace.client.webhooks.portalLinks.create({});
  const openLink = await workspace.client.bots.openLinks.create(botId, { name: 'Table' });
  const member = await workspace.client.members.invite({ email: 'ada@shop.example', role: 'viewer' });
  known = {
    id: ({ service, name }) => {
      if (service === 'CustomerService') return /^(Create|Ensure|Delete)/.test(name) ? fresh() : 'c';
      // Others need what it would delete.
      if (name === 'DeleteInteraction') return workspace.id;
      if (service.startsWith('Identity')) return workspace.id;
      if (name.endsWith('Delivery')) return delivery.id;
      return ids[service.replace('Service', '')];
    },
    workspaceIds: () => workspace.id,
    accessIds: () => workspace.id,
    workspaceId: () => workspace.id,
    customerId: () => 'c',
    email: () => 'anna@example.com',
    botId: ({ name }) => (name.startsWith('CreateInteraction') ? '' : botId),
    botKey: () => 'nps-follow-up',
    interactionId: () => made.id,
    webhookId: () => hook.id,
    deliveryId: () => delivery.id,
    eventId: () => made.id,
    eventIds: () => made.id,
    memberId: () => member.memberId,
    portalLinkId: () => portalLink.id,
    openLinkId: () => openLink.id,
    personId: () => randomUUID(),
    presenceId: () => randomUUID(),
    contextKeys: () => 'productName',
    webhookIds: () => hook.id,
    expiresInSeconds: () => 60,
    role: () => 'viewer',
    apiKey: () => workspace.apiKey,
    apiSecret: () => workspace.apiSecret,
    url: () => 'http://127.0.0.1:9/',
    secretToken: fresh,
    scope: fresh,
    clientMessageId: fresh,
    visit: fresh,
    definition: () => JSON.stringify({ ...(npsBot as object), key: `bot-${fresh()}` }),
    allowedDomains: () => 'https://shop.example',
    states: () => 'failed',
    ordering: () => 'none',
    cursor: () => '',
    pageToken: () => '',
    waitSeconds: () => 0,
    seconds: () => BigInt(Math.floor(Date.now() / 1_000)),
  };
  rpcs = await rpcsOf();
  secrets = await ensureSecrets(inject('dataDir'));
  metadataOf = callersOf(workspace);
});

/** Returns the metadata of a caller that may call a method, with a grant of the workspace's key or of a customer. */
function callersOf({ id, apiKey }: Pick<TestWorkspace, 'id' | 'apiKey'>): (rpc: Rpc) => Metadata {
  const signer = createGrantSigner(keyring.parse(secrets.identityKeys));
  const grantOf = (holder: Grant['holder']) =>
    signer.issue({ workspaceIds: [id], holder }, sessionGrantSeconds);
  const grants = {
    key: grantOf({ $case: 'apiKey', value: apiKey }),
    portal: grantOf({ $case: 'apiKey', value: apiKey }),
    session: grantOf({ $case: 'customerId', value: 'c' }),
    none: '',
  };
  return ({ path }) => {
    const { callers = [], grant = 'none' } = methodAccess.get(path) ?? {};
    const caller = callers[0] ?? 'cli';
    const token = caller === 'cli' ? operator.operatorToken : tokenOf(secrets, caller);
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${token}`);
    if (caller === 'gateway') metadata.set('x-parley-grant', grants[grant]);
    return metadata;
  };
}

function clientOf({ packageName }: Rpc): Client {
  const [, owner = ''] = packageName.split('.');
  // Several services have a log of events, and one of changes.
  const service = ['process', 'events', 'audit'].includes(owner) ? 'interaction' : owner;
  const address = operator[service as DatabaseService];
  const client = clients.get(address) ?? new Client(address, credentials.createInsecure());
  clients.set(address, client);
  return client;
}

async function call(rpc: Rpc, bytes: Buffer, metadata = metadataOf(rpc)): Promise<status> {
  const same = (value: Buffer): Buffer => value;
  const options = { deadline: Date.now() + 60_000 };
  return new Promise((resolve) => {
    clientOf(rpc).makeUnaryRequest(
      rpc.path,
      same,
      same,
      bytes,
      metadata,
      options,
      (error: ServiceError | null) => resolve(error?.code ?? status.OK),
    );
  });
}

const ours = [
  status.INTERNAL,
  status.UNKNOWN,
  status.UNAVAILABLE,
  status.UNIMPLEMENTED,
  status.DEADLINE_EXCEEDED,
  status.DATA_LOSS,
];

/** A field that the grant is compared with is refused by that. */
function isRefusal(code: status, what: string): boolean {
  const isOfGrant = /workspace_id|customer_id|session/.test(what);
  return code === status.INVALID_ARGUMENT || (isOfGrant && code === status.PERMISSION_DENIED);
}

test('no RPC fails internally for an invalid request, and none stores it', async () => {
  expect(new Set(rpcs.map(({ service }) => service)).size).toBe(15);
  const failed: unknown[] = [];
  const statuses = new Map<status, number>();
  for (const rpc of rpcs) {
    const requests = [...hostileRequests(rpc, known)];
    for (let from = 0; from < requests.length; from += 16) {
      const some = requests.slice(from, from + 16);
      const answers = await Promise.all(some.map(({ bytes }) => call(rpc, bytes)));
      for (const [index, code] of answers.entries()) {
        statuses.set(code, (statuses.get(code) ?? 0) + 1);
        const { what = '', isText = true } = some[index] ?? {};
        const isWrong = isText ? ours.includes(code) : !isRefusal(code, what);
        if (isWrong) failed.push([rpc.path, what, status[code]]);
      }
    }
  }
  expect(failed).toEqual([]);
  // Most requests have a single hostile field; many are accepted where it does not matter.
  expect(statuses.get(status.OK)).toBeGreaterThan(100);
  expect(statuses.get(status.INVALID_ARGUMENT)).toBeGreaterThan(500);
  expect(await storedBeyondLimits()).toEqual([]);
});

test('customers of a workspace that does not exist are rejected, and none is stored', async () => {
  const workspaceId = randomUUID();
  const writes = rpcs.filter(({ name }) => name === 'CreateCustomer' || name === 'EnsureCustomer');
  expect(writes).toHaveLength(2);
  for (const rpc of writes) {
    const [good] = hostileRequests(rpc, { ...known, workspaceId: () => workspaceId });
    const metadata = callersOf({ ...workspace, id: workspaceId })(rpc);
    expect(await call(rpc, good?.bytes ?? Buffer.alloc(0), metadata), rpc.name).toBe(status.NOT_FOUND);
  }
  const stored = `
    select id from customer.customer where workspace_id = $1
    union all select scope from customer.idempotency_record where workspace_id = $1`;
  await using session = await openSqlConnection(postgresUrl);
  expect(await session.query(stored, [workspaceId])).toEqual([]);
});

/** Rows that violate the limits. */
async function storedBeyondLimits(): Promise<unknown[]> {
  const isNoId = (column: string) =>
    `(${column} in ('', '.', '..') or char_length(${column}) > 255 or ${column} ~ '[\\x01-\\x1f\\x7f-\\x9f]')`;
  await using session = await openSqlConnection(postgresUrl);
  return await session.query(`
      select 'customer' as what, id from customer.customer
        where ${isNoId('id')} or greatest(char_length(first_name), char_length(last_name)) > 255
          or char_length(email) > 320 or email !~ '^$|^[^@ ]+@[^@ ]+$'
      union all select 'interaction', customer_id from interaction.interaction where ${isNoId('customer_id')}
      union all select 'event', customer_id from webhook.event
        -- A test event has no customer.
        where customer_id <> '' and ${isNoId('customer_id')}
      union all select 'message', client_message_id from interaction.message
        where char_length(client_message_id) not between 1 and 128
      union all select 'webhook', url from webhook.webhook where char_length(url) not between 1 and 2048
      union all select 'workspace', name from identity.workspace where char_length(name) not between 1 and 255
      union all select 'key', scope from customer.idempotency_record where char_length(scope) > 255
      union all select 'key', scope from interaction.idempotency_record where char_length(scope) > 255
      union all select 'key', scope from webhook.idempotency_record where char_length(scope) > 255`);
}
