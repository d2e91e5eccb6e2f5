import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openConnection } from '@parley/nats/connection';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterAll, beforeAll, expect, test } from 'vitest';

const password = 'p@ss,word/%';
const user = ['--user', 'parley', '--pass', password];
const token = ['--auth', 'a-token'];
const parley = `parley:${encodeURIComponent(password)}`;

const as = (userinfo: string, url: string): string => url.replace('://', `://${userinfo}@`);
const secured = (url: string): string => url.replace(/^nats:\/\/[^:]+/, 'tls://localhost');

const stack = new AsyncDisposableStack();
/** Two servers of one client: the first demands a user and a password, the second a token. */
let first: PrivateNats;
let second: PrivateNats;
let clients: Clients;
/** Clients that trust the certificate of the server with TLS. */
let trusting: Clients;

/**
 * A certificate for `localhost`, its own issuer. For tests: the key is public. Created by `openssl req -x509
 * -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj "/CN=Test NATS" -addext
 * "subjectAltName=DNS:localhost"`.
 */
const certificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUPmFrzm9lSWeQzj06Tu80QgAUSRkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJVGVzdCBOQVRTMCAXDTI2MTEyMjEyMDgwNFoYDzIxMjYxMDI5
MTIwODA0WjAUMRIwEAYDVQQDDAlUZXN0IE5BVFMwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT5wRuc65kSLpaNmOO6WKWFpuXBHQ0wCvS8z+v6ESSc0PE97eEe2M+P
mFpp3goXpDmXCEZcg47cbs3zxtMZy2cvo2kwZzAdBgNVHQ4EFgQUozt9J80Kqaf5
+KMkbh3Z/KkrksEwHwYDVR0jBBgwFoAUozt9J80Kqaf5+KMkbh3Z/KkrksEwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgLrD8sDZBCz+8y+BjJCWI2xfCpQmXRujuDVDtr3R8k5ACIQDoVhn7m46K
g5ngBoCbLjBOEmLYYXSDbBM84FmRsiFSJA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgevl6cBxrd0utLB/q
JGvHzB7s+7IWHjyH3H5GvpVrc0KhRANCAAT5wRuc65kSLpaNmOO6WKWFpuXBHQ0w
CvS8z+v6ESSc0PE97eEe2M+PmFpp3goXpDmXCEZcg47cbs3zxtMZy2cv
-----END PRIVATE KEY-----
`,
};

beforeAll(async () => {
  const folder = stack.use(await temporaryFolder('certificate'));
  const files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') };
  await Promise.all([writeFile(files.cert, certificate.cert), writeFile(files.key, certificate.key)]);
  const start = async (args: string[] = []): Promise<PrivateNats> =>
    stack.use(await startPrivateNats({ args, files: Object.values(files) }));
  const tls = await start(['--tls', '--tlscert', files.cert, '--tlskey', files.key]);
  const plain = await start();
  const withUser = await start(user);
  const withToken = await start(token);
  first = await start(user);
  second = await start(token);
  await second.stop();
  clients = startClients({
    'user and password': as(parley, withUser.url),
    token: as('a-token', withToken.url),
    'no credentials': withUser.url,
    'a wrong password': as('parley:wrong-one', withUser.url),
    'a token instead': as('wrong-one', withUser.url),
    'two servers': `${as(parley, first.url)},${as(parley, second.url)}`,
    untrusting: secured(tls.url),
  });
  trusting = startClients(
    { trusting: secured(tls.url), 'demanding TLS': secured(plain.url) },
    { NODE_EXTRA_CA_CERTS: files.cert },
  );
});

afterAll(() => stack.disposeAsync());

interface Clients {
  /** The log of one of the clients so far. */
  logOf(name: string): string;
  /** Waits until that many lines of a client contain the words. */
  says(name: string, words: string, times?: number): Promise<void>;
}

/** Starts a process with a client for each URL. */
function startClients(urls: Record<string, string>, more: NodeJS.ProcessEnv = {}): Clients {
  const env = { ...process.env, CONNECTIONS: JSON.stringify(urls), ...more };
  const file = fileURLToPath(new URL('./connecting.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  stack.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const logOf = (name: string): string => {
    const lines = output.split('\n');
    return lines.filter((line) => line.includes(`"service":"${name}"`)).join('\n');
  };
  return {
    logOf,
    says: (name, words, times = 1) =>
      eventually(() => expect(logOf(name).split(words).length - 1).toBeGreaterThanOrEqual(times)),
  };
}

test.each([
  ['user and password', parley],
  ['token', 'a-token'],
])(
  'a server that requires %s accepts a client with them, and they are not logged',
  async (name, userinfo) => {
    await clients.says(name, 'a question answered');
    expect(clients.logOf(name)).not.toContain(userinfo);
  },
);

test.each(['no credentials', 'a wrong password', 'a token instead'])(
  'a client with %s gets repeated warnings',
  async (name) => {
    await clients.says(name, 'NATS refuses the credentials of NATS_URL', 3);
    expect(clients.logOf(name)).not.toMatch(/answered|wrong-one/);
  },
);

test('credentials that are later rejected cause repeated warnings', async () => {
  await clients.says('two servers', 'a question answered');
  await second.start();
  await first.stop();
  await clients.says('two servers', 'NATS refuses the credentials of NATS_URL', 3);
  expect(clients.logOf('two servers').split('connection to NATS lost')).toHaveLength(2);
  await first.start();
  await clients.says('two servers', 'reconnected to NATS');
});

test('a reconnect uses the newest credentials', async () => {
  await using former = await startPrivateNats({ args: ['--user', 'former', '--pass', 'secret'] });
  await using latter = await startPrivateNats({ args: ['--user', 'latter', '--pass', 'secret'] });
  let userinfo = 'former:secret';
  const url = (): string => `${as(userinfo, former.url)},${as(userinfo, latter.url)}`;
  const connection = stack.use(openConnection({ url, logger }));
  await connection.connecting;
  await former.stop();
  await eventually(() => expect(connection.isConnected()).toBe(false));
  userinfo = 'latter:secret';
  await eventually(() => expect(connection.isConnected()).toBe(true));
});

test('one of several servers suffices, even if it was unavailable at first', async () => {
  await using first = await startPrivateNats();
  await using second = await startPrivateNats();
  await first.stop();
  // The client tries them in random order.
  const connections = Array.from({ length: 5 }, () =>
    openConnection({ url: `${first.url},${second.url}`, logger }),
  );
  for (const connection of connections) stack.use(connection);
  const allConnected = () => connections.map((connection) => connection.isConnected());
  await Promise.all(connections.map(({ connecting }) => connecting));
  expect(allConnected()).not.toContain(false);
  await second.stop();
  await eventually(() => expect(allConnected()).not.toContain(true));
  await first.start();
  await eventually(() => expect(allConnected()).not.toContain(false));
});

test('TLS is used with a server whose certificate is trusted', async () => {
  await trusting.says('trusting', 'a question answered');
});

test('a server whose certificate is not trusted is rejected, with repeated warnings', async () => {
  await clients.says('untrusting', 'self-signed certificate', 2);
  expect(clients.logOf('untrusting')).not.toContain('answered');
});

test('a server without TLS is rejected if TLS is required, with repeated warnings', async () => {
  await trusting.says('demanding TLS', "server does not support 'tls'", 2);
  expect(trusting.logOf('demanding TLS')).not.toContain('answered');
});
