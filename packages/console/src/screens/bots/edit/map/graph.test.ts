import { expect, test } from 'vitest';
import { checkDefinition } from '../check.ts';
import { graphOf, marksBesideReach } from './graph.ts';

const say = (id: string, more: object = {}) => ({ id, kind: 'say', text: id, ...more });

test('the ways of a step are its arms, what follows, and its exceptions', () => {
  const { ways, isReached } = graphOf([
    {
      id: 'a',
      kind: 'ask',
      when: 'true',
      retry: { goto: 'd' },
      next: [{ if: 'x', goto: 'c' }, { else: 'b' }],
    },
    { id: 'b', kind: 'llm', onError: { goto: 'd' } },
    say('c', { next: 'd' }),
    { id: 'd', kind: 'end' },
  ]);
  expect(ways).toEqual([
    { from: 0, to: 2, kind: 'if', condition: 'x' },
    { from: 0, to: 1, kind: 'else', condition: '' },
    { from: 0, to: 3, kind: 'invalid', condition: '' },
    { from: 0, to: 1, kind: 'skip', condition: 'true' },
    { from: 1, to: 2, kind: 'next', condition: '' },
    { from: 1, to: 3, kind: 'failed', condition: '' },
    { from: 2, to: 3, kind: 'next', condition: '' },
  ]);
  expect(isReached).toEqual([true, true, true, true]);
});

test('a step is reached neither if no way leads to it nor if its ways are never taken', () => {
  const steps = [
    say('a', { next: [{ if: 'false', goto: 'c' }, { else: 'd' }] }),
    say('b'),
    say('c'),
    { id: 'd', kind: 'end' },
  ];
  expect(graphOf(steps).isReached).toEqual([true, false, false, true]);
});

test('faulty parts are left out, and steps with the same id are different steps', () => {
  const { ways, isReached } = graphOf([
    say('a', { next: 'nowhere' }),
    say('a', { when: 1, next: [null, { if: 2, goto: 'end' }] }),
    {},
    { kind: 'llm' },
    { id: 'b', kind: 'ask', retry: 'x', next: 'a' },
    { id: 'end', kind: 'end', next: 'a' },
  ]);
  expect(ways).toEqual([
    { from: 1, to: 5, kind: 'if', condition: '' },
    { from: 2, to: 3, kind: 'next', condition: '' },
    { from: 3, to: 4, kind: 'next', condition: '' },
    { from: 4, to: 0, kind: 'next', condition: '' },
  ]);
  expect(isReached).toEqual([true, false, false, false, false, false]);
  expect(graphOf([])).toEqual({ ways: [], isReached: [] });
});

test('that no way leads to a step is said once', () => {
  const steps = [say('a', { next: 'c' }), say('b', { text: '' }), { id: 'c', kind: 'end' }];
  const { marks } = checkDefinition(
    JSON.stringify({ schemaVersion: 1, key: 'k', name: 'n', type: 't', steps: [...steps, say('d')] }),
  );
  expect(marks.map(({ pointer }) => pointer)).toContain('/steps/1/text');
  const unreached = { from: 0, to: 1, severity: 'error' as const, pointer: '/steps/1' };
  const said = { ...unreached, message: 'No path leads to the step "b".' };
  expect(marksBesideReach([said, ...marks])).toEqual(marks);
});
