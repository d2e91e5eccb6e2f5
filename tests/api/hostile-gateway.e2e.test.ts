import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { ErrorInfo } from '@parley/contracts/error-details';
import { IdentityAdminServiceService, IdentityServiceService } from '@parley/contracts/identity/v1/identity';
import { type CallerName, callerNames, methodAccess } from '@parley/contracts/method-access';
import { Status } from '@parley/contracts/status';
import { tokenOf, ensureSecrets, type Secrets } from '@parley/local/files/secrets';
import { connect } from '@parley/rpc/connect';
import { createGrantSigner, keyGrantSeconds } from '@parley/rpc/grants';
import { keyring } from '@parley/runtime/config/keyring';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hostileRequests, type Rpc, rpcsOf } from './hostile-requests.ts';

// What somebody can do who has the token of a service, and nothing else.

const operator = inject('operator');
const call = { requestId: 'hostile' };
const stack = new AsyncDisposableStack();
const clients = new Map<string, Client>();
let secrets: Secrets;
/** A workspace whose key the gateway has seen, and one of somebody else. */
let seen: TestWorkspace;
let other: TestWorkspace;
let rpcs: Rpc[];
/** The grant of the key of `seen`. */
let grant: string;

beforeAll(async () => {
  secrets = await ensureSecrets(inject('dataDir'));
  seen = await createWorkspace(inject('local').baseUrl, operator);
  other = await createWorkspace(inject('local').baseUrl, operator);
  rpcs = await rpcsOf();
  ({ grant } = await identity().authenticate({ ...keyOf(seen), holder: '' }, call));
});
afterAll(async () => {
  for (const client of clients.values()) client.close();
  await stack.disposeAsync();
});

const keyOf = ({ apiKey, apiSecret }: TestWorkspace) => ({ apiKey, apiSecret });
const identity = () =>
  stack
    .use(connect(operator.identity, { token: tokenOf(secrets, 'gateway') }))
    .client(IdentityServiceService);

/** Makes a well-formed call. Returns the status, and the type of the error. */
async function attempt(rpc: Rpc, caller: CallerName, workspaceId: string, given?: string): Promise<string> {
  const id = () => workspaceId;
  const [good] = hostileRequests(rpc, { workspaceId: id, workspaceIds: id, customerId: () => 'c' });
  const [, owner = ''] = rpc.packageName.split('.');
  // Every process says its state; several services have a log of events, and one of changes.
  const isShared = ['process', 'events', 'audit'].includes(owner);
  const address = operator[isShared ? 'interaction' : (owner as 'identity')];
  const client = clients.get(address) ?? new Client(address, credentials.createInsecure());
  clients.set(address, client);
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${tokenOf(secrets, caller)}`);
  if (given !== undefined) metadata.set('x-parley-grant', given);
  const same = (value: Buffer): Buffer => value;
  const { promise, resolve } = Promise.withResolvers<ServiceError | null>();
  const options = { deadline: Date.now() + 60_000 };
  const bytes = good?.bytes ?? Buffer.alloc(0);
  client.makeUnaryRequest(rpc.path, same, same, bytes, metadata, options, resolve);
  const error = await promise;
  return error ? `${status[error.code]} ${typeOf(error)}` : 'OK';
}

function typeOf({ metadata }: ServiceError): string {
  const [full] = metadata.get('grpc-status-details-bin');
  const [info] = full instanceof Buffer ? Status.decode(full).details : [];
  return info ? (ErrorInfo.decode(info.value).metadata['type'] ?? '') : '';
}

/** The methods of the gateway that read or write what belongs to a workspace. */
const guarded = (): Rpc[] =>
  rpcs.filter(({ path }) => {
    const access = methodAccess.get(path);
    return access?.callers.includes('gateway') && access.grant !== 'none';
  });

test('no service can call a method that is not for it', async () => {
  for (const caller of callerNames.filter((name) => name !== 'cli')) {
    const foreign = rpcs.filter(({ path }) => !methodAccess.get(path)?.callers.includes(caller));
    const answers = await Promise.all(foreign.map((rpc) => attempt(rpc, caller, other.id, grant)));
    expect(answers.length).toBeGreaterThan(15);
    expect(new Set(answers), caller).toEqual(new Set(['PERMISSION_DENIED caller-not-allowed']));
  }
});

test('a gateway touches no workspace without a live credential of it', async () => {
  const [payload = '', signature = ''] = grant.split('.');
  const own = createGrantSigner(keyring.parse(secrets.sessionKeys));
  const holder = { $case: 'apiKey', value: other.apiKey } as const;
  const grants = [
    undefined,
    '',
    grant,
    `${payload}.${'A'.repeat(signature.length)}`,
    own.issue({ workspaceIds: [other.id], holder }, keyGrantSeconds),
    // One that identity signed long ago.
    createGrantSigner(keyring.parse(secrets.identityKeys)).issue({ workspaceIds: [other.id], holder }, -120),
  ];
  for (const given of grants) {
    const answers = await Promise.all(guarded().map((rpc) => attempt(rpc, 'gateway', other.id, given)));
    expect(answers.length).toBeGreaterThan(50);
    expect(new Set(answers), given).toEqual(new Set(['PERMISSION_DENIED no-grant']));
  }
});

test('a gateway works for the workspace of a credential that it has seen', async () => {
  const rpc = rpcs.find(({ name }) => name === 'MintCustomerToken');
  expect(rpc && (await attempt(rpc, 'gateway', seen.id, grant))).toBe('OK');
});

test('a gateway can do no more with a session of the portal than its operations need', async () => {
  const holder = { $case: 'portalLinkId', value: seen.id } as const;
  const signer = createGrantSigner(keyring.parse(secrets.identityKeys));
  const ofPortal = signer.issue({ workspaceIds: [seen.id], holder }, keyGrantSeconds);
  const isOpen = ({ path }: Rpc): boolean => methodAccess.get(path)?.grant === 'portal';
  const answersOf = (tried: Rpc[], given = ofPortal): Promise<string[]> =>
    Promise.all(tried.map((rpc) => attempt(rpc, 'gateway', seen.id, given)));
  const others = await answersOf(guarded().filter((rpc) => !isOpen(rpc)));
  expect(others.length).toBeGreaterThan(40);
  expect(new Set(others)).toEqual(new Set(['PERMISSION_DENIED no-grant']));
  expect(await answersOf(guarded().filter(isOpen))).not.toContain('PERMISSION_DENIED no-grant');
  // A link with webhookIds calls for these webhooks only.
  const webhookIds = [other.id];
  const limited = signer.issue({ workspaceIds: [seen.id], holder, webhookIds }, keyGrantSeconds);
  const aboutWebhooks = guarded().filter((rpc) => isOpen(rpc) && rpc.packageName === 'parley.webhook.v1');
  expect(aboutWebhooks.length).toBeGreaterThan(15);
  expect(new Set(await answersOf(aboutWebhooks, limited))).toEqual(new Set(['PERMISSION_DENIED no-grant']));
});

test('a key rotates no other key, even of its own workspace', async () => {
  using peer = connect(operator.identity, { token: operator.operatorToken });
  const admin = peer.client(IdentityAdminServiceService);
  const { apiKey } = await admin.createKey(
    { workspaceId: seen.id, accessIds: [], scopes: [], expiresAt: null },
    call,
  );
  const rotated = identity().rotateSecret({ workspaceId: seen.id, apiKey, version: 1 }, { ...call, grant });
  await expect(rotated).rejects.toMatchObject({ type: 'no-grant' });
});

test('the grant of a customer opens nothing but the conversations of this customer', async () => {
  await seen.client.customers.create({ id: 'c' });
  const minted = await seen.client.customers.createToken('c');
  const { customerToken: token } = minted;
  const verified = await identity().verifyCustomerToken({ workspaceId: seen.id, token }, call);
  const answers = await Promise.all(
    guarded().map(async (rpc) => [rpc.name, await attempt(rpc, 'gateway', seen.id, verified.grant)]),
  );
  const opened = answers
    .filter(([, answer]) => answer !== 'PERMISSION_DENIED no-grant')
    .map(([name]) => name);
  const ofSessions = [
    'GetConversation',
    'GetFence',
    'GetPending',
    'PostMessage',
    'PreviewConversation',
    'StartConversation',
  ];
  expect(new Set(opened)).toEqual(new Set(ofSessions));
});

test('a revoked key gets no grant any more', async () => {
  using peer = connect(operator.identity, { token: operator.operatorToken });
  const made = await createWorkspace(inject('local').baseUrl, operator);
  await identity().authenticate({ ...keyOf(made), holder: '' }, call);
  await peer.client(IdentityAdminServiceService).revokeKey({ apiKey: made.apiKey }, call);
  const again = identity().authenticate({ ...keyOf(made), holder: '' }, call);
  await expect(again).rejects.toMatchObject({ code: 'unauthenticated' });
});
