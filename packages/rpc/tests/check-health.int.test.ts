import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthority } from '@parley/local/files/certificates';
import { serve } from '@parley/rpc/serve';
import { openTls } from '@parley/rpc/tls';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';
import { tokens } from './peers.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Runs the health check of containers as the images do. Returns its exit code. */
const checkHealth = (args: string[], more: NodeJS.ProcessEnv = {}): Promise<number | null> =>
  new Promise((settle) => {
    const script = join(root, 'packages/rpc/src/check-health.mjs');
    const env = { ...process.env, ...more };
    const child = execFile(process.execPath, [script, ...args], { env }, () => settle(child.exitCode));
  });

test('the health check of containers succeeds only if the service is ready', async () => {
  let isReady = true;
  const server = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [],
    tokens,
    logger,
    isReady: async () => isReady,
  });
  const [, port = ''] = server.address.split(':');
  expect(await checkHealth([port])).toBe(0);
  isReady = false;
  expect(await checkHealth([port])).toBe(1);
  expect(await checkHealth([port, 'process'])).toBe(0);
  await server[Symbol.asyncDispose]();
  expect(await checkHealth([port])).toBe(1);
});

test('where the service uses TLS, the health check succeeds whatever the files have become', async () => {
  let isReady = true;
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'health-')));
  const authority = await createAuthority();
  const { cert, key } = await authority.issue('customer');
  const files = { ca: join(path, 'ca.pem'), cert: join(path, 'cert.pem'), key: join(path, 'key.pem') };
  await Promise.all([
    writeFile(files.ca, authority.ca),
    writeFile(files.cert, cert),
    writeFile(files.key, key),
  ]);
  const tls = stack.use(openTls(files, 'customer', logger));
  const listen = { host: '127.0.0.1', port: 0 };
  const server = stack.use(
    await serve({ listen, services: [], tokens, tls, logger, isReady: async () => isReady }),
  );
  const [, port = ''] = server.address.split(':');
  expect(await checkHealth([port])).toBe(1);
  const env = { RPC_TLS_CA_FILE: files.ca, RPC_TLS_CERT_FILE: files.cert, RPC_TLS_KEY_FILE: files.key };
  expect(await checkHealth([port], env)).toBe(0);
  expect(await checkHealth([port, 'process'], env)).toBe(0);
  // The process keeps its last good pair, so that files that it does not use must not end it.
  const other = await (await createAuthority()).issue('customer');
  for (const [file, text] of [
    [files.cert, other.cert],
    [files.key, other.key],
    [files.cert, ''],
  ] as const) {
    await writeFile(file, text);
    expect(await checkHealth([port], env)).toBe(0);
    expect(await checkHealth([port, 'process'], env)).toBe(0);
  }
  isReady = false;
  expect(await checkHealth([port], env)).toBe(1);
});
