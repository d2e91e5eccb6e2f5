import { compilePattern } from '#patterns';
import { foldCharacters } from '../../text/characters.ts';
import { bodyCharsMax, cleanText } from '../../text/clean-text.ts';
import { int, boundedText } from '../../text/format-text.ts';
import type { InputNeeds } from '../input.ts';
import type { CheckedOf, Report, RuleChecks, RuleOf } from '../question-type.ts';
import type { RefusalTexts } from '../refusal-texts.ts';
import { givenEntries, reportOrder, sayBounds } from './bounds.ts';
import { textValue, uncounted } from './values.ts';
import { messages } from '../../text/messages.ts';

/** The largest program size of a compiled pattern: checking an answer takes time in proportion. */
export const patternSizeMax = 1000;
/**
 * The largest product of a pattern's program size and the longest answer: checking an answer takes at most about 8 ms.
 */
export const patternWorkMax = 150_000;
/** The most patterns of a definition: compiling one takes up to 5 ms. */
export const patternsMax = 50;

const length = int(1, bodyCharsMax);

export const textOptions = {
  minLength: length,
  maxLength: length.describe('In UTF-16 code units, as in HTML. Default: 500 for text, 4000 for longText.'),
  pattern: boundedText(200).optional().describe('RE2; must match the whole answer.'),
};

type TextRule = RuleOf<'text' | 'longText', typeof textOptions>;

export const textRefusals = {
  'not-a-text': {
    en: 'Please answer with some text.',
    de: 'Bitte antworten Sie mit einem Text.',
    fr: 'Veuillez répondre par un texte.',
    es: 'Responda con un texto.',
    ar: 'يرجى الإجابة بنص.',
  },
  'too-short': {
    en: 'Please write at least {min} characters.',
    de: 'Bitte schreiben Sie mindestens {min} Zeichen.',
    fr: 'Veuillez écrire au moins {min} caractères.',
    es: 'Escriba al menos {min} caracteres.',
    ar: 'يرجى كتابة {min} من الأحرف على الأقل.',
  },
  'wrong-format': {
    en: 'This does not have the expected format.',
    de: 'Das hat nicht das erwartete Format.',
    fr: 'Cela n’a pas le format attendu.',
    es: 'Esto no tiene el formato esperado.',
    ar: 'هذا ليس بالصيغة المطلوبة.',
  },
} satisfies Record<string, RefusalTexts>;

/** Returns what a line and a longer text have in common. `charsMax`: without a `maxLength`. */
export function textUpTo(charsMax: number, isMultiline: boolean) {
  const lengthMax = ({ maxLength = charsMax }: TextRule): number => maxLength;
  return {
    ...textValue,
    ...uncounted,
    options: textOptions,
    docs: textDocs,
    valueForm: 'strings',
    refusals: textRefusals,
    reportFaults: (rule: TextRule, checks: RuleChecks, report: Report) => {
      reportOrder(rule.minLength, lengthMax(rule), 'minLength', 'maxLength', report);
      if (rule.pattern !== undefined) reportPattern(rule.pattern, lengthMax(rule), checks, report);
    },
    longestValue: (rule: TextRule) => 'x'.repeat(lengthMax(rule)),
    checkValue: (rule: TextRule, value: unknown) => {
      if (typeof value !== 'string') return { reason: 'not-a-text' as const };
      return checkText(rule, cleanText(value, isMultiline), lengthMax(rule));
    },
    describeRule: (rule: TextRule) => ({
      ...givenEntries({ minLength: rule.minLength }),
      maxLength: lengthMax(rule),
    }),
    describeAnswers: ({ minLength, maxLength }: InputNeeds) =>
      `text, ${sayBounds(minLength, maxLength)} characters`,
    modelSchema: () => ({ type: ['string', 'null'] }),
  };
}

const textDocs = {
  options: '`minLength`, `maxLength` (500, 4000), `pattern` (RE2, whole answer)',
  value: 'string',
};

function checkText(
  { minLength: min = 1, pattern }: TextRule,
  given: string,
  max: number,
): CheckedOf<string, keyof typeof textRefusals> {
  if (given === '') return { reason: 'empty' };
  if (given.length < min) return { reason: 'too-short', min };
  if (given.length > max) return { reason: 'too-long', max };
  if (pattern === undefined) return { value: given };
  const compiled = compilePattern(pattern);
  // A pattern may want ASCII of a customer whose keyboard writes full-width forms.
  const fitting = [given, foldCharacters(given)].find(
    (form) => form.length >= min && form.length <= max && compiled.matches(form),
  );
  return fitting === undefined ? { reason: 'wrong-format' } : { value: fitting };
}

function reportPattern(pattern: string, charsMax: number, checks: RuleChecks, report: Report): void {
  checks.patternsLeft -= 1;
  if (checks.patternsLeft < 0) {
    // Reported once.
    if (checks.patternsLeft === -1) report('/pattern', messages.manyPatterns(patternsMax));
    return;
  }
  try {
    const size = compilePattern(pattern).programSize();
    if (size > patternSizeMax) report('/pattern', messages.largePattern);
    else if (size * charsMax > patternWorkMax) {
      const allowed = Math.floor(patternWorkMax / size);
      report('/pattern', messages.slowPattern(charsMax, allowed));
    }
  } catch (error) {
    const why =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'not understood';
    report('/pattern', messages.noPattern(why));
  }
}
