import { createSecretKey, randomBytes } from 'node:crypto';
import type { Keyring } from '@parley/runtime/config/keyring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkToken, readLinkToken } from './link-token.ts';

function ringOf(...ids: string[]): Keyring {
  const keys = new Map(ids.map((id) => [id, createSecretKey(randomBytes(32))]));
  const [id = '', key = createSecretKey(randomBytes(32))] = [...keys][0] ?? [];
  return { current: { id, key }, keys };
}

const ring = ringOf('a');
const id = fc.uuid();
const linkVersion = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe('a link token', () => {
  it('contains its interaction and link version', () => {
    fc.assert(
      fc.property(id, linkVersion, (id, linkVersion) => {
        expect(readLinkToken(ring, linkToken(ring, id, linkVersion))).toEqual({ id, linkVersion });
      }),
    );
  });

  it('of one kind is not valid for the other', () => {
    fc.assert(
      fc.property(id, linkVersion, (id, linkVersion) => {
        const token = linkToken(ring, id, linkVersion, 'openLink');
        expect(readLinkToken(ring, token)).toBeUndefined();
        expect(readLinkToken(ring, token, 'openLink')).toEqual({ id, linkVersion });
        expect(readLinkToken(ring, linkToken(ring, id, linkVersion), 'openLink')).toBeUndefined();
      }),
    );
  });

  it('contains only letters and digits', () => {
    fc.assert(
      fc.property(id, linkVersion, (id, linkVersion) =>
        /^[0-9A-Za-z]{45,50}$/.test(linkToken(ring, id, linkVersion)),
      ),
    );
  });

  it('is rejected when any character differs', () => {
    const character = fc.constantFrom(
      ...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_. /%é',
    );
    fc.assert(
      fc.property(id, linkVersion, fc.nat(), character, (id, linkVersion, at, character) => {
        const token = linkToken(ring, id, linkVersion);
        const place = at % token.length;
        fc.pre(token[place] !== character);
        expect(
          readLinkToken(ring, token.slice(0, place) + character + token.slice(place + 1)),
        ).toBeUndefined();
      }),
    );
  });

  it('is rejected when text is added or removed', () => {
    fc.assert(
      fc.property(id, linkVersion, fc.nat(), (id, linkVersion, at) => {
        const token = linkToken(ring, id, linkVersion);
        const place = at % token.length;
        expect(readLinkToken(ring, token.slice(0, place) + token.slice(place + 1))).toBeUndefined();
        expect(readLinkToken(ring, `${token.slice(0, place)}0${token.slice(place)}`)).toBeUndefined();
        expect(readLinkToken(ring, `${token}\n`)).toBeUndefined();
      }),
    );
  });

  it('rejects any other text', () => {
    const base62Text = fc.stringMatching(/^[0-9A-Za-z]{45,50}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), base62Text), (text) => readLinkToken(ring, text) === undefined),
    );
    expect(readLinkToken(ring, 'z'.repeat(50))).toBeUndefined();
    expect(readLinkToken(ring, '0'.repeat(50))).toBeUndefined();
  });

  it('is accepted under every key of the ring, and under no other', () => {
    fc.assert(
      fc.property(id, linkVersion, (id, linkVersion) => {
        const older = ringOf('old');
        const newer = ringOf('new');
        const both: Keyring = { current: newer.current, keys: new Map([...newer.keys, ...older.keys]) };
        expect(readLinkToken(both, linkToken(older, id, linkVersion))).toEqual({ id, linkVersion });
        expect(readLinkToken(newer, linkToken(older, id, linkVersion))).toBeUndefined();
        expect(linkToken(both, id, linkVersion)).toBe(linkToken(newer, id, linkVersion));
      }),
    );
  });
});
