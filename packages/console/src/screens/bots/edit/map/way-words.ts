import { readCondition } from '@parley/bot/editing/conditions';
import type { Texts } from '../../../../texts/texts.tsx';
import { shortened, withoutPlaceholders } from '../../../../ui/words.ts';
import { operandForm } from '../steps/conditions/condition-form.ts';
import type { Outline } from '../steps/fields/outline.ts';
import type { Way } from './graph.ts';

type Words = Pick<Texts, 'steps' | 'editor'>;

/** Returns when a way is taken, in words; none for a way that is always taken. `own` is the id of its step. */
export function wayWords(
  words: Words,
  { kind, condition }: Way,
  values: Outline['values'],
  own: string,
): string {
  const { steps, editor } = words;
  if (kind === 'if') return capitalised(conditionWords(words, condition, values, `answers.${own}`));
  return { next: '', else: steps.otherwise, ...editor.map.ways }[kind];
}

/** How much of a question names its answer. */
const questionCharsMax = 24;

/**
 * Returns a condition as its rows say it, with the beginnings of questions for their answers. What rows cannot say
 * stays an expression. `own` is the value that goes without saying.
 */
export function conditionWords(
  { steps: t, editor }: Words,
  expression: string,
  values: Outline['values'],
  own?: string,
): string {
  const condition = readCondition(expression);
  if (!condition) return expression;
  const rows = condition.rows.map((row) => {
    const value = values.find(({ name }) => name === row.of);
    const form = operandForm(row, value, t);
    const operand = String(row.operand ?? '');
    const chosen =
      form.kind === 'choice' ? form.options.find((option) => option.value === operand) : undefined;
    const question = shortened(withoutPlaceholders(value?.question ?? '').trim(), questionCharsMax);
    const isAnswer = question !== '' && row.of.startsWith('answers.');
    const isOwn = row.of === own;
    const said = isAnswer ? editor.map.quoted(question) : (value?.label ?? row.of);
    return [
      isOwn ? '' : said,
      isOwn && chosen && row.comparison === '==' ? '' : t.comparisons[row.comparison],
      chosen ? editor.map.quoted(chosen.label) : operand,
    ]
      .filter((part) => part !== '')
      .join(' ');
  });
  return rows.join(editor.map.joins[condition.join]);
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
