import { expect, test } from 'vitest';
import { customerOf } from './customer-of.ts';

const tokenWith = (claims: object): string =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

test.each(['ada', 'Zoë ÿ 🦉 ~~??>>', '../x'])('the customer of a token is its subject: %s', (sub) => {
  expect(customerOf(tokenWith({ sub }))).toBe(sub);
});

test.each(['', 'a', 'a.b.c', 'e30.e30.', tokenWith({ sub: 7 }), tokenWith([])])(
  'an invalid token is for nobody: %s',
  (token) => {
    expect(customerOf(token)).toBeUndefined();
  },
);
