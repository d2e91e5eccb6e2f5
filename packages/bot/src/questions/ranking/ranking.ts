import { z } from 'zod';
import { int } from '../../text/format-text.ts';
import { reportOrder } from '../parts/bounds.ts';
import {
  choiceRefusals,
  describeChoices,
  inOrder,
  oneChoice,
  order,
  reportChoices,
  sayChoice,
  shownOrder,
  textsOfChoice,
} from '../parts/choices.ts';
import { wordsOrChoices } from '../parts/read-choice.ts';
import { plainValue } from '../parts/values.ts';
import type { QuestionType, RuleOf } from '../question-type.ts';

const options = {
  choices: z.array(oneChoice).min(2).max(25).meta({ id: 'rankedChoices' }),
  rankMax: int(1, 25).describe('How many places are given. Default: all.'),
  order,
};

const rankingRefusals = {
  ...choiceRefusals,
  'ranked-twice': {
    en: 'Please give each one a single place.',
    de: 'Bitte geben Sie jedem nur einen Platz.',
    fr: 'Veuillez donner à chacun une seule place.',
    es: 'Dé a cada uno un solo lugar.',
    ar: 'يرجى إعطاء كل خيار مكانًا واحدًا.',
  },
  'wrong-places': {
    en: 'Please put {min} of them in order.',
    de: 'Bitte bringen Sie {min} davon in eine Reihenfolge.',
    fr: 'Veuillez en classer {min}.',
    es: 'Ordene {min} de ellos.',
    ar: 'يرجى ترتيب {min} منها.',
  },
};

type Rule = RuleOf<'ranking', typeof options>;

const separator = ', ';
const wordsOfPlaces = ['first', 'second', 'third', 'fourth', 'fifth'];

/** The choices in the customer's order, the best first. */
export const ranking = {
  ...plainValue,
  name: 'ranking',
  title: { en: 'Ranking', de: 'Rangfolge' },
  options,
  docs: { options: '`choices` (2 to 25), `rankMax` (all), `order`', value: 'list of strings in order' },
  valueForm: 'arrays of strings',
  effort: 'line',
  refusals: rankingRefusals,
  reportFaults({ choices, rankMax }, { locale }, report) {
    reportChoices(choices, locale, report);
    reportOrder(rankMax, choices.length, 'rankMax', 'the number of choices', report);
  },
  inOrder: (rule, placeOf) => ({ ...rule, choices: inOrder(rule.choices, rule.order, placeOf) }),
  describeShown: (rule) => shownOrder(rule.choices, rule.order),
  celType: () => 'list<string>',
  celValue: (_rule, value) => value,
  longestValue: (rule) => rule.choices.map(({ value }) => value),
  readText: (rule, text, language) =>
    placedIn(
      [...wordsOrChoices(rule.choices, text, language)],
      rule.choices.map(({ value }) => value),
    )?.slice(0, placesOf(rule)),
  checkValue(rule, value) {
    const known = new Set<unknown>(rule.choices.map((one) => one.value));
    if (!Array.isArray(value) || !value.every((one): one is string => known.has(one))) {
      return { reason: 'not-a-choice' };
    }
    if (new Set(value).size < value.length) return { reason: 'ranked-twice' };
    const min = placesOf(rule);
    return value.length === min ? { value: [...value] } : { reason: 'wrong-places', min };
  },
  sayValue: (rule, value, say) =>
    value.map((one, index) => `${index + 1}. ${sayChoice(rule.choices, one, say)}`).join('\n'),
  scaleMax: () => undefined,
  evaluationText: (value) => value.join(separator),
  describeRule: (rule, say) => ({
    choices: describeChoices(rule.choices, say),
    rankMax: placesOf(rule),
  }),
  describeAnswers: ({ choices = [], rankMax }) =>
    `${rankMax === choices.length ? 'all' : `the best ${rankMax}`} of these in your order, by numbers or in words, ` +
    'with commas between; or: first …',
  modelSchema: (rule) => ({
    type: ['array', 'null'],
    items: { type: 'string', enum: rule.choices.map(({ value }) => value) },
    description: `The best ${placesOf(rule)}, in the customer's order`,
  }),
  personalTexts: (rule, value) => value.flatMap((one) => textsOfChoice(rule.choices, one)),
  figure: 'ranks',
  countableValues: (rule) => rule.choices.map(({ value }) => value),
  partsOf: (text) => text.split(separator),
  countedValues: (parts, countable) =>
    parts.flatMap((part, index) => (countable.includes(part) ? [`${index + 1}/${part}`] : [])),
} satisfies QuestionType<Rule, string[], keyof typeof rankingRefusals>;

function placesOf({ choices, rankMax = choices.length }: Rule): number {
  return Math.min(rankMax, choices.length);
}

/** Returns the index of a place: `first`, `1.`, `1st`, `#1`, or `last` of so many; undefined for any other word. */
function placeOf(word: string, places: number): number | undefined {
  const bare = word.toLowerCase().replaceAll(/[.:)(#]/g, '');
  if (bare === 'last') return places - 1;
  const named = wordsOfPlaces.indexOf(bare);
  if (named >= 0) return named;
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(bare)?.[1];
  return digits === undefined || digits === '0' ? undefined : Number(digits) - 1;
}

/**
 * Returns all values in the order of a text: `b a c`, `2. a, 1. b`, `first b`. If places are named, or one choice is
 * left out, the others follow as they were shown. Undefined if the text says something else.
 */
function placedIn(words: ({ value: string } | { word: string })[], shown: string[]): string[] | undefined {
  const places: (string | undefined)[] = shown.map(() => undefined);
  const [head] = words;
  const isBefore = head !== undefined && 'word' in head;
  let named = 0;
  let next: number | undefined;
  let lastAt: number | undefined;
  const given = new Set<string>();
  for (const one of words) {
    if ('value' in one) {
      if (given.has(one.value)) return undefined;
      given.add(one.value);
      lastAt = next ?? places.findIndex((place) => place === undefined);
      if (places[lastAt] !== undefined) return undefined;
      places[lastAt] = one.value;
      next = undefined;
      continue;
    }
    const place = placeOf(one.word, shown.length);
    if (place === undefined || place >= shown.length) return undefined;
    named += 1;
    if (isBefore) next = place;
    else if (lastAt !== undefined && lastAt !== place) {
      if (places[place] !== undefined) return undefined;
      places[place] = places[lastAt];
      places[lastAt] = undefined;
    }
  }
  const rest = shown.filter((value) => !given.has(value));
  if (given.size === 0 || (named === 0 && rest.length > 1)) {
    return given.size === 0 ? undefined : [...given];
  }
  return places.map((place) => place ?? rest.shift() ?? '');
}
