import { expect, test } from 'vitest';
import { addressGroupOf, clientAddressOf } from './client-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:51234', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:8080', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
])('%s counts as %s', (address, group) => {
  expect(addressGroupOf(address)).toBe(group);
});

test.each([
  undefined,
  '',
  'unknown',
  '_hidden',
  '999.1.1.1',
  '1.2.3',
  ':::',
  '[',
  '1.2.3.4, 5.6.7.8',
  'x'.repeat(9000),
])('%j is no address: all of these count as one', (address) => {
  expect(addressGroupOf(address)).toBe('unknown');
});

test.each([
  ['192.0.2.7:51234', '192.0.2.7'],
  ['[2001:db8::1%eth0]:443', '2001:db8::1'],
  ['x".example', undefined],
])('the log has %s as %s', (address, logged) => {
  expect(clientAddressOf(address)).toBe(logged);
});
