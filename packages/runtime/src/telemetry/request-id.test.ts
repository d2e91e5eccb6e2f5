import { expect, test } from 'vitest';
import { requestIdOf } from './request-id.ts';

test('a well-formed id is kept', () => {
  for (const id of ['a', 'A.b_c-1', 'x'.repeat(128)]) expect(requestIdOf(id)).toBe(id);
});

test('anything else is replaced', () => {
  for (const id of [undefined, '', 'a b', 'a\n', 'é', 'x'.repeat(129), ['a', 'b']]) {
    expect(requestIdOf(id)).toMatch(/^[0-9a-f-]{36}$/);
  }
});
