import type { DifferenceGroup } from '@parley/client';
import { expect, test } from 'vitest';
import { hasMoreGroups, missingForProof } from './proof-state.ts';

test('a proof needs the right to see conversations, and then that to see personal data', () => {
  expect(missingForProof(() => false)).toBe('interactions:read');
  expect(missingForProof((scope) => scope === 'interactions:read')).toBe('personal-data:read');
  expect(missingForProof((scope) => scope === 'personal-data:read')).toBe('interactions:read');
  expect(missingForProof(() => true)).toBeUndefined();
});

test('groups are only the first ones if conversations that differ are in none of them', () => {
  const groups = [2, 1].map((count) => ({ count }) as DifferenceGroup);
  expect(hasMoreGroups({ differing: 3, groups })).toBe(false);
  expect(hasMoreGroups({ differing: 4, groups })).toBe(true);
  expect(hasMoreGroups({ differing: 0, groups: [] })).toBe(false);
});
