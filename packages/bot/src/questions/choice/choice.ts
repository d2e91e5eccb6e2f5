import {
  choiceRefusals,
  choices,
  describeChoices,
  reportChoices,
  sayChoice,
  textsOfChoice,
} from '../parts/choices.ts';
import { readChoice } from '../parts/read-choice.ts';
import { oneCounted, textValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = { choices };

/** One of several choices. */
export const choice = {
  ...textValue,
  name: 'choice',
  options,
  docs: { options: '`choices`', value: 'string: the `value`' },
  valueForm: 'strings',
  effort: 'press',
  refusals: choiceRefusals,
  reportFaults: (rule, { locale }, report) => reportChoices(rule.choices, locale, report),
  longestValue: (rule) => 'x'.repeat(Math.max(...rule.choices.map(({ value }) => value.length))),
  readText: (rule, text, language) => readChoice(rule.choices, text, language),
  checkValue: (rule, value) =>
    rule.choices.some((one) => one.value === value) && typeof value === 'string'
      ? { value }
      : { reason: 'not-a-choice' },
  sayValue: (rule, value, say) => sayChoice(rule.choices, value, say),
  describeRule: (rule, say) => ({ choices: describeChoices(rule.choices, say) }),
  describeAnswers: () => 'one of these, by number or in words',
  modelSchema: (rule) => ({
    type: ['string', 'null'],
    enum: [...rule.choices.map(({ value }) => value), null],
  }),
  personalTexts: (rule, value) => textsOfChoice(rule.choices, value),
  figure: 'counts',
  countableValues: (rule) => rule.choices.map(({ value }) => value),
  countedValues: oneCounted,
} satisfies QuestionType<RuleOf<'choice', typeof options>, string, keyof typeof choiceRefusals>;
