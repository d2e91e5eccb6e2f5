import { expect, test } from 'vitest';
import { camelCase, snakeCase } from './case.ts';

test.each([
  ['id', 'id'],
  ['workspaceId', 'workspace_id'],
  ['isActiveSince', 'is_active_since'],
  ['idempotencyRecord', 'idempotency_record'],
])('%s is %s in SQL, and back', (ours, inSql) => {
  expect(snakeCase(ours)).toBe(inSql);
  expect(camelCase(inSql)).toBe(ours);
});

test('a name in the right case is unchanged', () => {
  expect(snakeCase('workspace_id')).toBe('workspace_id');
  expect(camelCase('workspaceId')).toBe('workspaceId');
  expect(camelCase('?column?')).toBe('?column?');
});
