import { expect, test } from 'vitest';
import { connect } from '../client.ts';
import { init } from './sdk.ts';

// Only faults that are found before a page is needed. Browser tests cover the rest.

const baseUrl = 'https://api.example.com';
const getCustomerToken = () => null;
const callbacks = { onFound: () => {}, onOtherCustomer: () => {}, onError: () => {} };

test.each([
  ['no option', {}],
  ['an empty workspace', { workspaceId: '', getCustomerToken }],
  ['no token call', { workspaceId: 'w' }],
  ['a token in the place of the call', { workspaceId: 'w', getCustomerToken: 'e30' }],
])('%s is a TypeError at once', (_name, given) => {
  // A page's own script has no type check.
  const options = { baseUrl, ...given } as Parameters<typeof init>[0];
  const missing = new TypeError('workspaceId and getCustomerToken, a function, must be given');
  expect(() => init(options, () => expect.fail('has begun'))).toThrow(missing);
  expect(() => connect({ ...options, ...callbacks })).toThrow(missing);
});
