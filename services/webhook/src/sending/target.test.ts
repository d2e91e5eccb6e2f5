import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNetwork } from './public-address.ts';
import { isAllowedAddress, targetFault } from './target.ts';

const open = { allowsPrivate: true, allowedNetworks: [] };
const strict = { allowsPrivate: false, allowedNetworks: [] };
const own = {
  allowsPrivate: false,
  allowedNetworks: [parseNetwork('10.1.0.0/16'), parseNetwork('fd00:1::/32')],
};

test.each([
  'https://example.com',
  'https://example.com:8443/hook?a=b#c',
  'https://93.184.215.14/hook',
  'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  'https://local.example.com/',
  'https://internal.example.com./',
  'https://bücher.example.com/',
  'https://xn--bcher-kva.example.com/',
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
  // Odd notations, all of which WHATWG URL reads as an address.
  'https://127.0.1/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://0251.0376.0251.0376/',
  'https://0xa9.0xfe.0xa9.0xfe/',
  'https://2852039166/',
  'https://169.254.43518/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://①②⑦.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://127.0.0.1:443/',
  'https:127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  '  https://127.0.0.1/ ',
  'https://127.0.\n0.1/',
  'https://[0:0:0:0:0:ffff:7f00:1]/',
  'https://[0000:0000::0001]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[2600::5efe:127.0.0.1]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  // Names of inside.
  'https://ｌｏｃａｌｈｏｓｔ/',
  'https://localhost../',
  'https://localhost.localdomain/',
  'https://postgres/',
  'https://postgres./',
  'https://metadata.google.internal/',
  'https://instance-data.ec2.internal/',
  'https://host.docker.internal/',
  'https://webhook.default.svc.cluster.local/',
  'https://printer.local/',
  'https://router.lan/',
  'https://nas.home/',
  'https://nas.home.arpa/',
  'https://wiki.corp/',
  'https://wiki.intranet/',
  'https://wiki.private/',
])('%s is a private target and is rejected unless private targets are allowed', (url) => {
  expect(targetFault(url, strict)).toBe('Must not point to a private or special address');
  expect(targetFault(url, open)).toBeUndefined();
});

test('http is for private targets only', () => {
  expect(targetFault('http://example.com/', strict)).toBe('Must be an https URL');
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
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1/',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://example.com:65536/',
  'https://exa mple.com/',
  'https://ex%2fample.com/',
])('%j is no http or https URL', (url) => {
  expect(targetFault(url, open)).toBe('Must be an http or https URL');
  expect(targetFault(url, strict)).toBe('Must be an http or https URL');
});

test.each([80, 443, 1024, 3000, 4433, 8000, 8080, 8443, 9443, 65_535])('port %i may be used', (port) => {
  expect(targetFault(`https://example.com:${port}/`, strict)).toBeUndefined();
});

test.each([
  0, 1, 21, 22, 23, 25, 53, 81, 110, 143, 389, 445, 465, 587, 993, 1023, 2049, 2375, 3306, 3389, 4222, 5432,
  5900, 6379, 6443, 6667, 8500, 9092, 9200, 10250, 11211, 27017,
])('port %i is of another protocol and is rejected unless private targets are allowed', (port) => {
  const fault = 'Must not use the port of another protocol';
  expect(targetFault(`https://example.com:${port}/`, strict)).toBe(fault);
  expect(targetFault(`https://10.1.0.1:${port}/`, own)).toBe(fault);
  expect(targetFault(`https://example.com:${port}/`, open)).toBeUndefined();
});

test('internal targets are rejected with one text', () => {
  const faults = [
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://db.internal/',
  ].map((url) => targetFault(url, strict));
  expect(new Set(faults).size).toBe(1);
});

test('only allowed networks can be reached, by address and by name', () => {
  for (const url of [
    'https://10.1.2.3:8443/',
    'https://[fd00:1::5]/',
    'https://hooks.internal/',
    'https://hooks/',
  ]) {
    expect(targetFault(url, own), url).toBeUndefined();
  }
  for (const url of [
    'https://10.2.0.1/',
    'https://127.0.0.1/',
    'https://[::ffff:10.1.2.3]/',
    'https://[::1]/',
  ]) {
    expect(targetFault(url, own), url).toBe('Must not point to a private or special address');
  }
  expect(targetFault('http://10.1.2.3/', own)).toBe('Must be an https URL');
  expect(isAllowedAddress('10.1.2.3', own)).toBe(true);
  expect(isAllowedAddress('93.184.215.14', own)).toBe(true);
  expect(isAllowedAddress('10.2.0.1', own)).toBe(false);
});

test.each(['https://user@example.com/', 'https://user:pass@example.com/', 'https://:pass@example.com/'])(
  '%s has credentials in it and is refused',
  (url) => {
    expect(targetFault(url, open)).toBe('Must not have a user name or password');
  },
);

test('2,048 characters are the limit', () => {
  const base = 'https://example.com/';
  expect(targetFault(base.padEnd(2_048, 'x'), strict)).toBeUndefined();
  expect(targetFault(base.padEnd(2_049, 'x'), strict)).toBe('Must be at most 2048 characters');
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
          'Must not point to a private or special address',
        );
      }
    }),
  );
});

test('never throws for any text', () => {
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
