import { expect, test } from 'vitest';
import { statementName } from './statement.ts';

test('a statement has a stable, unique name', () => {
  const name = statementName('select $1::int');
  expect(statementName('select $1::int')).toBe(name);
  expect(statementName('select $1::text')).not.toBe(name);
  expect(name.length).toBeLessThan(64);
});
