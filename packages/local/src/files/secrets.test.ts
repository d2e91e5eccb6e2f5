import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartError } from '../processes/program.ts';
import { ensureSecrets, type Secrets } from './secrets.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

const file = () => join(folder, 'secrets.json');
const stored = async () => JSON.parse(await readFile(file(), 'utf8')) as Secrets;
/** As a release without this secret has written them. */
async function writeWithout(name: keyof Secrets): Promise<Partial<Secrets>> {
  const { [name]: _, ...others } = await ensureSecrets(folder);
  await writeFile(file(), JSON.stringify(others));
  return others;
}

test('the secrets of a folder stay the same, and only its owner can read them', async () => {
  const secrets = await ensureSecrets(folder);
  expect(await ensureSecrets(folder)).toEqual(secrets);
  expect(await stored()).toEqual(secrets);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
});

test('a folder of an earlier release gets the keys that it lacks, once, and keeps its own', async () => {
  const others = await writeWithout('customerKeys');
  const secrets = await ensureSecrets(folder);
  expect(secrets).toEqual({ ...others, customerKeys: expect.stringMatching(/^k1:.{44}$/) });
  expect(await stored()).toEqual(secrets);
  expect(await ensureSecrets(folder)).toEqual(secrets);
});

test('a folder of a release with one user of NATS gets the key of the others', async () => {
  const others = await writeWithout('natsKey');
  expect(await ensureSecrets(folder)).toEqual({ ...others, natsKey: expect.stringMatching(/^.{43}$/) });
});

test('a folder of a release without a service gets the password of its role', async () => {
  const { passwords, ...others } = await ensureSecrets(folder);
  const { insight: _, ...kept } = passwords;
  await writeFile(file(), JSON.stringify({ ...others, passwords: kept }));
  const secrets = await ensureSecrets(folder);
  expect(secrets).toEqual({ ...others, passwords: { ...kept, insight: expect.stringMatching(/^.{43}$/) } });
  expect(await stored()).toEqual(secrets);
});

test('a folder without a secret that its data needs is refused', async () => {
  await writeWithout('webhookKeys');
  await expect(ensureSecrets(folder)).rejects.toThrow(StartError);
});
