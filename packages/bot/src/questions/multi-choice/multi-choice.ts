import { z } from 'zod';
import { flag, int } from '../../text/format-text.ts';
import { reportOrder, sayBounds } from '../parts/bounds.ts';
import {
  type Choice,
  choiceRefusals,
  describeChoices,
  inOrder,
  oneChoice,
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
  redactOwn,
  reportWithOther,
  schemasOfOne,
  textOf,
} from '../parts/own-words.ts';
import { bareWording, readChoicesIn } from '../parts/read-choice.ts';
import { counted, plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const choices = z
  .array(
    oneChoice.extend({
      exclusive: flag(false, 'True for one that is chosen alone, such as “none of these”.'),
    }),
  )
  .min(1)
  .max(20)
  .meta({ id: 'severalChoices' });

const options = {
  choices,
  minSelections: int(0, 20).meta({ default: 1 }),
  maxSelections: int(1, 20).describe('Default: all.'),
  other,
  order,
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
  'chosen-alone': {
    en: 'One of these answers is chosen alone.',
    de: 'Eine dieser Antworten wird allein gewählt.',
    fr: 'L’une de ces réponses se choisit seule.',
    es: 'Una de estas respuestas se elige sola.',
    ar: 'تُختار إحدى هذه الإجابات وحدها.',
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

type Rule = RuleOf<'multiChoice', typeof options>;
type Value = (string | Own)[];

/** Several of the choices, in declared order, and last the customer's own words. */
export const multiChoice = {
  ...plainValue,
  ...counted,
  name: 'multiChoice',
  title: { en: 'Several choices', de: 'Mehrfachauswahl' },
  options,
  docs: {
    options: '`choices`, `minSelections`, `maxSelections`, `other`, `order`',
    value: 'list of strings',
  },
  valueForm: 'arrays of strings',
  effort: 'press',
  refusals: selectionRefusals,
  reportFaults(rule, { locale }, report) {
    const { minSelections, maxSelections } = rule;
    const all = choicesWithOther(rule).length;
    reportWithOther(rule, locale, report);
    reportOrder(minSelections ?? 1, maxSelections, 'minSelections', 'maxSelections', report);
    reportOrder(minSelections, all, 'minSelections', 'the number of choices', report);
    reportOrder(maxSelections, all, 'maxSelections', 'the number of choices', report);
  },
  inOrder: (rule, placeOf) => ({ ...rule, choices: inOrder(rule.choices, rule.order, placeOf) }),
  describeShown: (rule) => shownOrder(rule.choices, rule.order),
  celType: () => 'list<string>',
  celValue: (_rule, value) => value.map(nameOf),
  ownWordsMax: (rule) => ownWordsMax(rule),
  ownWords: ownWordsIn,
  longestValue: (rule) => countableWithOther(rule),
  readText(rule, text, language) {
    const { values, rest } = readChoicesIn(choicesWithOther(rule), text, language);
    const isNone = rule.minSelections === 0 && bareWording(text) === 'none';
    if (isNone && values.length === 0) return [];
    if (rule.other === undefined) return values.length === 0 || rest.length > 0 ? undefined : values;
    const chosen = values.filter((value) => value !== 'other');
    if (rest.length === 0 && chosen.length === values.length) return chosen;
    return [...chosen, { other: chosen.length === 0 && values.length === 0 ? text : rest.join(', ') }];
  },
  checkValue(rule, value) {
    const known = new Map(rule.choices.map((one): [unknown, Choice] => [one.value, one]));
    if (!Array.isArray(value) || !value.every((one) => known.has(one) || isOwn(one))) {
      return { reason: 'not-a-choice' };
    }
    const chosen = new Set<unknown>(value.filter((one) => known.has(one)));
    const [own, ...more]: unknown[] = value.filter(isOwn);
    if (chosen.size + (own === undefined ? 0 : 1) < value.length || more.length > 0) {
      return { reason: 'chosen-twice' };
    }
    const words = isOwn(own) ? checkOwn(rule, own) : undefined;
    if (words !== undefined && !('value' in words)) return words;
    const checked = [
      ...rule.choices.flatMap((one) => (chosen.has(one.value) ? [one.value] : [])),
      ...(words === undefined ? [] : [words.value]),
    ];
    const isAlone = [...chosen].some((one) => known.get(one)?.exclusive === true);
    if (isAlone) return checked.length > 1 ? { reason: 'chosen-alone' } : { value: checked };
    const { minSelections: min = 1, maxSelections: max = choicesWithOther(rule).length } = rule;
    if (checked.length < min) return { reason: 'too-few', min };
    if (checked.length > max) return { reason: 'too-many', max };
    return { value: checked };
  },
  sayValue: (rule, value, say) =>
    value.map((one) => (isOwn(one) ? one.other : sayChoice(rule.choices, one, say))).join(', '),
  scaleMax: () => undefined,
  evaluationText: (value) => value.map(textOf).join(','),
  describeRule: (rule, say) => ({
    choices: describeChoices(rule.choices, say),
    minSelections: rule.minSelections ?? 1,
    maxSelections: rule.maxSelections ?? choicesWithOther(rule).length,
    ...describeOther(rule, say),
  }),
  describeAnswers: (input) =>
    `${sayBounds(input.minSelections, input.maxSelections)} of these, by numbers or in words, with commas between` +
    (input.other === undefined ? '' : `; or: ${input.other.label}`),
  modelSchema(rule) {
    const [known, ...own] = schemasOfOne(rule);
    return { type: ['array', 'null'], items: own.length === 0 ? known : { anyOf: [known, ...own] } };
  },
  personalTexts: (rule, value) =>
    value.flatMap((one) => (isOwn(one) ? [textOf(one)] : textsOfChoice(rule.choices, one))),
  redact: (value, remove) => value.map((one) => redactOwn(one, remove)),
  figure: 'counts',
  countableValues: (rule) => countableWithOther(rule),
  partsOf: (text) => text.split(','),
} satisfies QuestionType<Rule, Value, keyof typeof selectionRefusals>;
