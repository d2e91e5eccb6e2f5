import { expect, test } from 'vitest';
import { workspaceFaults } from './workspace-faults.ts';

const pointers = (name: string, allowedDomains: string[] = []) =>
  workspaceFaults({ name, allowedDomains }).map(({ pointer }) => pointer);

test.each(['A', 'Zoë & 😀', '😀'.repeat(255)])('the name %s is accepted', (name) => {
  expect(pointers(name)).toEqual([]);
});

test.each(['', '  ', 'x'.repeat(256), 'a\0b', 'a\nb'])('the name %j is rejected', (name) => {
  expect(pointers(name)).toEqual(['/name']);
});

test.each([
  'https://shop.example.com',
  'https://shop.example.com/',
  'HTTP://localhost:3000',
  'http://[::1]:8080',
  'https://*.example.com',
  'https://*.example.com:8443/',
  'https://*.example.co.uk',
  'https://*.parley.github.io',
  'https://parley.github.io',
  'https://*.corp.internal',
  'https://bücher.example',
])('the origin %s is accepted', (domain) => {
  expect(pointers('A', [domain])).toEqual([]);
});

test.each([
  '',
  'shop.example.com',
  'ftp://shop.example.com',
  'https://',
  'https:shop.example.com',
  'https://shop.example.com/app',
  'https://shop.example.com?a=b',
  'https://shop.example.com#top',
  'https://user:pass@shop.example.com',
  'https://shop.example.com:99999',
  ' https://shop.example.com',
  'https://shop.example.com\n',
  'https:\\\\shop.example.com',
  'javascript:alert(1)',
  'https://*',
  'https://*.com',
  'https://*.co.uk',
  'https://*.CO.UK:8443/',
  'https://*.co.uk.',
  'https://*.公司.cn',
  'https://*.github.io',
  'https://*.internal',
  'https://*.192.0.2.1',
  'https://*:8443',
  'https://a.*.example.com',
  'https://*a.example.com',
  `https://${'a'.repeat(2050)}.example.com`,
])('%j is rejected as an origin', (domain) => {
  expect(pointers('A', ['https://fine.example', domain])).toEqual(['/allowedDomains/1']);
});

test('all faults are reported at once', () => {
  expect(pointers('', ['a', 'https://fine.example', 'b'])).toEqual([
    '/name',
    '/allowedDomains/0',
    '/allowedDomains/2',
  ]);
  expect(
    pointers(
      'A',
      Array.from({ length: 101 }, () => 'https://a.example'),
    ),
  ).toEqual(['/allowedDomains']);
});
