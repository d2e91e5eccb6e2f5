import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAddressIn, isPublicAddress, parseNetwork } from './public-address.ts';

/** What a range is, its first and last address, and the addresses just outside; public ones end in `+`. */
const special = `
  this-network        0.0.0.0          0.255.255.255    -                1.0.0.0+
  private-10          10.0.0.0         10.255.255.255   9.255.255.255+   11.0.0.0+
  carrier-grade-nat   100.64.0.0       100.127.255.255  100.63.255.255+  100.128.0.0+
  alibaba-metadata    100.100.100.200  100.100.100.200  -                -
  loopback            127.0.0.0        127.255.255.255  126.255.255.255+ 128.0.0.0+
  azure-host          168.63.129.16    168.63.129.16    168.63.129.15+   168.63.129.17+
  link-local          169.254.0.0      169.254.255.255  169.253.255.255+ 169.255.0.0+
  metadata            169.254.169.254  169.254.169.254  -                -
  ecs-metadata        169.254.170.2    169.254.170.2    -                -
  private-172         172.16.0.0       172.31.255.255   172.15.255.255+  172.32.0.0+
  protocols           192.0.0.0        192.0.0.255      191.255.255.255+ 192.0.1.0+
  documentation-1     192.0.2.0        192.0.2.255      192.0.1.255+     192.0.3.0+
  as112-v4            192.31.196.0     192.31.196.255   192.31.195.255+  192.31.197.0+
  amt                 192.52.193.0     192.52.193.255   192.52.192.255+  192.52.194.0+
  6to4-relay          192.88.99.0      192.88.99.255    192.88.98.255+   192.88.100.0+
  private-192         192.168.0.0      192.168.255.255  192.167.255.255+ 192.169.0.0+
  as112-direct        192.175.48.0     192.175.48.255   192.175.47.255+  192.175.49.0+
  benchmarking        198.18.0.0       198.19.255.255   198.17.255.255+  198.20.0.0+
  documentation-2     198.51.100.0     198.51.100.255   198.51.99.255+   198.51.101.0+
  documentation-3     203.0.113.0      203.0.113.255    203.0.112.255+   203.0.114.0+
  multicast           224.0.0.0        239.255.255.255  223.255.255.255+ 240.0.0.0
  reserved            240.0.0.0        255.255.255.254  239.255.255.255  255.255.255.255
  broadcast           255.255.255.255  255.255.255.255  255.255.255.254  -
  unspecified-v6      ::               ::               -                ::1
  loopback-v6         ::1              ::1              ::               ::2
  v4-compatible       ::1.2.3.4        ::255.255.255.255 -               ::1:0:0
  v4-mapped           ::ffff:0.0.0.0   ::ffff:255.255.255.255 ::fffe:ffff:ffff ::1:0:0:0
  mapped-public       ::ffff:8.8.8.8   ::ffff:1.1.1.1   -                -
  v4-translated       ::ffff:0:0:0     ::ffff:0:ffff:ffff -              -
  nat64-this          64:ff9b::        64:ff9b::0.255.255.255 64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff 64:ff9b::1.0.0.0+
  nat64-10            64:ff9b::10.0.0.0 64:ff9b::10.255.255.255 64:ff9b::9.255.255.255+ 64:ff9b::11.0.0.0+
  nat64-metadata      64:ff9b::169.254.169.254 64:ff9b::a9fe:a9fe - -
  nat64-broadcast     64:ff9b::240.0.0.0 64:ff9b::ffff:ffff 64:ff9b::223.255.255.255+ 64:ff9b::1:0:0
  nat64-local-use     64:ff9b:1::      64:ff9b:1:ffff:ffff:ffff:ffff:ffff - 64:ff9b:2::
  discard             100::            100::ffff:ffff:ffff:ffff ff:ffff:: 100:0:0:1::
  dummy-prefix        100:0:0:1::      100:0:0:1:ffff:ffff:ffff:ffff - 100:0:0:2::
  not-unicast-low     200::            1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff - 2000::+
  teredo              2001::           2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff+ 2001:1::
  port-control        2001:1::1        2001:1::3        2001:1::         2001:1::4
  benchmarking-v6     2001:2::         2001:2:0:ffff:ffff:ffff:ffff:ffff - 2001:2:1::
  amt-v6              2001:3::         2001:3:ffff:ffff:ffff:ffff:ffff:ffff - -
  as112-v6            2001:4:112::     2001:4:112:ffff:ffff:ffff:ffff:ffff - -
  orchid              2001:10::        2001:1f:ffff:ffff:ffff:ffff:ffff:ffff - -
  orchid-2            2001:20::        2001:2f:ffff:ffff:ffff:ffff:ffff:ffff - -
  drone-ids           2001:30::        2001:3f:ffff:ffff:ffff:ffff:ffff:ffff - -
  protocols-v6        2001::           2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff - 2001:200::+
  documentation-v6    2001:db8::       2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 2001:db7:ffff:ffff:ffff:ffff:ffff:ffff+ 2001:db9::+
  6to4                2002::           2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff+ 2003::+
  6to4-loopback       2002:7f00:1::    2002:7f00:1::1   -                -
  as112-direct-v6     2620:4f:8000::   2620:4f:8000:ffff:ffff:ffff:ffff:ffff 2620:4f:7fff:ffff:ffff:ffff:ffff:ffff+ 2620:4f:8001::+
  documentation-v6-2  3fff::           3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff 3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff+ 3fff:1000::+
  not-unicast-high    4000::           5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff+ -
  srv6-sids           5f00::           5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff - 5f01::
  unique-local        fc00::           fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fbff:: fe00::
  aws-metadata-v6     fd00:ec2::254    fd00:ec2::254    -                -
  gcp-metadata-v6     fd20:ce::254     fd20:ce::254     -                -
  link-local-v6       fe80::           febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe7f:: fec0::
  link-local-zone     fe80::1%eth0     fe80::1%1        -                -
  site-local          fec0::           feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff - ff00::
  multicast-v6        ff00::           ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff feff:: -
  isatap              2600::5efe:0.0.0.0 2600::5efe:255.255.255.255 2600::5efd:ffff:ffff+ 2600::5eff:0:0+
  isatap-unique       2600::200:5efe:a00:1 2600:1:2:3:200:5efe:c0a8:101 - -
`;

const table = special
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [string, string, string, string, string]);

test.each(table)('%s is not public, from its first address to its last', (_name, first, last, ...outside) => {
  for (const address of [first, last]) expect(isPublicAddress(address), address).toBe(false);
  for (const neighbour of outside) {
    if (neighbour === '-') continue;
    expect(isPublicAddress(neighbour.replace('+', '')), neighbour).toBe(neighbour.endsWith('+'));
  }
});

test('the table is of 150 addresses at least', () => {
  expect(new Set(table.flatMap(([, ...addresses]) => addresses)).size).toBeGreaterThanOrEqual(150);
});

test.each([
  '8.8.8.8',
  '93.184.215.14',
  '1.1.1.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001::8a',
  '2c0f:fb50::1',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  '',
  'localhost',
  '8.8.8',
  '134744072',
  '0x08080808',
  '010.8.8.8',
  '8.8.8.8.',
  '[2600::1]',
  ' 8.8.8.8',
  '8.8.8.8/32',
])('%j is not how a resolver writes an address, and is not public', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});

const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const byte = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(byte, byte, byte, byte);
const specialV4 = fc.oneof(
  v4.map(([, ...rest]) => [10, ...rest]),
  v4.map(([, ...rest]) => [127, ...rest]),
  v4.map(([, ...rest]) => [0, ...rest]),
  v4.map(([, , c, d]) => [169, 254, c, d]),
  v4.map(([, , c, d]) => [192, 168, c, d]),
  v4.map(([, b, c, d]) => [172, 16 + (b % 16), c, d]),
  v4.map(([, b, c, d]) => [100, 64 + (b % 64), c, d]),
  v4.map(([, b, c, d]) => [198, 18 + (b % 2), c, d]),
  v4.map(([a, ...rest]) => [224 + (a % 32), ...rest]),
  fc.constant([168, 63, 129, 16]),
);

/** Each way to write an IPv4 address into an IPv6 one that somebody on the way may take out again. */
const embeddings = (bytes: readonly number[], [g = '', h = '', i = '']: readonly string[]): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const high = (a * 256 + b).toString(16);
  const low = (c * 256 + d).toString(16);
  const inverted = [a * 256 + b, c * 256 + d].map((word) => (word ^ 0xffff).toString(16)).join(':');
  return [
    `::ffff:${bytes.join('.')}`,
    `::ffff:${high}:${low}`,
    `::${bytes.join('.')}`,
    `::ffff:0:${high}:${low}`,
    `64:ff9b::${high}:${low}`,
    `64:ff9b:1:${g}:${h}:${i}:${high}:${low}`,
    `64:ff9b:1:${high}:${(c % 256).toString(16)}:${(d * 256).toString(16)}::`,
    `2002:${high}:${low}:${g}::${h}`,
    `2001:0:${g}:${h}:${i}:1:${inverted}`,
    `2001:0:${high}:${low}:${g}:1:${inverted}`,
    `fe80::5efe:${high}:${low}`,
    `2a00:${g}:${h}:${i}:0:5efe:${high}:${low}`,
    `2a00:${g}:${h}:${i}:200:5efe:${high}:${low}`,
  ];
};

test('no special IPv4 address is public, nor is anything that it is embedded in', () => {
  fc.assert(
    fc.property(specialV4, fc.tuple(group, group, group), (bytes, rest) => {
      for (const address of [bytes.join('.'), ...embeddings(bytes, rest)]) {
        expect(isPublicAddress(address), address).toBe(false);
      }
    }),
  );
});

test('through NAT64 an address is as public as it is itself', () => {
  fc.assert(
    fc.property(v4, (bytes) => {
      expect(isPublicAddress(`64:ff9b::${bytes.join('.')}`)).toBe(isPublicAddress(bytes.join('.')));
    }),
  );
});

test('nothing outside of 2000::/3 and NAT64 is public', () => {
  const first = fc.integer({ min: 0, max: 0xffff }).filter((value) => value >> 13 !== 1 && value !== 0x64);
  fc.assert(
    fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (head, rest) => {
      expect(isPublicAddress([head.toString(16), ...rest].join(':'))).toBe(false);
    }),
  );
});

test('a network holds its own addresses, and none of the other family', () => {
  const list = ['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32'].map(parseNetwork);
  for (const inside of ['10.1.0.0', '10.1.255.255', '192.168.7.7', 'fd00:1:ffff::1']) {
    expect(isAddressIn(inside, list), inside).toBe(true);
  }
  for (const outside of [
    '10.0.255.255',
    '10.2.0.0',
    '192.168.7.8',
    'fd00:2::',
    '::ffff:10.1.0.1',
    '64:ff9b::a01:1',
    'x',
  ]) {
    expect(isAddressIn(outside, list), outside).toBe(false);
  }
});
