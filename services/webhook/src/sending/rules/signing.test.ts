import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newPrivateKey, newSigningSecret, publicKeyOf, signatures, signerOf } from './signing.ts';

const json = fc.json().map((text) => Buffer.from(text));
const secrets = fc
  .array(fc.constant(null), { minLength: 1, maxLength: 4 })
  .map((list) => list.map(newSigningSecret));

test('every live secret verifies the signatures with the official library', () => {
  fc.assert(
    fc.property(json, fc.uuid(), secrets, (body, id, live) => {
      const timestampSeconds = Math.floor(Date.now() / 1_000);
      const header = signatures([...live, newPrivateKey()].map(signerOf), { id, timestampSeconds, body });
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestampSeconds),
        'webhook-signature': header,
      };
      for (const secret of live) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
      expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow('No matching signature');
    }),
  );
});

test("a signature is the official library's to the byte", () => {
  fc.assert(
    fc.property(json, fc.uuid(), fc.integer({ min: 0, max: 4e9 }), (body, id, timestampSeconds) => {
      const secret = newSigningSecret();
      const expected = new Webhook(secret).sign(id, new Date(timestampSeconds * 1_000), body);
      expect(signatures([signerOf(secret)], { id, timestampSeconds, body })).toBe(expected);
    }),
  );
});

test('a changed body, id or time does not verify', () => {
  const secret = newSigningSecret();
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const header = signatures([signerOf(secret)], {
    id: 'msg_1',
    timestampSeconds,
    body: Buffer.from('{"a":1}'),
  });
  const verify = (id: string, time: number, body: string) => () =>
    new Webhook(secret).verify(body, {
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': header,
    });
  expect(verify('msg_1', timestampSeconds, '{"a":1}')).not.toThrow();
  expect(verify('msg_1', timestampSeconds, '{"a":2}')).toThrow();
  expect(verify('msg_2', timestampSeconds, '{"a":1}')).toThrow();
  expect(verify('msg_1', timestampSeconds - 1, '{"a":1}')).toThrow();
});

test('a new secret is whsec_ and 32 random bytes in base64', () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secret).not.toBe(newSigningSecret());
});

/** Of the 32 bytes of a `whpk_...`, as somebody who knows nothing else would read it. */
function publicKeyFrom(shown: string) {
  const bytes = Buffer.from(shown.replace(/^whpk_/, ''), 'base64');
  expect(bytes).toHaveLength(32);
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') },
    format: 'jwk',
  });
}

test('every public key verifies its signature over the same bytes, and no other', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uuid(), fc.integer({ min: 1, max: 4 }), (body, id, count) => {
      const privateKeys = Array.from({ length: count }, newPrivateKey);
      const timestampSeconds = 1_795_253_400;
      const header = signatures([newSigningSecret(), ...privateKeys].map(signerOf), {
        id,
        timestampSeconds,
        body,
      });
      const signed = header.split(' ').filter((part) => part.startsWith('v1a,'));
      expect(signed).toHaveLength(count);
      const isBy = (key: string, part = '', content = body) =>
        verify(
          null,
          Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), content]),
          publicKeyFrom(publicKeyOf(key)),
          Buffer.from(part.slice('v1a,'.length), 'base64'),
        );
      for (const [index, key] of privateKeys.entries()) {
        expect(signed.map((part) => isBy(key, part))).toEqual(signed.map((_, other) => other === index));
        expect(isBy(key, signed[index], Buffer.concat([body, Buffer.of(0)]))).toBe(false);
      }
    }),
    { numRuns: 25 },
  );
});

test('a private key is whsk_ and 32 bytes in base64, the public one those that belong to it', () => {
  expect(newPrivateKey()).toMatch(/^whsk_[A-Za-z0-9+/]{43}=$/);
  expect(newPrivateKey()).not.toBe(newPrivateKey());
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const standard = (part: string) => Buffer.from(part, 'base64url').toString('base64');
  expect(publicKeyOf(`whsk_${standard(d)}`)).toBe(`whpk_${standard(x)}`);
});
