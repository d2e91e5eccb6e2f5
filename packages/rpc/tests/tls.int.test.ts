import { appendFile, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as openTlsSocket } from 'node:tls';
import { createHash } from 'node:crypto';
import {
  Client,
  credentials,
  Metadata,
  Server,
  type ServerUnaryCall,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { type Authority, createAuthority } from '@parley/local/files/certificates';
import { callerMetadata } from '../src/trust/callers.ts';
import { connect } from '@parley/rpc/connect';
import { peerNamesOf } from '@parley/rpc/peer-names';
import { openTls, type RpcTls } from '@parley/rpc/tls';
import { ConfigError, type RpcTlsFiles } from '@parley/runtime/config/config';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { repeatedly } from '@parley/testing/repeatedly';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { chain } from './chain.ts';
import {
  anyone,
  asService,
  customer,
  type CustomerHandlers,
  held,
  startNetwork,
  streamRpc,
  tokens,
  workspaceId,
} from './peers.ts';

const forAll = new AsyncDisposableStack();
let folder: string;
let authority: Authority;
beforeAll(async () => {
  folder = forAll.use(await mkdtempDisposable(join(tmpdir(), 'tls-'))).path;
  authority = await createAuthority();
});
afterAll(() => forAll.disposeAsync());

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const echo: CustomerHandlers['getCustomer'] = async ({ id }) => customer(id);
const request = { workspaceId, id: 'a' };
const isUnavailable = { code: 'unavailable' };

/** Writes a certificate for `name` to files of that name. */
async function writeFiles(name: string, by = authority): Promise<RpcTlsFiles> {
  const { cert, key } = await by.issue(name);
  const at = (kind: string): string => join(folder, `${name}-${kind}.pem`);
  const files = { ca: at('ca'), cert: at('cert'), key: at('key') };
  await Promise.all([writeFile(files.ca, by.ca), writeFile(files.cert, cert), writeFile(files.key, key)]);
  return files;
}

/** Replaces certificate and key, and not the authority. */
async function writePair(files: RpcTlsFiles, name: string, by = authority): Promise<void> {
  const { cert, key } = await by.issue(name);
  await writeFile(files.key, key);
  await writeFile(files.cert, cert);
}

const use = (files: RpcTlsFiles, name: string, log = logger): RpcTls => {
  const tls = openTls(files, name, log);
  if (!tls) throw new Error('there are no files');
  return stack.use(tls);
};
const tlsOf = async (name: string, by?: Authority): Promise<RpcTls> => use(await writeFiles(name, by), name);

const serveCustomers = async (tls: RpcTls, getCustomer = echo) =>
  stack.use(await streamRpc.serve({ getCustomer }, { tls }));

type ConnectOptions = Parameters<typeof connect>[1];

const clientOf = (address: string, options: Partial<ConnectOptions> = {}) =>
  stack.use(connect(address, { ...asService, ...options })).client(CustomerServiceService);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns the status of a unary call, as tools make it. */
function unaryStatus(
  address: string,
  by: RpcTls,
  metadata = callerMetadata(asService.token, asService.caller),
): Promise<status> {
  const { service, credentials: channel } = by.to('customer');
  const client = new Client(address, channel, { 'grpc.ssl_target_name_override': service });
  stack.defer(() => client.close());
  const { path, requestSerialize, responseDeserialize } = CustomerServiceService.getCustomer;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, (error) =>
      resolve(error?.code ?? status.OK),
    );
  });
}

/** Returns the serial number of the certificate that a server shows. */
async function serialNumberOf(address: string): Promise<string> {
  const [host = '', port] = address.split(':');
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const socket = openTlsSocket({ host, port: Number(port), rejectUnauthorized: false }, resolve).on(
    'error',
    reject,
  );
  await connected;
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

test('a client with a certificate of the authority calls the service that it wants', async () => {
  const server = await serveCustomers(await tlsOf('customer'));
  const caller = await tlsOf('interaction');
  const client = clientOf(server.address, { tls: caller.to('customer') });
  await expect(client.getCustomer(request, anyone)).resolves.toEqual(customer('a'));
});

test('a client rejects a server whose certificate is for another service', async () => {
  const server = await serveCustomers(await tlsOf('customer'));
  const caller = await tlsOf('interaction');
  const client = clientOf(server.address, { tls: caller.to('identity') });
  await expect(client.getCustomer(request, anyone)).rejects.toMatchObject({
    ...isUnavailable,
    cause: { cause: { message: expect.stringContaining('is for customer, not for identity') } },
  });
});

test('a server refuses plain text, clients without a certificate and those of another authority', async () => {
  const server = await serveCustomers(await tlsOf('customer'));
  await expect(clientOf(server.address).getCustomer(request, anyone)).rejects.toMatchObject(isUnavailable);
  const anonymous = {
    service: 'customer',
    credentials: credentials.createSsl(Buffer.from(authority.ca), null, null, {
      checkServerIdentity: () => undefined,
    }),
  };
  const unnamed = clientOf(server.address, { tls: anonymous });
  await expect(unnamed.getCustomer(request, anyone)).rejects.toMatchObject(isUnavailable);
  const other = await createAuthority();
  const { cert, key } = await other.issue('interaction');
  const foreign = clientOf(server.address, {
    tls: {
      service: 'customer',
      credentials: credentials.createSsl(Buffer.from(authority.ca), Buffer.from(key), Buffer.from(cert), {
        checkServerIdentity: () => undefined,
      }),
    },
  });
  await expect(foreign.getCustomer(request, anyone)).rejects.toMatchObject(isUnavailable);
});

test('a caller whose certificate lacks the name of its token or metadata is refused', async () => {
  const own = { ...tokens, callers: new Map([[sha256(tokens.service), 'interaction' as const]]) };
  const tls = await tlsOf('customer');
  const shared = stack.use(await streamRpc.serve({ getCustomer: echo }, { tls }));
  const named = stack.use(await streamRpc.serve({ getCustomer: echo }, { tls, tokens: own }));
  const [interaction, webhook, cli] = [
    await tlsOf('interaction'),
    await tlsOf('webhook'),
    await tlsOf('cli'),
  ];
  const refused = { code: 'unauthenticated', type: 'unauthenticated' };
  const operator = { token: tokens.operator, caller: undefined };
  for (const { address } of [shared, named]) {
    const get = (by: RpcTls, options: Partial<ConnectOptions> = {}) =>
      clientOf(address, { tls: by.to('customer'), ...options }).getCustomer(request, anyone);
    await expect(get(interaction)).resolves.toEqual(customer('a'));
    await expect(get(webhook)).rejects.toMatchObject(refused);
    await expect(get(cli)).rejects.toMatchObject(refused);
    await expect(get(interaction, operator)).rejects.toMatchObject(refused);
    // The operator may not call the method, but is known.
    await expect(get(cli, operator)).rejects.toMatchObject({ type: 'caller-not-allowed' });
    await expect(unaryStatus(address, interaction)).resolves.toBe(status.OK);
    await expect(unaryStatus(address, webhook)).resolves.toBe(status.UNAUTHENTICATED);
  }
});

test('where certificates are enough, a caller without a token has the name that it states and its certificate has', async () => {
  const tls = await tlsOf('customer');
  const [interaction, webhook, cli] = [
    await tlsOf('interaction'),
    await tlsOf('webhook'),
    await tlsOf('cli'),
  ];
  const certificate = 'certificate';
  const refused = { code: 'unauthenticated', type: 'unauthenticated' };
  const serveWith = async (service: string, by?: RpcTls) =>
    stack.use(await streamRpc.serve({ getCustomer: echo }, { tls: by, tokens: { ...tokens, service } }));
  const get = (address: string, by: RpcTls | undefined, options: Partial<ConnectOptions> = {}) =>
    clientOf(address, { tls: by?.to('customer'), token: certificate, ...options }).getCustomer(
      request,
      anyone,
    );
  // The second accepts tokens too, while callers change.
  for (const service of [certificate, `${tokens.service},${certificate}`]) {
    const { address } = await serveWith(service, tls);
    await expect(get(address, interaction)).resolves.toEqual(customer('a'));
    await expect(get(address, webhook)).rejects.toMatchObject(refused);
    await expect(get(address, interaction, { caller: undefined })).rejects.toMatchObject(refused);
    await expect(get(address, cli, { caller: undefined })).rejects.toMatchObject({
      type: 'caller-not-allowed',
    });
    // A wrong token stays wrong, and the word is no token.
    await expect(get(address, interaction, { token: 'x'.repeat(16) })).rejects.toMatchObject(refused);
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${certificate}`);
    metadata.set('x-parley-caller', 'interaction');
    await expect(unaryStatus(address, interaction, metadata)).resolves.toBe(status.UNAUTHENTICATED);
  }
  const mixed = await serveWith(`${tokens.service},${certificate}`, tls);
  await expect(get(mixed.address, interaction, { token: tokens.service })).resolves.toEqual(customer('a'));
  const withTokens = await serveWith(tokens.service, tls);
  await expect(get(withTokens.address, interaction)).rejects.toMatchObject(refused);
  const plain = await serveWith(certificate);
  await expect(get(plain.address, undefined)).rejects.toMatchObject(refused);
});

test('a server knows the names in the certificate of its caller', async () => {
  const server = new Server();
  const names = Promise.withResolvers<string[] | undefined>();
  const getCustomer = (call: ServerUnaryCall<unknown, unknown>, reply: sendUnaryData<unknown>): void => {
    names.resolve(peerNamesOf(call));
    reply(null, customer('a'));
  };
  server.addService({ getCustomer: CustomerServiceService.getCustomer }, { getCustomer });
  const { promise: bound, resolve } = Promise.withResolvers<number>();
  server.bindAsync('127.0.0.1:0', (await tlsOf('customer')).server, (_, port) => resolve(port));
  const address = `127.0.0.1:${await bound}`;
  stack.defer(() => server.forceShutdown());
  await unaryStatus(address, await tlsOf('gateway'));
  expect(await names.promise).toEqual(['gateway']);
});

test('replaced files are used without a failed call, and unfitting ones are not used', async () => {
  const files = await writeFiles('customer');
  const warnings: string[] = [];
  const noting = { ...logger, warn: ({ err }: { err: Error }) => warnings.push(err.message) };
  const server = await serveCustomers(use(files, 'customer', noting));
  const callerFiles = await writeFiles('interaction');
  const tls = use(callerFiles, 'interaction').to('customer');
  const { getCustomer } = clientOf(server.address, { tls, connectionMsMax: 200 });
  await using calling = repeatedly(() => getCustomer(request, anyone));

  const first = await serialNumberOf(server.address);
  await writeFile(files.key, (await authority.issue('customer')).key);
  await writeFiles('interaction');
  await writeFiles('customer');
  const second = await eventually(async () => {
    const shown = await serialNumberOf(server.address);
    expect(shown).not.toBe(first);
    return shown;
  });
  const expired = await authority.issue('customer', { from: new Date(0), to: new Date(1_000) });
  await writeFile(files.cert, expired.cert);
  await writeFile(files.key, expired.key);
  await eventually(() => expect(warnings.at(-1)).toMatch(/the certificate has expired/));
  expect(await serialNumberOf(server.address)).toBe(second);
  await calling.stop();
});

test.each<[string, (files: RpcTlsFiles) => Promise<unknown>, RegExp]>([
  ['of another service', (files) => writePair(files, 'webhook'), /is for webhook, not for customer/],
  [
    'of another authority',
    async (files) => writePair(files, 'customer', await createAuthority()),
    /no authority .* has signed/,
  ],
])(
  'a changed pair %s is not used: the last good one stays, and a good one is used later',
  async (...[, spoil, message]) => {
    const files = await writeFiles('customer');
    const warnings: string[] = [];
    const noting = { ...logger, warn: ({ err }: { err: Error }) => warnings.push(err.message) };
    const server = await serveCustomers(use(files, 'customer', noting));
    const first = await serialNumberOf(server.address);
    await spoil(files);
    await eventually(() => expect(warnings.at(-1)).toMatch(message));
    expect(await serialNumberOf(server.address)).toBe(first);
    await writePair(files, 'customer');
    await eventually(async () => expect(await serialNumberOf(server.address)).not.toBe(first));
  },
);

test('a connection with a former certificate is replaced within seconds, and no call fails', async () => {
  const server = await serveCustomers(await tlsOf('customer'));
  const network = stack.use(await startNetwork(server.address));
  const files = await writeFiles('interaction');
  const { getCustomer } = clientOf(network.address, { tls: use(files, 'interaction').to('customer') });
  await getCustomer(request, anyone);
  expect(network.connections()).toBe(1);
  await writePair(files, 'interaction');
  await eventually(async () => {
    await getCustomer(request, anyone);
    expect([network.connections(), network.openConnections()]).toEqual([2, 1]);
  });
});

test('a certificate that an intermediate authority has signed is used with its chain', async () => {
  const files = await writeFiles('customer');
  await writeFile(files.ca, chain.root);
  await writeFile(files.key, chain.leafKey);
  await writeFile(files.cert, chain.leaf);
  expect(() => openTls(files, 'customer', logger)).toThrow(/no authority .* has signed/);
  // Only an authority that has signed itself ends a chain.
  await writeFile(files.ca, chain.intermediate);
  expect(() => openTls(files, 'customer', logger)).toThrow(/no authority .* has signed/);
  await writeFile(files.ca, chain.root);
  await writeFile(files.cert, `${chain.leaf}\n${chain.intermediate}`);
  const tls = use(files, 'customer');
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }, { tls }));
  await expect(unaryStatus(server.address, tls)).resolves.toBe(status.UNAUTHENTICATED);
});

test('a connection is replaced by a new one when it is old, and no call is lost', async () => {
  const { getCustomer: wait, release, begun } = held();
  const tls = await tlsOf('customer');
  const server = await serveCustomers(tls, (call, context) =>
    call.id === 'held' ? wait(call, context) : echo(call, context),
  );
  const network = stack.use(await startNetwork(server.address));
  const client = clientOf(network.address, {
    tls: (await tlsOf('interaction')).to('customer'),
    connectionMsMax: 100,
    timeoutMs: 60_000,
  });
  const waiting = client.getCustomer({ workspaceId, id: 'held' }, anyone);
  await eventually(() => expect(begun).toEqual(['held']));
  await eventually(async () => {
    await client.getCustomer(request, anyone);
    expect(network.connections()).toBeGreaterThan(5);
  });
  // The predecessors without calls are closed.
  await eventually(() => expect(network.openConnections()).toBeLessThanOrEqual(3));
  release();
  await expect(waiting).resolves.toEqual(customer('held'));
});

const spoiled = '\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

test.each<[string, (files: RpcTlsFiles) => Promise<void>, RegExp]>([
  [
    'a key of another certificate',
    async ({ key }) => writeFile(key, (await authority.issue('x')).key),
    /not that of/,
  ],
  ['a missing file', async (files) => void (files.cert = join(folder, 'nowhere')), /ENOENT/],
  ['no certificate', async ({ ca }) => writeFile(ca, 'nothing'), /an authority is no certificate/],
  [
    'a second authority that is none',
    async ({ ca }) => appendFile(ca, spoiled),
    /an authority is no certificate/,
  ],
  [
    'a certificate of another service',
    (files) => writePair(files, 'webhook'),
    /is for webhook, not for identity/,
  ],
  [
    'a certificate of another authority',
    async (files) => writePair(files, 'identity', await createAuthority()),
    /no authority .* has signed/,
  ],
  ['a chain that is none', async ({ cert }) => appendFile(cert, spoiled), /the chain .* is unreadable/],
])('%s at the start is an error of the configuration', async (_name, spoil, message) => {
  const files = await writeFiles('identity');
  await spoil(files);
  const open = (): unknown => openTls(files, 'identity', logger);
  expect(open).toThrow(ConfigError);
  expect(open).toThrow(message);
});

test('a certificate for servers alone is an error of the configuration', async () => {
  const files = await writeFiles('customer');
  await writeFile(files.ca, chain.root);
  await writeFile(files.key, chain.serverOnlyKey);
  await writeFile(files.cert, chain.serverOnly);
  expect(() => openTls(files, 'customer', logger)).toThrow(/is not for clients/);
});
