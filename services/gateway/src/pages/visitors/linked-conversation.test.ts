import { expect, test } from 'vitest';
import { contextIn, visitIn } from './linked-conversation.ts';

test('the context has the named parameters as texts, once each, and nothing else', () => {
  const query = new URLSearchParams('table=7&table=8&note=%3Cb%3Ehi%3C%2Fb%3E&other=x&empty=');
  expect(contextIn(query, ['table', 'note', 'empty', 'missing'])).toEqual([
    { key: 'table', value: '7' },
    { key: 'note', value: '<b>hi</b>' },
  ]);
});

test('values that cannot be stored or are too long, one by one or in all, are left out', () => {
  const query = new URLSearchParams({ nul: 'a\0b', long: 'ü'.repeat(1025), fits: 'ü'.repeat(1024) });
  expect(contextIn(query, ['nul', 'long', 'fits']).map(({ key }) => key)).toEqual(['fits']);
  const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
  const large = new URLSearchParams(Object.fromEntries(keys.map((key) => [key, 'x'.repeat(2048)])));
  expect(contextIn(large, keys)).toHaveLength(8);
});

test('the id of a visit is short and plain', () => {
  expect(visitIn(new URLSearchParams('_visit=aZ-_9'))).toBe('aZ-_9');
  for (const wrong of ['', '_visit=', '_visit=a%20b', `_visit=${'a'.repeat(65)}`]) {
    expect(visitIn(new URLSearchParams(wrong))).toBeUndefined();
  }
});
