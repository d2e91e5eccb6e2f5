import {
  choiceRefusals,
  choices,
  describeChoices,
  inOrder,
  order,
  sayChoice,
  shownOrder,
  textsOfChoice,
} from '../parts/choices.ts';
import {
  checkOwn,
  choicesWithOther,
  countableWithOther,
  describeOther,
  isOwn,
  nameOf,
  other,
  type Own,
  ownWordsIn,
  ownWordsMax,
  reportWithOther,
  schemasOfOne,
  textOf,
} from '../parts/own-words.ts';
import { readChoice } from '../parts/read-choice.ts';
import { counted, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = { choices, other, order };

/** One of several choices, or words of the customer's own. */
export const choice = {
  ...plainValue,
  ...counted,
  name: 'choice',
  title: { en: 'One choice of several', de: 'Eine Auswahl aus mehreren' },
  options,
  docs: {
    options: '`choices`, `other` (`label`, `maxLength` 250), `order`',
    value: 'string: the `value`, or `other`',
  },
  valueForm: 'strings',
  effort: 'press',
  refusals: choiceRefusals,
  reportFaults: (rule, { locale }, report) => reportWithOther(rule, locale, report),
  inOrder: (rule, placeOf) => ({ ...rule, choices: inOrder(rule.choices, rule.order, placeOf) }),
  describeShown: (rule) => shownOrder(rule.choices, rule.order),
  celType: () => 'string',
  celValue: (_rule, value) => nameOf(value),
  ownWordsMax: (rule) => ownWordsMax(rule),
  ownWords: ownWordsIn,
  longestValue: (rule) => 'x'.repeat(Math.max(...rule.choices.map(({ value }) => value.length))),
  readText(rule, text, language) {
    const found = readChoice(choicesWithOther(rule), text, language);
    if (rule.other === undefined) return found;
    // The label alone says nothing yet.
    if (found === 'other') return { other: '' };
    return found ?? { other: text };
  },
  checkValue(rule, value) {
    if (isOwn(value)) return checkOwn(rule, value);
    return rule.choices.some((one) => one.value === value) && typeof value === 'string'
      ? { value }
      : { reason: 'not-a-choice' };
  },
  sayValue: (rule, value, say) => (isOwn(value) ? value.other : sayChoice(rule.choices, value, say)),
  scaleMax: () => undefined,
  evaluationText: textOf,
  describeRule: (rule, say) => ({
    choices: describeChoices(rule.choices, say),
    ...describeOther(rule, say),
  }),
  describeAnswers: (input) =>
    `one of these, by number or in words${input.other === undefined ? '' : `, or: ${input.other.label}`}`,
  clicks: ({ choices = [] }) => choices.map(({ value, label }) => ({ value, key: value, label })),
  modelSchema(rule) {
    const [known, ...own] = schemasOfOne(rule);
    const nothing = { type: ['string', 'null'], enum: [...rule.choices.map(({ value }) => value), null] };
    return own.length === 0 ? nothing : { anyOf: [known, ...own, { type: 'null' }] };
  },
  personalTexts: (rule, value) => (isOwn(value) ? [textOf(value)] : textsOfChoice(rule.choices, value)),
  redact: (value, remove) => (isOwn(value) ? { other: remove(value.other) } : remove(value)),
  figure: 'counts',
  countableValues: (rule) => countableWithOther(rule),
} satisfies QuestionType<RuleOf<'choice', typeof options>, string | Own, keyof typeof choiceRefusals>;
