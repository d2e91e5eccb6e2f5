import { expect, test } from 'vitest';
import { draft, valid } from '../tests/definitions.ts';
import { simulate } from './simulate.ts';

const definition = valid(
  draft([
    { id: 'a', kind: 'ask', text: 'a?', input: { type: 'nps' } },
    { id: 'b', kind: 'ask', text: 'b?', input: { type: 'text' }, required: false },
    { id: 'end', kind: 'end', text: 'Bye' },
  ]),
);

test('tells what was refused and what came too late', () => {
  const talk = simulate(definition, {
    answers: [{ value: 11 }, { stepId: 'b', text: 'x' }, { value: 10 }, { skip: true }, { text: 'y' }],
  });
  expect(talk.transcript.map(({ body }) => body)).toEqual(['a?', '10', 'b?', '–', 'Bye']);
  expect(talk.rejected.map(({ index, stepId, reason }) => [index, stepId, reason])).toEqual([
    [0, 'a', 'not-on-the-scale'],
    [1, 'b', 'not-the-question'],
  ]);
  expect(talk).toMatchObject({ ended: true, input: null, unused: 1 });
});

test('stops at the question that no answer is left for', () => {
  expect(simulate(definition, { answers: [{ text: '3' }] })).toMatchObject({
    ended: false,
    input: { stepId: 'b' },
  });
});
