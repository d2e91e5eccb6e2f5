import { expect, test } from 'vitest';
import { ParleyError } from './error.ts';

const invalid = { status: 400, type: 'invalid-request', detail: 'The request is not valid' };
const messageOf = (...errors: { pointer: string; detail: string }[]): string =>
  new ParleyError({ ...invalid, errors }).message;

test('the message has the first fault', () => {
  const fault = { pointer: '/botId', detail: 'Must be a UUID' };
  const start = '400 invalid-request – The request is not valid';
  expect(messageOf()).toBe(start);
  expect(messageOf(fault)).toBe(`${start}: botId: Must be a UUID`);
  expect(messageOf(fault, { pointer: '/expiry', detail: 'Must be 0 or more' })).toBe(
    `${start}: botId: Must be a UUID`,
  );
  expect(messageOf({ pointer: '/query/page', detail: 'Must be 1 or more' })).toBe(
    `${start}: query/page: Must be 1 or more`,
  );
  expect(messageOf({ pointer: '', detail: 'Must be an object' })).toBe(`${start}: Must be an object`);
});
