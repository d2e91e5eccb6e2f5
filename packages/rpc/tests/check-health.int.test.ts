import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { serve } from '@parley/rpc/serve';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';
import { tokens } from './peers.ts';

const root = resolve(import.meta.dirname, '../../..');

/** Runs the health check of containers as the images do. Returns its exit code. */
const checkHealth = (port: string): Promise<number | null> =>
  new Promise((settle) => {
    const script = join(root, 'packages/rpc/src/check-health.mjs');
    const child = execFile(process.execPath, [script, port], () => settle(child.exitCode));
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
  expect(await checkHealth(port)).toBe(0);
  isReady = false;
  expect(await checkHealth(port)).toBe(1);
  await server[Symbol.asyncDispose]();
  expect(await checkHealth(port)).toBe(1);
});
