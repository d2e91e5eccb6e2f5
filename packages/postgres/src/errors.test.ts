import { AppError } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { classifyFault } from './errors.ts';

const codeOf = (state: string): string => {
  const fault = classifyFault(Object.assign(new Error('of a test'), { code: state }));
  return fault instanceof AppError ? fault.code : 'as it is';
};

test.each([
  ['the connection', ['08000', '08003', '08006', '08P01']],
  ['a server that stops, starts or has ended the session', ['57P01', '57P02', '57P03', '57P04', '57P05']],
  ['a transaction that was left alone, or took too long', ['25P03', '25P04']],
  ['a server that has nothing left', ['53000', '53100', '53200', '53300', '53400']],
  ['a server that only reads', ['25006']],
  ['a lost race', ['40001', '40P01', '55P03']],
])('a fault of %s is unavailable', (_name, states) => {
  expect(states.map(codeOf)).toEqual(states.map(() => 'unavailable'));
});

test('a statement that took too long is told apart, and what is wrong with one stays what it is', () => {
  expect(codeOf('57014')).toBe('deadline_exceeded');
  // A migration that is refused must end at once, and say why.
  for (const state of ['23505', '42P01', '42501', '28P01', '28000', '3D000']) {
    expect(codeOf(state)).toBe('as it is');
  }
});
