import { expect, test } from 'vitest';
import { isTarget, parseTarget } from './target.ts';

test.each([
  ['127.0.0.1:5001', { addresses: ['ipv4:127.0.0.1:5001'] }],
  ['[::1]:5001', { addresses: ['ipv6:[::1]:5001'] }],
  ['ipv4:10.0.0.1:5001,10.0.0.2:5002', { addresses: ['ipv4:10.0.0.1:5001', 'ipv4:10.0.0.2:5002'] }],
  ['ipv6:[::1]:5001,[::2]:5001', { addresses: ['ipv6:[::1]:5001', 'ipv6:[::2]:5001'] }],
  ['customer:5001', { name: 'customer', port: 5001 }],
  ['dns:customer:5001', { name: 'customer', port: 5001 }],
  ['dns:///customer.parley.svc:5001', { name: 'customer.parley.svc', port: 5001 }],
  ['customer_1:1', { name: 'customer_1', port: 1 }],
  ['customer:65535', { name: 'customer', port: 65_535 }],
])('%s is parsed', (text, target) => {
  expect(parseTarget(text)).toEqual(target);
  expect(isTarget(text)).toBe(true);
});

test.each([
  '',
  'customer',
  'customer:',
  ':5001',
  'customer:0',
  'customer:65536',
  'customer:99999',
  'a customer:5001',
  'http://customer:5001',
  'dns://resolver/customer:5001',
  'ipv4:',
  'ipv4:customer:5001',
  'ipv4:10.0.0.1:5001,10.0.0.2',
  'ipv4:10.0.0.1:5001,',
  '::1:5001',
  '[dead]:5001',
  '[127.0.0.1]:5001',
])('%j is rejected', (text) => {
  expect(() => parseTarget(text)).toThrow('not an address');
  expect(isTarget(text)).toBe(false);
});
