import { AppError } from '@parley/runtime/errors';
import { expect, test } from 'vitest';
import { classifyFault } from './errors.ts';

const codeOf = (state: string): string => {
  const fault = classifyFault(Object.assign(new Error('of a test'), { code: state }));
  return fault instanceof AppError ? fault.code : 'unchanged';
};

test.each([
  ['the connection', ['08000', '08003', '08006', '08P01']],
  ['a server that stops, starts or has ended the session', ['57P01', '57P02', '57P03', '57P04', '57P05']],
  ['a transaction that was idle or took too long', ['25P03', '25P04']],
  ['a server without resources', ['53000', '53100', '53200', '53300', '53400']],
  ['a read-only server', ['25006']],
  ['a lost race', ['40001', '40P01', '55P03']],
])('a fault of %s is unavailable', (_name, states) => {
  expect(states.map(codeOf)).toEqual(states.map(() => 'unavailable'));
});

test('a statement time-out is deadline_exceeded, and the fault of a statement is unchanged', () => {
  expect(codeOf('57014')).toBe('deadline_exceeded');
  // A rejected migration must end at once with its reason.
  for (const state of ['23505', '42P01', '42501', '28P01', '28000', '3D000']) {
    expect(codeOf(state)).toBe('unchanged');
  }
});
