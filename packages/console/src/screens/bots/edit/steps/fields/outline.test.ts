import { expect, test } from 'vitest';
import { en } from '../../../../../texts/en/en.ts';
import { fieldWords, keepSame, kindWords, outlineOf, stepLabel } from './outline.ts';

const { steps: t } = en;
const definition = {
  locale: 'en',
  context: [{ name: 'orderId' }],
  evaluation: { score: {} },
  steps: [
    {
      id: 'q',
      kind: 'ask',
      text: { en: 'How was it, {{customer.firstName|you}}?' },
      input: { type: 'text' },
    },
    { id: 'm', kind: 'llm', mode: 'chat', prompt: 'p', saveAs: 'talk' },
    { id: 'end', kind: 'end' },
  ],
};

test('steps and values are chosen by words', () => {
  const outline = outlineOf(t, { definition, steps: definition.steps });
  expect(outline.steps).toEqual([
    { id: 'q', label: '1. How was it, ‹first name›?' },
    { id: 'm', label: '2. Model: chat' },
    { id: 'end', label: '3. End' },
  ]);
  expect(outline.values.slice(0, 4).map(({ name, label }) => [name, label])).toEqual([
    ['answers.q', 'Answer: How was it, ‹first name›?'],
    ['answers.talk', 'Model: Talk'],
    ['context.orderId', 'Context: Order id'],
    ['customer.id', 'Customer: Id'],
  ]);
  expect(outline.values.at(-1)).toMatchObject({ name: 'evaluation.score', label: 'Result: Score' });
  expect(outline.keys).toEqual(['score']);
});

test('an outline stays the same object while a text goes on behind what is shown of it', () => {
  const asking = (text: string) => {
    const steps = [{ id: 'q', kind: 'ask', text, input: { type: 'text' } }, ...definition.steps.slice(1)];
    return outlineOf(t, { definition: { ...definition, steps }, steps });
  };
  const before = asking('How was it, and what could have been better?');
  expect(keepSame(before, asking('How was it, and what could have been better for you?'))).toBe(before);
  const next = keepSame(before, asking('Was it good?'));
  expect(next).toEqual(asking('Was it good?'));
  expect(next.keys).toBe(before.keys);
});

test('what has no words of its own is named by its name', () => {
  expect([
    kindWords(t, { kind: 'new-kind' }),
    fieldWords(t, 'newField'),
    fieldWords(t, 'constructor'),
  ]).toEqual(['New kind', 'New field', 'Constructor']);
  expect(stepLabel(t, {}, 0, 'en')).toBe('1. ');
});
