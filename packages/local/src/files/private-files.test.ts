import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePorts } from '../placement.ts';
import { StartError } from '../processes/program.ts';
import { ensureSecrets, ownerId } from './secrets.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-private-files-test-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

const readers: Record<string, () => Promise<unknown>> = {
  'ports.json': () => choosePorts(dataDir, 0, { replicas: {}, natsServers: 1 }, false),
  'secrets.json': () => ensureSecrets(dataDir),
};

test.each([
  ['ports.json', 'nonsense'],
  ['ports.json', '[1]'],
  ['ports.json', '{"postgres":"5432"}'],
  ['ports.json', '{"postgres":70000}'],
  ['secrets.json', '{"rpcToken":'],
  ['secrets.json', 'null'],
  ['secrets.json', '{}'],
  ['secrets.json', '{"rpcToken":"x","passwords":null}'],
])('%s with %s is rejected in a line with the file and advice', async (name, text) => {
  await writeFile(join(dataDir, name), text);
  const error = await readers[name]?.().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  const advice = name === 'ports.json' ? 'remove it' : 'bring it back, or give another --data-dir';
  expect((error as Error).message).toBe(
    `${join(dataDir, name)} does not hold what a run writes there; ${advice}`,
  );
});

test('secrets and the id of their owner are created once', async () => {
  const secrets = await ensureSecrets(dataDir);
  expect(await ensureSecrets(dataDir)).toEqual(secrets);
  expect(ownerId(secrets)).toMatch(/^[\w-]{16}$/);
  expect(ownerId({ ...secrets, operatorToken: 'another' })).not.toBe(ownerId(secrets));
});
