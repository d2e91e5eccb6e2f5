import { expect, test } from 'vitest';
import { idOfName } from './audit-filters.tsx';

test('a name stands for an id only if nobody else has it', () => {
  const known = { one: 'Operator', two: 'Operator', three: 'Ada' };
  expect(idOfName(known, 'Ada')).toBe('three');
  expect(idOfName(known, 'Operator')).toBeUndefined();
  expect(idOfName(known, 'Eve')).toBeUndefined();
});
