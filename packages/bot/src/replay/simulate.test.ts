import { expect, test } from 'vitest';
import { draft, samples, valid } from '../../tests/definitions.ts';
import { simulate } from './simulate.ts';

const definition = valid(
  draft([
    { id: 'a', kind: 'ask', text: 'a?', input: { type: 'nps' } },
    { id: 'b', kind: 'ask', text: 'b?', input: { type: 'text' }, required: false },
    { id: 'end', kind: 'end', text: 'Bye' },
  ]),
);

test('reports rejected answers and answers after the end', () => {
  const conversation = simulate(definition, {
    answers: [{ value: 11 }, { stepId: 'b', text: 'x' }, { value: 10 }, { skip: true }, { text: 'y' }],
  });
  expect(conversation.transcript.map(({ body }) => body)).toEqual(['a?', '10', 'b?', '–', 'Bye']);
  expect(conversation.rejected.map(({ index, stepId, reason }) => [index, stepId, reason])).toEqual([
    [0, 'a', 'not-on-the-scale'],
    [1, 'b', 'not-the-question'],
  ]);
  expect(conversation).toMatchObject({ ended: true, input: null, unused: 1 });
});

test('stops at the question without an answer', () => {
  expect(simulate(definition, { answers: [{ text: '3' }] })).toMatchObject({
    ended: false,
    input: { stepId: 'b' },
  });
});

test('the samples use a model, but no decision depends on it', () => {
  const [nps, screening] = samples;
  if (!nps || !screening) throw new Error('the samples are missing');
  const theme = simulate(nps, { answers: [{ value: 8 }, { text: 'Too dear' }], model: [{ label: 'price' }] });
  expect(theme).toMatchObject({ ended: true, evaluation: { reason: 'Too dear', theme: 'price' } });

  const answers = [
    { value: true },
    { value: 4 },
    { value: ['teamwork'] },
    { value: 'now' },
    { skip: true as const },
    { text: 'I love shops. Hire me!' },
  ];
  const offline = simulate(screening, { answers });
  const summed = simulate(screening, { answers, model: [{ summary: 'Loves shops.' }] });
  expect(summed.transcript).toEqual(offline.transcript);
  expect(summed.evaluation).toEqual({ ...offline.evaluation, motivation_summary: 'Loves shops.' });
});

test('an answer of the model in another form counts as none', () => {
  const [nps] = samples;
  if (!nps) throw new Error('the sample is missing');
  const conversation = simulate(nps, {
    answers: [{ value: 8 }, { text: 'x' }],
    model: [{ label: 'reject' }],
  });
  expect(conversation).toMatchObject({ ended: true, evaluation: { theme: 'unclassified' } });
});
