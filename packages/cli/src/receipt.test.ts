import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../tests/run-command.ts';

const erasure = {
  id: '01939f6a-2f40-7c3a-9d55-0123456789ab',
  customerId: 'customer-1',
  kind: 'anonymisation',
  requestedAt: '2026-11-21T09:30:00.123000',
  completedAt: '2026-11-21T09:30:01.000000',
  requestedBy: 'prl_key_3vVQmGdZcKxw9n2TfPq0Xy',
  stores: [{ store: 'customer', removed: 1 }],
};

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const sign = (payload: object) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA', kid })
      .sign(privateKey);
  return { kid, jwk: { ...jwk, kid, alg: 'EdDSA', use: 'sig' }, sign };
}

let folder: string;
let old: Awaited<ReturnType<typeof newKey>>;
let current: Awaited<ReturnType<typeof newKey>>;
let stranger: Awaited<ReturnType<typeof newKey>>;
const save = (name: string, content: string) => writeFile(join(folder, name), content);
const saveKeys = (name: string, keys: JWK[]) => save(name, JSON.stringify({ keys }));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-receipt-'));
  [old, current, stranger] = await Promise.all([newKey(), newKey(), newKey()]);
  await saveKeys('keys.json', [current.jwk, old.jwk]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// Without a URL and a network.
const verify = (file: string, ...more: string[]) =>
  runCommand(['erasure', 'verify', file, '--keys', 'keys.json', ...more], { cwd: folder });

test('a receipt is valid offline: alone, in the JSON of its erasure, and in the envelope of the API', async () => {
  const receipt = await current.sign(erasure);
  await save('alone', `${receipt}\n`);
  await save('erasure', JSON.stringify({ ...erasure, receipt }));
  await save('envelope', JSON.stringify({ success: true, data: { ...erasure, receipt }, meta: null }));
  await save('console', JSON.stringify({ timeZone: 'UTC', data: { ...erasure, receipt } }));
  for (const file of ['alone', 'erasure', 'envelope', 'console']) {
    const { exitCode, stdout, stderr } = await verify(file, '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ isValid: true, kid: current.kid, keys: 'keys.json', erasure });
  }
  const { stdout } = await verify('alone');
  expect(stdout).toContain(`The receipt is valid: signed with the key ${current.kid} of keys.json`);
  expect(stdout).toMatch(/customerId +customer-1\n/);
  expect(stdout).toContain(`${erasure.completedAt}Z\n`);
  expect(stdout).toMatch(/removed +customer 1\n/);
});

test('a receipt from before a rotation is valid', async () => {
  await save('old', await old.sign(erasure));
  expect(await verify('old')).toMatchObject({ exitCode: 0, stderr: '' });
});

test('a receipt that was changed is not valid', async () => {
  const [header = '', , signature = ''] = (await current.sign(erasure)).split('.');
  const payload = Buffer.from(JSON.stringify({ ...erasure, customerId: 'customer-2' })).toString('base64url');
  await save('changed', [header, payload, signature].join('.'));
  expect(await verify('changed')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'parley: The signature does not fit: the receipt was changed\n',
  });
});

test('an erasure that differs from its receipt is not valid, and the difference is named', async () => {
  const receipt = await current.sign(erasure);
  await save('other', JSON.stringify({ ...erasure, customerId: 'customer-2', receipt }));
  const { exitCode, stderr } = await verify('other');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('/customerId: Is "customer-2", but was signed as "customer-1"');
});

test('a receipt of a key that is not published is not valid, also under the id of a published one', async () => {
  await save('stranger', await stranger.sign(erasure));
  const unknown = await verify('stranger');
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain(`signed with the key ${stranger.kid}, which is not in keys.json`);
  const [, payload = '', signature = ''] = (await stranger.sign(erasure)).split('.');
  const [header = ''] = (await current.sign(erasure)).split('.');
  await save('pretender', [header, payload, signature].join('.'));
  expect((await verify('pretender')).stderr).toContain('The signature does not fit');
});

test('a text without a signature, and another algorithm, are not valid', async () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = [encode({ alg: 'none' }), encode(erasure), 'e30'].join('.');
  const header = { alg: 'HS256', kid: current.kid };
  const hmac = await new CompactSign(new TextEncoder().encode(JSON.stringify(erasure)))
    .setProtectedHeader(header)
    .sign(Buffer.from(String(current.jwk.x).padEnd(43, 'x')));
  await save('unsigned', unsigned);
  await save('hmac', hmac);
  await save('prose', 'We have deleted everything.');
  await save('empty', '');
  for (const file of ['unsigned', 'hmac', 'prose', 'empty', 'missing']) {
    const { exitCode, stdout } = await verify(file);
    expect([file, exitCode, stdout]).toEqual([file, 1, '']);
  }
});

test('an erasure that still runs has no receipt, and a signed text that is no erasure is none', async () => {
  await save('running', JSON.stringify({ ...erasure, completedAt: null, receipt: null }));
  expect((await verify('running')).stderr).toBe('parley: The erasure has no receipt yet: it has not ended\n');
  await save('something', await current.sign({ hello: 'world' }));
  expect((await verify('something')).stderr).toContain('is no receipt of an erasure');
});

test('the keys come from one place: exit code 2 without it, or with two', async () => {
  await save('receipt', await current.sign(erasure));
  const options = { cwd: folder };
  expect((await runCommand(['erasure', 'verify', 'receipt'], options)).exitCode).toBe(2);
  expect((await verify('receipt', '--url', 'http://127.0.0.1:1')).exitCode).toBe(2);
  await save('no-keys.json', '{}');
  const wrong = await runCommand(['erasure', 'verify', 'receipt', '--keys', 'no-keys.json'], options);
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, 'parley: no-keys.json has no JSON Web Keys\n']);
});
