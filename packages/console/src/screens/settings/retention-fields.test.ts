import { expect, test } from 'vitest';
import { retentionFields, retentionOf } from './retention-fields.ts';

test('an empty field stands for no limit, in both directions', () => {
  const retention = { completedDays: 30, endedDays: null, draftDays: 1 };
  const fields = { completedDays: '30', endedDays: '', draftDays: '1' };
  expect(retentionFields(retention)).toEqual(fields);
  expect(retentionOf(fields)).toEqual(retention);
});
