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

test('opaque origins match nothing, not even each other', () => {
  expect(isAllowedOrigin('file:///x', ['file:///x'])).toBe(false);
  expect(isAllowedOrigin('https://shop.example', [])).toBe(false);
});
