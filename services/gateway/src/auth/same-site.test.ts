import { expect, test } from 'vitest';
import { requireSameSite } from './same-site.ts';

const host = 'parley.example';
const marked = { host, 'x-parley-console': '1' };

test.each([
  ['https:', { ...marked, origin: 'https://parley.example' }],
  ['https:', { ...marked, host: 'parley.example:443', origin: 'https://parley.example' }],
  ['http:', { ...marked, host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4000' }],
  ['https:', { ...marked, 'sec-fetch-site': 'same-origin' }],
])('%s %j is a call of the site', (scheme, headers) => {
  expect(() => requireSameSite({ headers }, scheme)).not.toThrow();
});

test.each([
  ['the page has another scheme', 'https:', { ...marked, origin: 'http://parley.example' }],
  ['the page has another scheme', 'http:', { ...marked, origin: 'https://parley.example' }],
  ['the page has another port', 'https:', { ...marked, origin: 'https://parley.example:8443' }],
  ['the page has another host', 'https:', { ...marked, origin: 'https://shop.example' }],
  ['the page has no origin', 'https:', { ...marked, origin: 'null' }],
  ['nothing says which page it is', 'https:', marked],
  ['another site of the domain calls', 'https:', { ...marked, 'sec-fetch-site': 'same-site' }],
  ['the marker is missing', 'https:', { host, origin: 'https://parley.example' }],
  ['there is no host', 'https:', { 'x-parley-console': '1', origin: 'https://parley.example' }],
  ['the host is none', 'https:', { ...marked, host: 'a b', origin: 'null' }],
])('%s: refused', (_, scheme, headers) => {
  expect(() => requireSameSite({ headers }, scheme)).toThrow(
    expect.objectContaining({ code: 'permission_denied', type: 'cross-site' }),
  );
});
