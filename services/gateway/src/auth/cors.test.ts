import { expect, test } from 'vitest';
import { isAllowedOrigin } from './cors.ts';

const allowed = [
  'https://Shop.example/path/',
  'http://localhost:8080',
  'https://port.example:443',
  'not a url',
  '',
];

test('path, trailing slash, case and default port of an allowed URL do not count', () => {
  for (const origin of ['https://shop.example', 'http://localhost:8080', 'https://port.example']) {
    expect(isAllowedOrigin(origin, allowed), origin).toBe(true);
  }
});

test('scheme, host and port must be equal', () => {
  const foreign = [
    'http://shop.example',
    'https://shop.example:8443',
    'https://www.shop.example',
    'https://shop.example.evil.example',
    'https://evil.example/https://shop.example',
    'http://localhost',
    'null',
    '',
    'not a url',
    'file:///x',
  ];
  for (const origin of foreign) expect(isAllowedOrigin(origin, allowed), origin).toBe(false);
});

test('a star as first label matches all hosts below, and nothing else', () => {
  const below = ['https://*.shop.example', 'https://*.port.example:8443'];
  for (const origin of [
    'https://a.shop.example',
    'https://A.b.shop.example',
    'https://x.port.example:8443',
  ]) {
    expect(isAllowedOrigin(origin, below), origin).toBe(true);
  }
  const foreign = [
    'https://shop.example',
    'https://.shop.example',
    'http://a.shop.example',
    'https://a.shop.example:8443',
    'https://a.port.example',
    'https://evil-shop.example',
    'https://a.shop.example.evil.example',
    'https://evil.example#.shop.example',
    'https://evil.example?.shop.example',
    'https://evil.example\\.shop.example',
  ];
  for (const origin of foreign) expect(isAllowedOrigin(origin, below), origin).toBe(false);
});

test('opaque origins match nothing, not even each other', () => {
  expect(isAllowedOrigin('file:///x', ['file:///x'])).toBe(false);
  expect(isAllowedOrigin('https://shop.example', [])).toBe(false);
});
