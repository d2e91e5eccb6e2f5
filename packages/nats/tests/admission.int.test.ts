import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openConnection } from '@parley/nats/connection';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/folders';
import { startPrivateNats } from '@parley/testing/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificate } from './certificate.ts';

const stack = new AsyncDisposableStack();
const files = { cert: '', key: '' };

beforeAll(async () => {
  const folder = stack.use(await temporaryFolder('certificate'));
  files.cert = join(folder.path, 'cert.pem');
  files.key = join(folder.path, 'key.pem');
  await Promise.all([writeFile(files.cert, certificate.cert), writeFile(files.key, certificate.key)]);
});

afterAll(async () => {
  await stack.disposeAsync();
});

const password = 'p@ss,word/%';
const user = ['--user', 'parley', '--pass', password];
const token = ['--auth', 'a-token'];
const parley = `parley:${encodeURIComponent(password)}`;

const as = (userinfo: string, url: string): string => url.replace('://', `://${userinfo}@`);
const secured = (url: string): string => url.replace(/^nats:\/\/[^:]+/, 'tls://localhost');
const startSecuredNats = () =>
  startPrivateNats({
    args: ['--tls', '--tlscert', files.cert, '--tlskey', files.key],
    files: Object.values(files),
  });

/** A process that connects, and its log. */
function startConnecting(url: string, more: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, NATS_URL: url, ...more };
  const file = fileURLToPath(new URL('./connecting.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return {
    /** The log so far. */
    output: (): string => output,
    /** Waits until that many lines contain the words. */
    says: (words: string, times = 1) =>
      eventually(() => expect(output.split(words).length - 1).toBeGreaterThanOrEqual(times)),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

test.each([
  ['user and password', user, parley],
  ['token', token, 'a-token'],
])(
  'a server that requires %s accepts a client with them, and they are not logged',
  async (_name, args, userinfo) => {
    await using nats = await startPrivateNats({ args });
    await using process = startConnecting(as(userinfo, nats.url));
    await process.says('a question answered');
    expect(process.output()).not.toContain(userinfo);
  },
);

test.each([
  ['no credentials', ''],
  ['a wrong password', 'parley:wrong-one@'],
  ['a token instead', 'wrong-one@'],
])('a client with %s gets repeated warnings', async (_name, userinfo) => {
  await using nats = await startPrivateNats({ args: user });
  await using process = startConnecting(nats.url.replace('://', `://${userinfo}`));
  await process.says('NATS refuses the credentials of NATS_URL', 3);
  expect(process.output()).not.toMatch(/answered|wrong-one/);
});

test('credentials that are later rejected cause repeated warnings', async () => {
  await using nats = await startPrivateNats({ args: user });
  await using other = await startPrivateNats({ args: token });
  await other.stop();
  await using process = startConnecting(`${as(parley, nats.url)},${as(parley, other.url)}`);
  await process.says('a question answered');
  await other.start();
  await nats.stop();
  await process.says('NATS refuses the credentials of NATS_URL', 3);
  expect(process.output().split('connection to NATS lost')).toHaveLength(2);
  await nats.start();
  await process.says('connected to NATS again');
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
  await using nats = await startSecuredNats();
  await using process = startConnecting(secured(nats.url), { NODE_EXTRA_CA_CERTS: files.cert });
  await process.says('a question answered');
});

test('a server whose certificate is not trusted is rejected, with repeated warnings', async () => {
  await using nats = await startSecuredNats();
  await using process = startConnecting(secured(nats.url));
  await process.says('self-signed certificate', 2);
  expect(process.output()).not.toContain('answered');
});

test('a server without TLS is rejected if TLS is required, with repeated warnings', async () => {
  await using nats = await startPrivateNats();
  await using process = startConnecting(secured(nats.url), { NODE_EXTRA_CA_CERTS: files.cert });
  await process.says("server does not support 'tls'", 2);
  expect(process.output()).not.toContain('answered');
});
