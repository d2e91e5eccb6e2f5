import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { callerNames } from '@parley/contracts/method-access';
import { databaseServices, serviceNames } from '@parley/contracts/services';
import { temporaryFolder } from '@parley/testing/folders';
import { expect, test } from 'vitest';

const deploy = resolve(import.meta.dirname, '../../deploy');

/** Runs deploy/make-env in a folder of its own, on the given content of `.env`. Returns its output and the content. */
async function run(given?: string) {
  await using folder = await temporaryFolder('make-env');
  for (const name of ['make-env', 'services.sh']) await cp(join(deploy, name), join(folder.path, name));
  const file = join(folder.path, '.env');
  if (given !== undefined) await writeFile(file, given);
  const { stdout } = await promisify(execFile)('sh', [join(folder.path, 'make-env')]);
  const text = await readFile(file, 'utf8');
  const values = new Map(
    text.split('\n').map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]),
  );
  return { stdout, text, values, mode: (await stat(file)).mode & 0o777 };
}

/** Returns the names and digests of callers. */
function callersIn(values: ReadonlyMap<string, string>): Record<string, string> {
  const entries = values.get('RPC_CALLERS')?.split(',') ?? [];
  return Object.fromEntries(entries.map((entry) => entry.split(':')));
}

const full = await run();

const upper = (name: string): string => name.toUpperCase();
const tokenNameOf = (name: string): string =>
  name === 'cli' ? 'OPERATOR_TOKEN' : `${upper(name)}_RPC_TOKEN`;
const sha256 = (text = ''): string => createHash('sha256').update(text).digest('hex');
const withoutInsight = (text: string): string =>
  text.replace(/^\w*INSIGHT\w*=.*\n/gm, '').replace(/,insight:[0-9a-f]+/, '');

test('a new file has all passwords, tokens with their digests, and keys; only its owner can read it', () => {
  const { values, mode } = full;
  expect(mode).toBe(0o600);
  for (const name of databaseServices)
    expect(values.get(`${upper(name)}_PASSWORD`)).toMatch(/^[0-9a-f]{48}$/);
  for (const name of [...serviceNames, 'admin'])
    expect(values.get(`NATS_${upper(name)}_PASSWORD`)).toMatch(/^p[0-9a-f]{48}$/);
  const digests = callerNames.map((name) => [name, sha256(values.get(tokenNameOf(name)))]);
  expect(callersIn(values)).toEqual(Object.fromEntries(digests));
  expect(values.get('SESSION_KEYS')).toMatch(/^k1:.{44}$/);
});

test('a file with all secrets stays as it is', async () => {
  const { text } = full;
  expect(await run(text)).toMatchObject({ text, stdout: expect.stringContaining('is kept') });
});

test('a file of a release without a service gets its secrets, and keeps all others', async () => {
  const older = `${withoutInsight(full.text)}PORT=8080`;
  const { values, text, stdout } = await run(older);
  expect(stdout).toContain(': INSIGHT_PASSWORD INSIGHT_RPC_TOKEN RPC_CALLERS NATS_INSIGHT_PASSWORD\n');
  expect(callersIn(values)['insight']).toBe(sha256(values.get('INSIGHT_RPC_TOKEN')));
  expect(withoutInsight(text)).toBe(`${older}\n`);
});

test('a file with keys of all services in one gets no others: what they encrypt exists', async () => {
  const older = 'ENCRYPTION_KEYS=k1:of-all\nRPC_TOKEN=token-of-all\n';
  const { text } = await run(older);
  expect(text.startsWith(older)).toBe(true);
  expect(text.match(/\w+_KEYS=/g)).toEqual(['ENCRYPTION_KEYS=']);
});
