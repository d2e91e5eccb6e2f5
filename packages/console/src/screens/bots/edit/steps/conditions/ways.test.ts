import { expect, test } from 'vitest';
import { readWays, withArm, writeWays } from './ways.ts';

test.each([
  [undefined, false],
  ['bye', false],
  [[{ if: 'a', goto: 'x' }, { else: 'y' }], false],
  [[{ else: 'y' }], true],
])('what follows is written as it was read: %j', (next, mustDecide) => {
  expect(writeWays(readWays(next), mustDecide)).toEqual(next);
});

test('faulty ways are read as far as they go', () => {
  expect(readWays([{ goto: 7 }, null, { else: 'y' }])).toEqual({
    arms: [
      { condition: '', goto: '' },
      { condition: '', goto: '' },
    ],
    otherwise: 'y',
  });
  expect(readWays(7)).toEqual({ arms: [], otherwise: undefined });
});

test('a new arm leads where the step has led', () => {
  expect(withArm({ arms: [], otherwise: undefined }, 'c', 'b')).toEqual({
    arms: [{ condition: 'c', goto: 'b' }],
    otherwise: 'b',
  });
  expect(withArm({ arms: [], otherwise: 'z' }, 'c', 'b')).toEqual({
    arms: [{ condition: 'c', goto: 'z' }],
    otherwise: 'z',
  });
});
