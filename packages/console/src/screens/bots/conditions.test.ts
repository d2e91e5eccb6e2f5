import { expect, test } from 'vitest';
import { lostConditions } from './conditions.ts';

/** A definition with a question that has these choices, and an end after the choice of l. */
const withChoices = (...values: string[]) => ({
  schemaVersion: 1,
  key: 'cups',
  name: 'Cups',
  type: 'Feedback',
  steps: [
    {
      id: 'size',
      kind: 'ask',
      text: 'Which size?',
      input: { type: 'choice', choices: values.map((value) => ({ value, label: value })) },
      next: [{ if: "answers.size == 'l'", goto: 'bye' }, { else: 'bye' }],
    },
    { id: 'bye', kind: 'end', text: 'Bye' },
  ],
});

test('a condition whose choice the newer definition lacks is lost, and no other', () => {
  const before = withChoices('s', 'l');
  expect(lostConditions(before, withChoices('s', 'm'))).toMatchObject([{ pointer: '/steps/0/next/0/if' }]);
  expect(lostConditions(before, withChoices('l', 's', 'm'))).toEqual([]);
});
