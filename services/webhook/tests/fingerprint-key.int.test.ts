import { keyring, mac } from '@parley/runtime/keyring';
import { expect, test } from 'vitest';
import { fingerprintKey } from '../src/webhooks/fingerprint-key-store.ts';
import { createStore } from './lanes.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const first = `k1:${key(1)}`;
const second = `k2:${key(2)}`;

test('the key of fingerprints is the same for all copies and keyrings, and begins as that of the version before', async () => {
  await using store = await createStore();
  const asked = await Promise.all(
    Array.from({ length: 5 }, () => fingerprintKey(store.db, keyring.parse(first))),
  );
  const before = mac(keyring.parse(first).current.key, 'secret-token-fingerprint');
  expect(asked.map((one) => one.toString('hex'))).toEqual(asked.map(() => before.toString('hex')));
  for (const ring of [`${first},${second}`, `${second},${first}`]) {
    expect(await fingerprintKey(store.db, keyring.parse(ring))).toEqual(before);
  }
});

test('without the key that it is sealed under there is none, rather than another', async () => {
  await using store = await createStore();
  await fingerprintKey(store.db, keyring.parse(first));
  await expect(fingerprintKey(store.db, keyring.parse(second))).rejects.toThrow('not in the keyring');
});
