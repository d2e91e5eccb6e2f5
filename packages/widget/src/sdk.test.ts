import { expect, test } from 'vitest';
import { connect } from './client.ts';
import { init } from './sdk.ts';

// Only what is refused before a page is needed: the rest is tested in browsers.

const baseUrl = 'https://api.example.com';
const getCustomerToken = () => null;
const callbacks = { onFound: () => {}, onOtherCustomer: () => {}, onError: () => {} };

test.each([
  ['no option', {}],
  ['an empty workspace', { workspaceId: '', getCustomerToken }],
  ['no token call', { workspaceId: 'w' }],
  ['a token in the place of the call', { workspaceId: 'w', getCustomerToken: 'e30' }],
])('with %s, what is missing is told at once', (_name, given) => {
  // A page's own script is not checked by a compiler.
  const options = { baseUrl, ...given } as Parameters<typeof init>[0];
  const missing = new TypeError('workspaceId and getCustomerToken, a function, must be given');
  expect(() => init(options, () => expect.fail('has begun'))).toThrow(missing);
  expect(() => connect({ ...options, ...callbacks })).toThrow(missing);
});
