import { expect, test } from 'vitest';
import { hiddenIn, toggledColumn } from './column-choice.ts';

const columns = [{ id: 'status' }, { id: 'started', isOptional: true }, { id: 'updated', isOptional: true }];

test('optional columns are hidden until they are chosen, others when they are', () => {
  expect(hiddenIn({}, columns)).toEqual(expect.arrayContaining(['started', 'updated']));
  expect(hiddenIn({}, columns)).not.toContain('status');
  const hidden = hiddenIn({ hide: 'status', show: 'started' }, columns);
  expect(hidden).toEqual(['status', 'updated']);
});

test('a choice changes its list of the address, and a second one takes it back', () => {
  const search = { show: 'started', status: 'Pending' };
  expect(toggledColumn(search, { id: 'updated', isOptional: true })).toEqual({ show: 'started,updated' });
  expect(toggledColumn(search, { id: 'started', isOptional: true })).toEqual({ show: '' });
  expect(toggledColumn({}, { id: 'status' })).toEqual({ hide: 'status' });
  expect(toggledColumn({ hide: 'status' }, { id: 'status' })).toEqual({ hide: '' });
});
