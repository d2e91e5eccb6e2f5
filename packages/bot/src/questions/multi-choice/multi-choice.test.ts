import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { completes } from '../../../tests/completes.ts';
import { accepts, reads, readText, refuses, takes } from '../../../tests/answers.ts';
import type { LocalText } from '../../text/format-text.ts';
import { sayIn } from '../../text/template.ts';
import type { InputRule } from '../types.ts';
import { multiChoice } from './multi-choice.ts';

type Rule = Extract<InputRule, { type: 'multiChoice' }>;

const colours = ['red', 'green', 'blue'].map((value) => ({ value, label: value.toUpperCase() }));
const replies = [
  { value: 'confirm', label: "Yes, I'll be there" },
  { value: 'node.js', label: { en: 'Node.js, TypeScript', de: 'Node.js und TypeScript' } },
  { value: 'c', label: 'C' },
];
const fruits: InputRule = {
  type: 'multiChoice',
  choices: [
    { value: 'apple', label: 'りんご' },
    { value: 'orange', label: 'みかん' },
  ],
};

reads([
  [{ type: 'multiChoice', choices: replies }, 'c, Confirm', ['c', 'confirm']],
  [{ type: 'multiChoice', choices: replies }, 'node.js, typescript, c', ['node.js', 'c']],
  [{ type: 'multiChoice', choices: replies }, "C; C\nYes, I'll be there", ['c', 'confirm']],
  [{ type: 'multiChoice', choices: replies }, 'c, d', undefined],
  [{ type: 'multiChoice', choices: replies }, ',', undefined],
  [{ type: 'multiChoice', choices: replies, minSelections: 0 }, 'None', []],
  [{ type: 'multiChoice', choices: replies, minSelections: 0 }, 'c, none', undefined],
  [{ type: 'multiChoice', choices: replies }, 'none', undefined],
]);

accepts([
  [{ type: 'multiChoice', choices: colours }, ['blue', 'red'], ['red', 'blue']],
  [{ type: 'multiChoice', choices: colours, minSelections: 0 }, [], []],
]);

refuses([
  [{ type: 'multiChoice', choices: colours }, 'red', 'not-a-choice'],
  [{ type: 'multiChoice', choices: colours }, ['red', 'pink'], 'not-a-choice'],
  [{ type: 'multiChoice', choices: colours }, ['red', 'red'], 'chosen-twice'],
  [{ type: 'multiChoice', choices: colours }, [], 'too-few'],
  [{ type: 'multiChoice', choices: colours, maxSelections: 1 }, ['red', 'blue'], 'too-many'],
]);

takes([
  [fruits, 'りんご、みかん', ['apple', 'orange']],
  [fruits, 'みかん・りんご。', ['apple', 'orange']],
  [fruits, 'りんご，みかん', ['apple', 'orange']],
  [fruits, 'りんご؛みかん', ['apple', 'orange']],
]);

test('the body of an entry, typed again, gives the same answer', () => {
  const rule = { type: 'multiChoice', choices: replies } as const;
  fc.assert(
    fc.property(fc.subarray(replies, { minLength: 1 }), (chosen) => {
      const values = chosen.map(({ value }) => value);
      expect(
        readText(rule, multiChoice.sayValue(rule, values, sayIn({ locale: 'en', ownLocale: 'en' }))),
      ).toEqual(values);
    }),
  );
});

describe('a text with several choices', () => {
  const tags = Array.from(
    { length: 20 },
    (_, n) => `${'abcdefghijklmnopqrst'[n]}${'zyxwvutsrqponmlkjihg'[n]}`,
  );
  const label = (words: (n: number) => string): LocalText =>
    Object.fromEntries(tags.map((tag, n) => [tag, words(n)]));
  const rule = (words: (choice: number, language: number) => string): Rule => ({
    type: 'multiChoice',
    choices: Array.from({ length: 20 }, (_, choice) => ({
      value: `v${choice}`,
      label: label((n) => words(choice, n)),
    })),
  });

  test('takes linear time', () => {
    const many = rule((choice, n) => `${','.repeat(140)}${choice} ${n}`);
    for (const text of [
      '1'.repeat(1_000_000),
      '1,'.repeat(500_000),
      `${'!'.repeat(39)},`.repeat(25_000),
      `${'teamwork,'.repeat(50)}teamwork${' '.repeat(1_000_000)}x${',teamwork'.repeat(50)}`,
    ]) {
      const read = () => multiChoice.readText(many, text, { locale: 'az', ownLocale: 'az' });
      expect(completes(read)).toBeUndefined();
    }
  });
});

const none = { value: 'none', label: 'None of these', exclusive: true };
const open: InputRule = {
  type: 'multiChoice',
  choices: [...colours, none],
  minSelections: 2,
  other: { label: 'Else', maxLength: 30 },
};

reads([
  [open, 'blue, red', ['blue', 'red']],
  [open, 'blue, mauve, pink', ['blue', { other: 'mauve, pink' }]],
  [open, 'mauve, pink', [{ other: 'mauve, pink' }]],
  [open, 'none of these', ['none']],
  [open, 'red, else', ['red', { other: '' }]],
]);

accepts([
  [open, [{ other: ' red, or so ' }, 'blue'], ['blue', { other: 'red, or so' }]],
  // Chosen alone, whatever the number.
  [open, ['none'], ['none']],
]);

refuses([
  [open, ['none', 'red'], 'chosen-alone'],
  [open, ['none', { other: 'mauve' }], 'chosen-alone'],
  [open, ['red', { other: '' }], 'empty'],
  [open, [{ other: 'a' }, { other: 'b' }], 'chosen-twice'],
  [open, [{ other: 'mauve' }], 'too-few'],
  [{ type: 'multiChoice', choices: colours }, ['red', { other: 'mauve' }], 'not-a-choice'],
]);
