import { expect, test } from 'vitest';
import { classes } from './classes.ts';

test('names that are not set leave no gap', () => {
  expect(classes('a', false, undefined, '', 'b')).toBe('a b');
});
