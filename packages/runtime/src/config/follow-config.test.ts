import { mkdtempDisposable, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { ConfigError, loadConfig, serviceVariables } from './config.ts';
import { followConfig } from './follow-config.ts';
import { keyring } from './keyring.ts';
import { rpcTokens } from './rpc-tokens.ts';

const schema = z
  .object({
    RPC_TOKEN: rpcTokens,
    RPC_CALLERS: serviceVariables.RPC_CALLERS,
    ENCRYPTION_KEYS: keyring,
    LISTEN: z.string().default('here'),
  })
  .transform((env) => ({
    tokens: { service: env.RPC_TOKEN, callers: env.RPC_CALLERS },
    keys: env.ENCRYPTION_KEYS,
    listen: env.LISTEN,
  }));
const read = (env: NodeJS.ProcessEnv) => loadConfig(schema, env);
const [first, second] = ['the-first-token-of-a-test', 'the-second-token-of-a-test'];
const ring = (...kids: string[]): string =>
  kids.map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`).join(',');

let stack: AsyncDisposableStack;
let folder: string;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'settings-'))).path;
});
afterEach(() => stack.disposeAsync());

/** Replaces a file at once, so that it is never read while it is empty. */
const write = async (name: string, content: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
  return path;
};

/** Follows the files, and returns the configuration and its log. */
function follow(env: NodeJS.ProcessEnv) {
  const lines: [level: string, fields: { setting: string; err?: Error }][] = [];
  const logger = {
    info: (fields: never) => lines.push(['info', fields]),
    warn: (fields: never) => lines.push(['warn', fields]),
    debug: () => {},
  };
  const config = read(env);
  stack.use(followConfig(config, read, env, logger as never));
  return { config, lines };
}

const soon = { timeout: 60_000 };

test('a secret can be a file, whose final line break does not count', async () => {
  const RPC_TOKEN_FILE = await write('token', `${first}\n`);
  const config = read({
    RPC_TOKEN_FILE,
    RPC_TOKEN: '',
    ENCRYPTION_KEYS: ring('a'),
    ENCRYPTION_KEYS_FILE: '',
  });
  expect(config.tokens.service).toBe(first);
});

test('a variable beside its file, and a missing file, are faults that name the variable once', async () => {
  const ENCRYPTION_KEYS_FILE = join(folder, 'nowhere');
  const env = { RPC_TOKEN: first, RPC_TOKEN_FILE: await write('token', second), ENCRYPTION_KEYS_FILE };
  const load = (): unknown => read(env);
  expect(load).toThrow(ConfigError);
  expect(load).toThrow(
    /^the environment is not valid:\n {2}RPC_TOKEN_FILE: must not be set together with RPC_TOKEN\n {2}ENCRYPTION_KEYS_FILE: names a file that cannot be read \(ENOENT\)$/,
  );
});

test('a secret in a file that is not valid is a fault of the secret', async () => {
  const RPC_TOKEN_FILE = await write('token', 'short');
  expect(() => read({ RPC_TOKEN_FILE, ENCRYPTION_KEYS: ring('a') })).toThrow(/ {2}RPC_TOKEN: must be tokens/);
});

test('changed files replace tokens and keys inside of the configuration', async () => {
  const env = {
    RPC_TOKEN_FILE: await write('token', first),
    ENCRYPTION_KEYS_FILE: await write('keys', ring('a')),
  };
  const { config } = follow(env);
  const { tokens, keys } = config;
  await write('token', second);
  await write('keys', ring('b', 'a'));
  await vi.waitFor(() => {
    expect(tokens.service).toBe(second);
    expect([keys.current.id, ...keys.keys.keys()]).toEqual(['b', 'b', 'a']);
  }, soon);
});

test('a changed list of callers replaces the one in use, also with two tokens of a caller', async () => {
  const [old, fresh] = ['a'.repeat(64), 'b'.repeat(64)];
  const RPC_CALLERS_FILE = await write('callers', `gateway:${old}`);
  const { config } = follow({ RPC_CALLERS_FILE, RPC_TOKEN: first, ENCRYPTION_KEYS: ring('a') });
  const { tokens } = config;
  await write('callers', `gateway:${old},gateway:${fresh}`);
  await vi.waitFor(
    () =>
      expect([...(tokens.callers ?? [])]).toEqual([
        [old, 'gateway'],
        [fresh, 'gateway'],
      ]),
    soon,
  );
});

test.each([
  ['gateway', /RPC_CALLERS: entry 1 is not NAME:SHA256/],
  [`gateway:${'a'.repeat(64)},`, /entry 2 is not NAME:SHA256/],
  [`gateway:${'A'.repeat(64)}`, /entry 1 is not/],
  [`gateway:${'a'.repeat(64)}, webhook:${'a'.repeat(64)}`, /entry 2 has the token of an entry before it/],
])('%j names no callers', (RPC_CALLERS, fault) => {
  expect(() => read({ RPC_CALLERS, RPC_TOKEN: first, ENCRYPTION_KEYS: ring('a') })).toThrow(fault);
});

test('a caller that only a later release knows is left out, so that this one can be rolled back to', () => {
  const RPC_CALLERS = `gateway:${'a'.repeat(64)},later:${'b'.repeat(64)}`;
  const { tokens } = read({ RPC_CALLERS, RPC_TOKEN: first, ENCRYPTION_KEYS: ring('a') });
  expect([...(tokens.callers ?? [])]).toEqual([['a'.repeat(64), 'gateway']]);
});

test('a file that is emptied keeps the last good value, also of an optional setting', async () => {
  const RPC_CALLERS_FILE = await write('callers', `gateway:${'a'.repeat(64)}`);
  const { config, lines } = follow({ RPC_CALLERS_FILE, RPC_TOKEN: first, ENCRYPTION_KEYS: ring('a') });
  await write('callers', '');
  await vi.waitFor(() => expect(lines.map(([level]) => level)).toEqual(['warn']), soon);
  expect(config.tokens.callers?.size).toBe(1);
});

test('a bad file keeps the last good value and is logged once, and another file still changes', async () => {
  const env = {
    RPC_TOKEN_FILE: await write('token', first),
    ENCRYPTION_KEYS_FILE: await write('keys', ring('a')),
  };
  const { config, lines } = follow(env);
  await write('token', 'short');
  await vi.waitFor(() => expect(lines.map(([level]) => level)).toEqual(['warn']), soon);
  await write('keys', ring('b'));
  await vi.waitFor(() => expect(config.keys.current.id).toBe('b'), soon);
  expect(config.tokens.service).toBe(first);
  await rm(env.RPC_TOKEN_FILE);
  await vi.waitFor(() => expect(lines.map(([level]) => level)).toEqual(['warn', 'info', 'warn']), soon);
  await write('token', second);
  await vi.waitFor(() => expect(config.tokens.service).toBe(second), soon);
  expect(lines.map(([level, { setting }]) => [level, setting])).toEqual([
    ['warn', 'RPC_TOKEN'],
    ['info', 'ENCRYPTION_KEYS'],
    ['warn', 'RPC_TOKEN'],
    ['info', 'RPC_TOKEN'],
  ]);
  expect(String(lines[0]?.[1].err)).not.toContain('short');
});

test('a folder that is replaced behind a symbolic link, as Kubernetes does, is noticed', async () => {
  const at = (name: string): string => join(folder, name);
  for (const [version, token] of [
    ['v1', first],
    ['v2', second],
  ] as const) {
    await write(version, token);
  }
  await symlink('v1', at('data'));
  const { config } = follow({ RPC_TOKEN_FILE: at('data'), ENCRYPTION_KEYS: ring('a') });
  await symlink('v2', at('next'));
  await rename(at('next'), at('data'));
  await vi.waitFor(() => expect(config.tokens.service).toBe(second), soon);
});
