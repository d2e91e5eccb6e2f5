import { int } from '../../text/format-text.ts';
import { reportOrder, sayBounds } from '../parts/bounds.ts';
import {
  choiceRefusals,
  choices,
  describeChoices,
  reportChoices,
  sayChoice,
  textsOfChoice,
} from '../parts/choices.ts';
import { bareWording, readChoices } from '../parts/read-choice.ts';
import { evaluationText } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = {
  choices,
  minSelections: int(0, 20).meta({ default: 1 }),
  maxSelections: int(1, 20).describe('Default: all.'),
};

const selectionRefusals = {
  ...choiceRefusals,
  'chosen-twice': {
    en: 'Please choose each option once only.',
    de: 'Bitte wählen Sie jede Möglichkeit nur einmal.',
    fr: 'Veuillez choisir chaque option une seule fois.',
    es: 'Elija cada opción una sola vez.',
    ar: 'يرجى اختيار كل خيار مرة واحدة فقط.',
  },
  'too-few': {
    en: 'Please choose at least {min}.',
    de: 'Bitte wählen Sie mindestens {min}.',
    fr: 'Veuillez en choisir au moins {min}.',
    es: 'Elija al menos {min}.',
    ar: 'يرجى اختيار {min} على الأقل.',
  },
  'too-many': {
    en: 'Please choose at most {max}.',
    de: 'Bitte wählen Sie höchstens {max}.',
    fr: 'Veuillez en choisir au plus {max}.',
    es: 'Elija como máximo {max}.',
    ar: 'يرجى اختيار {max} على الأكثر.',
  },
};

/** Several of the choices, in declared order. */
export const multiChoice = {
  name: 'multiChoice',
  options,
  docs: {
    options: '`choices`, `minSelections` (1), `maxSelections` (all)',
    value: 'list of strings',
  },
  valueForm: 'arrays of strings',
  effort: 'press',
  refusals: selectionRefusals,
  reportFaults({ choices: list, minSelections, maxSelections }, { locale }, report) {
    reportChoices(list, locale, report);
    reportOrder(minSelections ?? 1, maxSelections, 'minSelections', 'maxSelections', report);
    reportOrder(minSelections, list.length, 'minSelections', 'the number of choices', report);
    reportOrder(maxSelections, list.length, 'maxSelections', 'the number of choices', report);
  },
  celType: () => 'list<string>',
  celValue: (_rule, value) => value,
  longestValue: (rule) => rule.choices.map(({ value }) => value),
  readText(rule, text, language) {
    const isNone = rule.minSelections === 0 && bareWording(text) === 'none';
    return readChoices(rule.choices, text, language) ?? (isNone ? [] : undefined);
  },
  checkValue(rule, value) {
    const known = new Set(rule.choices.map((one) => one.value));
    if (!Array.isArray(value) || !value.every((one) => known.has(one))) return { reason: 'not-a-choice' };
    const chosen = new Set<unknown>(value);
    if (chosen.size < value.length) return { reason: 'chosen-twice' };
    const { minSelections: min = 1, maxSelections: max = known.size } = rule;
    if (chosen.size < min) return { reason: 'too-few', min };
    if (chosen.size > max) return { reason: 'too-many', max };
    return { value: [...known].filter((one) => chosen.has(one)) };
  },
  sayValue: (rule, value, say) => value.map((one) => sayChoice(rule.choices, one, say)).join(', '),
  scaleMax: () => undefined,
  evaluationText,
  describeRule: (rule, say) => ({
    choices: describeChoices(rule.choices, say),
    minSelections: rule.minSelections ?? 1,
    maxSelections: rule.maxSelections ?? rule.choices.length,
  }),
  describeAnswers: ({ minSelections, maxSelections }) =>
    `${sayBounds(minSelections, maxSelections)} of these, by numbers or in words, with commas between`,
  modelSchema: (rule) => ({
    type: ['array', 'null'],
    items: { type: 'string', enum: rule.choices.map(({ value }) => value) },
  }),
  personalTexts: (rule, value) => value.flatMap((one) => textsOfChoice(rule.choices, one)),
  figure: 'counts',
  countableValues: (rule) => rule.choices.map(({ value }) => value),
  countedValues: (text, countable) => text.split(',').filter((value) => countable.includes(value)),
} satisfies QuestionType<RuleOf<'multiChoice', typeof options>, string[], keyof typeof selectionRefusals>;
