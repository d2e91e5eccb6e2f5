import { expect, test } from 'vitest';
import { describeInput, knownValues } from './known-values.ts';

test('values have the words of their question, their type and what customers can answer', () => {
  const values = knownValues({
    locale: 'de',
    context: [{ name: 'order' }, 7],
    evaluation: { sum: {} },
    steps: [
      {
        id: 'plan',
        kind: 'ask',
        text: { en: 'Which?', de: 'Welches?' },
        input: {
          type: 'choice',
          choices: [{ value: 'a', label: { en: 'A', de: 'Ah' } }],
          other: { label: 'Else' },
        },
      },
      { id: 'model', kind: 'llm', mode: 'classify', saveAs: 'mood', prompt: 'p', labels: ['good', 'bad'] },
      { id: 'faulty', kind: 'ask', text: 'x', input: { type: 'unknown' } },
      'no step',
    ],
  });
  expect(values.map(({ name, question, type }) => [name, question, type]).slice(0, 4)).toEqual([
    ['answers.plan', 'Welches?', 'string'],
    ['others.plan', 'Welches?', 'string'],
    ['answers.mood', undefined, 'string'],
    ['context.order', undefined, 'string'],
  ]);
  expect(values[0]?.needs.choices).toEqual([{ value: 'a', label: 'Ah' }]);
  expect(values.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['customer.firstName', 'evaluation.sum']),
  );
  expect(knownValues({})).not.toEqual([]);
});

test('each row of a table is a value, and a question is described as customers see it', () => {
  const label = (value: string) => ({ value, label: value.toUpperCase() });
  const input = { type: 'matrix', rows: [label('a'), label('2')], columns: [label('x'), label('y')] };
  const values = knownValues({ steps: [{ id: 'm', kind: 'ask', text: 'How?', input }] });
  expect(values.slice(0, 3).map(({ name, question }) => [name, question])).toEqual([
    ['answers.m', 'How?'],
    ['answers.m.a', 'How? A'],
    ['customer.id', undefined],
  ]);
  expect(describeInput(input, 'en')).toMatchObject({
    effort: 'text',
    needs: { columns: [label('x'), label('y')] },
  });
  expect(describeInput({ type: 'matrix' }, 'en')).toBeUndefined();
});
