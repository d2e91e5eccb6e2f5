import { X509Certificate } from 'node:crypto';
import { mkdtempDisposable, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificateFiles } from './certificate-files.ts';
import { createAuthority, ensureCertificates } from './certificates.ts';

test('a data folder keeps its certificates until one is missing, foreign or old', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'certificates-'));
  const files = certificateFiles(folder.path, 'gateway');
  const renewed = async (): Promise<boolean> => {
    const before = await readFile(files.ca, 'utf8').catch(() => '');
    await ensureCertificates(folder.path);
    return (await readFile(files.ca, 'utf8')) !== before;
  };
  expect(await renewed()).toBe(true);
  expect(await renewed()).toBe(false);
  const own = new X509Certificate(await readFile(files.cert));
  expect(own.verify(new X509Certificate(await readFile(files.ca)).publicKey)).toBe(true);
  expect(own.subjectAltName).toBe('DNS:gateway');
  expect((await stat(files.key)).mode & 0o777).toBe(0o600);

  await rm(files.key);
  expect(await renewed()).toBe(true);
  const other = await createAuthority();
  await writeFile(files.cert, (await other.issue('gateway')).cert);
  expect(await renewed()).toBe(true);
  const old = await other.issue('gateway', { to: new Date(Date.now() + 24 * 3_600_000) });
  await writeFile(files.ca, other.ca);
  await writeFile(files.cert, old.cert);
  expect(await renewed()).toBe(true);
  expect(await renewed()).toBe(false);
});
