import { randomBytes } from 'node:crypto';
import { keyring } from '@parley/runtime/config/keyring';
import { expect, test } from 'vitest';
import { headerFaults, openHeaders, sealHeaders } from './header-fields.ts';

const keys = keyring.parse(`k1:${randomBytes(32).toString('base64')}`);
const pointers = (fields: Record<string, string>) => headerFaults(fields).map((fault) => fault.pointer);

test('fields that the client or Parley sets are refused, in any case', () => {
  const names = ['Host', 'CONTENT-TYPE', 'content-length', 'Transfer-Encoding', 'Connection', 'keep-alive'];
  names.push('Proxy-Authorization', 'te', 'Trailer', 'upgrade', 'Expect', 'User-Agent', 'traceparent');
  names.push('Tracestate', 'Webhook-Id', 'webhook-anything', 'X-Parley-Event', 'x-parley-');
  const fields = Object.fromEntries(names.map((name) => [name, 'x']));
  expect(pointers(fields)).toEqual(names.map((name) => `/headers/${name}`));
});

test('no name or value can end its line or begin another', () => {
  const units = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
  const isTaken = (name: string, value: string) => headerFaults({ [name]: value }).length === 0;
  const inNames = units.filter((unit) => isTaken(`a${unit}`, 'v'));
  expect(inNames.join('')).toBe(
    "!#$%&'*+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~",
  );
  const inValues = units.filter((unit) => isTaken('x-a', `v${unit}`));
  expect(inValues).toEqual(units.slice(0x20, 0x7f));
  const begun = ['\na', '\ra', '\0a', 'a\na', 'a\r\na'];
  expect(begun.filter((text) => isTaken(text, 'v') || isTaken('x-a', text))).toEqual([]);
});

test('all faults are returned at once, with JSON pointers (RFC 6901)', () => {
  const fields = {
    'a/b~c': 'x',
    'X-A': 'ok',
    'x-a': 'again',
    'x-b': 'line\nbreak',
    'x-c': 'é',
    '': 'nameless',
  };
  expect(pointers(fields).toSorted()).toEqual(
    ['/headers/a~1b~0c', '/headers/x-a', '/headers/x-b', '/headers/x-c', '/headers/'].toSorted(),
  );
});

test('20 fields of 1,024 characters are taken, one more of either is not', () => {
  const many = (number: number) =>
    Object.fromEntries(Array.from({ length: number }, (_, index) => [`x-${index}`, 'v'.repeat(1_024)]));
  expect(headerFaults(many(20))).toEqual([]);
  expect(pointers(many(21))).toEqual(['/headers']);
  expect(pointers({ 'x-a': 'v'.repeat(1_025) })).toEqual(['/headers/x-a']);
  expect(headerFaults({ Authorization: 'Bearer a b~c', '!#$&*+.^`|~': '' })).toEqual([]);
});

test('sealed fields open for their webhook only, with names in lower case; none are null', () => {
  const sealed = sealHeaders(keys, 'w1', { 'X-Key': 'Secret', b: '' });
  expect(sealed).not.toMatch(/Secret|x-key/i);
  expect(openHeaders(keys, 'w1', sealed)).toEqual({ 'x-key': 'Secret', b: '' });
  expect(() => openHeaders(keys, 'w2', sealed)).toThrow();
  expect(sealHeaders(keys, 'w1', {})).toBeNull();
  expect(openHeaders(keys, 'w1', null)).toEqual({});
});
