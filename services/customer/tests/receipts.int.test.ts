import { randomUUID } from 'node:crypto';
import { erasureResource } from '@parley/contracts/erasure-resource';
import { type Keyring, keyring } from '@parley/runtime/config/keyring';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { openDatabase } from '@parley/postgres/connecting/open';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { receiptSigner } from '../src/erasure/erasure-keys.ts';
import type { Tables } from '../src/schema.ts';
import { annaAs, call, type CustomersUnderTest, onePage, requestedBy, startCustomers } from './fixture.ts';

let system: CustomersUnderTest;
let customers: CustomersUnderTest['customers'];
let workspaceId: string;

beforeAll(async () => {
  system = await startCustomers();
  ({ customers } = system);
});
afterAll(() => system[Symbol.asyncDispose]());
beforeEach(() => {
  workspaceId = randomUUID();
  system.neighbours.redact = onePage;
});

async function erase(id: string, by = requestedBy) {
  await customers.createCustomer(annaAs(workspaceId, id), call);
  const { erasureId } = await customers.anonymiseCustomer({ workspaceId, id, requestedBy: by }, call);
  return customers.getErasure({ workspaceId, id: erasureId }, call);
}
const publicKeys = async () => {
  const { keys } = await customers.listErasureKeys({}, call);
  return { keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', kid, x })) };
};
const verify = async (receipt: string | null = '') => {
  const { payload } = await compactVerify(receipt ?? '', createLocalJWKSet(await publicKeys()));
  return JSON.parse(new TextDecoder().decode(payload)) as unknown;
};
const admin = async (statement: string): Promise<object[]> => {
  await using connection = await openSqlConnection(system.adminUrl);
  return await connection.query(statement, []);
};

test('a finished erasure has a receipt over its fields, which the published keys verify', async () => {
  const erasure = await erase('a');
  const signed = await verify(erasure.receipt);
  expect(signed).toEqual(erasureResource(erasure));
  expect(Object.keys(signed as object)).toEqual([
    'id',
    'customerId',
    'kind',
    'requestedAt',
    'completedAt',
    'requestedBy',
    'stores',
  ]);
  expect(signed).toMatchObject({ customerId: 'a', kind: 'anonymisation', requestedBy });
  expect(decodeProtectedHeader(erasure.receipt ?? '')).toEqual({ alg: 'EdDSA', kid: expect.any(String) });
});

test('a deletion has a receipt too', async () => {
  await customers.createCustomer(annaAs(workspaceId, 'a'), call);
  const { erasureId } = await customers.deleteCustomer({ workspaceId, id: 'a', requestedBy }, call);
  const erasure = await customers.getErasure({ workspaceId, id: erasureId }, call);
  const signed = await verify(erasure.receipt);
  expect(signed).toEqual(erasureResource(erasure));
  expect(signed).toMatchObject({ id: erasureId, kind: 'deletion', requestedBy });
});

test('a receipt has no personal detail, and names the first call of its erasure', async () => {
  await customers.createCustomer(annaAs(workspaceId, 'a'), call);
  const gate = Promise.withResolvers<void>();
  system.neighbours.redact = async () => {
    await gate.promise;
    return { interactionId: randomUUID(), next: '' };
  };
  const ask = { workspaceId, id: 'a', waitSeconds: 0 };
  const { erasureId } = await customers.anonymiseCustomer({ ...ask, requestedBy: 'prl_key_first' }, call);
  const second = await customers.anonymiseCustomer({ ...ask, requestedBy: 'prl_key_second' }, call);
  expect(second.erasureId).toBe(erasureId);
  gate.resolve();
  const signed = await eventually(async () => {
    const { receipt } = await customers.getErasure({ workspaceId, id: erasureId }, call);
    return verify(receipt);
  });
  expect(signed).toMatchObject({ requestedBy: 'prl_key_first' });
  expect(JSON.stringify(signed)).not.toMatch(/anna|novák|example/i);
});

test('a rotation makes a new key sign, and receipts of the old one stay valid', async () => {
  const before = await erase('a');
  const { kid } = await system.operator.rotateErasureKey({}, call);
  const after = await erase('b');
  expect(decodeProtectedHeader(after.receipt ?? '').kid).toBe(kid);
  expect(decodeProtectedHeader(before.receipt ?? '').kid).not.toBe(kid);
  for (const erasure of [before, after]) {
    expect(await verify(erasure.receipt)).toEqual(erasureResource(erasure));
  }
  expect((await publicKeys()).keys[0]?.kid).toBe(kid);
});

test('after a rotation, only the new key can sign, and it is stored encrypted', async () => {
  await erase('a');
  const { kid } = await system.operator.rotateErasureKey({}, call);
  const rows = (await admin('select kid, x, sealed from customer.erasure_key')) as {
    kid: string;
    sealed: string | null;
  }[];
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    if (row.kid === kid) expect(row.sealed).toMatch(/^k\.[\w-]{80,}$/);
    else expect(row.sealed).toBeNull();
  }
});

test('a replica whose keyring decrypts no key creates one', async () => {
  await erase('a');
  const { keys: before } = await publicKeys();
  const other: Keyring = keyring.parse(`k2:${Buffer.alloc(32, 1).toString('base64')}`);
  await using database = openDatabase<Tables>({ url: system.databaseUrl, logger });
  const signers = await Promise.all(
    [1, 2, 3].map(() => receiptSigner({ db: database.db, keys: other, logger })),
  );
  const receipts = await Promise.all(signers.map((sign) => sign({ id: 'x' })));
  expect((await publicKeys()).keys).toHaveLength(before.length + 1);
  for (const receipt of receipts) expect(await verify(receipt)).toEqual({ id: 'x' });
  // The first replica cannot decrypt the newest key: it continues with its own.
  const { receipt } = await erase('b');
  expect(decodeProtectedHeader(receipt ?? '').kid).toBe(before[0]?.kid);
});
