import type { AuditEvent } from '@parley/client';
import { expect, test } from 'vitest';
import { changedText, idOfName, nameOfId, namesIn } from './known-value.ts';

test('a name stands for an id only if nobody else has it', () => {
  const known = { one: 'Operator', two: 'Operator', three: 'Ada' };
  expect(idOfName(known, 'Ada')).toBe('three');
  expect(idOfName(known, 'Operator')).toBeUndefined();
  expect(idOfName(known, 'Eve')).toBeUndefined();
});

test('actors and targets are known by their names, or by their ids', () => {
  const events = [
    { actor: { id: 'a', name: 'Ada' }, targets: [{ id: 'w' }, { id: 'b', name: 'Bot' }] },
    { actor: { id: 'operator', name: '' }, targets: [] },
  ] as unknown as AuditEvent[];
  expect(namesIn(events, ({ actor }) => [actor])).toEqual({ a: 'Ada', operator: 'operator' });
  expect(namesIn(events, ({ targets }) => targets)).toEqual({ w: 'w', b: 'Bot' });
  expect(namesIn(undefined, ({ actor }) => [actor])).toEqual({});
});

test('a value of a change is a text, also without a value', () => {
  expect([null, undefined, '', 'x', 0, false, ['a']].map(changedText)).toEqual([
    '–',
    '–',
    '–',
    'x',
    '0',
    'false',
    '["a"]',
  ]);
});

test('an id that is not known is shown as it is, whatever its text', () => {
  expect(nameOfId({ one: 'Ada' }, 'one')).toBe('Ada');
  for (const text of ['two', '__proto__', 'constructor']) expect(nameOfId({ one: 'Ada' }, text)).toBe(text);
});
