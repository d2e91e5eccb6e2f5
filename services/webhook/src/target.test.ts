import fc from 'fast-check';
import { expect, test } from 'vitest';
import { targetFault } from './target.ts';

const open = { allowsPrivate: true };
const strict = { allowsPrivate: false };

test.each([
  'https://example.com',
  'https://example.com:8443/hook?a=b#c',
  'https://93.184.215.14/hook',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
])('%s is a public target', (url) => {
  expect(targetFault(url, strict)).toBeUndefined();
});

test.each([
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
])('%s points inside and is refused, but where private targets are allowed', (url) => {
  expect(targetFault(url, strict)).toBe('must not point to a private or special address');
  expect(targetFault(url, open)).toBeUndefined();
});

test('http is for private targets only', () => {
  expect(targetFault('http://example.com/', strict)).toBe('must be an https URL');
  expect(targetFault('http://127.0.0.1:9000/', open)).toBeUndefined();
});

test.each([
  '',
  'example.com/hook',
  '/hook',
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://',
  'javascript:alert(1)',
])('%j is no http or https URL', (url) => {
  expect(targetFault(url, open)).toBe('must be an http or https URL');
  expect(targetFault(url, strict)).toBe('must be an http or https URL');
});

test.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])(
  '%s has credentials in it and is refused',
  (url) => {
    expect(targetFault(url, open)).toBe('must not hold a user name or password');
  },
);

test('2,048 characters are the limit', () => {
  const base = 'https://example.com/';
  expect(targetFault(base.padEnd(2_048, 'x'), strict)).toBeUndefined();
  expect(targetFault(base.padEnd(2_049, 'x'), strict)).toBe('must be at most 2048 characters');
});

test('every IPv4 address of the private ranges is refused in every notation', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const inside = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  );
  fc.assert(
    fc.property(inside, ([a, b, c, d]) => {
      const hex = [a, b, c, d].map((n) => n.toString(16).padStart(2, '0')).join('');
      const forms = [
        `${a}.${b}.${c}.${d}`,
        String(Number.parseInt(hex, 16)),
        `0x${hex}`,
        `0${a.toString(8)}.${b}.${c}.${d}`,
        `${a}.${b}.${c * 256 + d}`,
        `[::ffff:${a}.${b}.${c}.${d}]`,
        `[64:ff9b::${hex.slice(0, 4)}:${hex.slice(4)}]`,
        `[2002:${hex.slice(0, 4)}:${hex.slice(4)}::1]`,
      ];
      for (const form of forms) {
        expect(targetFault(`https://${form}/hook`, strict)).toBe(
          'must not point to a private or special address',
        );
      }
    }),
  );
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        targetFault(text, strict);
      },
    ),
  );
});
