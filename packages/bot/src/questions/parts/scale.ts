import { label } from '../../text/format-text.ts';
import type { LocalText } from '../../text/format-text.ts';
import type { TextLanguage } from '../../text/template.ts';
import { z } from 'zod';
import type { InputNeeds } from '../input.ts';
import { readNumber } from './read-number.ts';
import type { Click, Report, RuleChecks, Say } from '../question-type.ts';
import type { RefusalTexts } from '../refusal-texts.ts';
import { reportLabels } from './labels.ts';
import { counted, evaluationText, plainValue } from './values.ts';

export const scaleLabels = z
  .strictObject({ low: label, high: label })
  .optional()
  .meta({ id: 'scaleLabels', description: 'What the lowest and the highest value mean.' });

type Labelled = { labels?: { low: LocalText; high: LocalText } | undefined };
type Ends = { min: number; max: number };

/** Returns what the types have in common whose values are whole numbers on a scale. */
export function scaleBetween<Rule extends Labelled>(endsOf: (rule: Rule) => Ends) {
  const numbersOf = (rule: Rule): number[] => {
    const { min, max } = endsOf(rule);
    return Array.from({ length: max - min + 1 }, (_, at) => min + at);
  };
  return {
    ...plainValue,
    ...counted,
    valueForm: 'numbers',
    effort: 'press' as const,
    refusals: {
      'not-on-the-scale': {
        en: 'Please choose a number from {min} to {max}.',
        de: 'Bitte wählen Sie eine Zahl von {min} bis {max}.',
        fr: 'Veuillez choisir un nombre de {min} à {max}.',
        es: 'Elija un número del {min} al {max}.',
        ar: 'يرجى اختيار رقم من {min} إلى {max}.',
      },
    } satisfies Record<string, RefusalTexts>,
    reportFaults: ({ labels }: Rule, { locale }: RuleChecks, report: Report) =>
      reportLabels(labels, locale, report),
    celType: () => 'int' as const,
    celValue: (_rule: Rule, value: number) => BigInt(value),
    longestValue: () => 0,
    readText: (_rule: Rule, text: string, { locale }: TextLanguage): unknown => readNumber(text, locale),
    checkValue: (rule: Rule, value: unknown) => {
      const ends = endsOf(rule);
      if (typeof value === 'number' && Number.isInteger(value) && value >= ends.min && value <= ends.max)
        return { value: value + 0 }; // turns -0 into 0
      return { reason: 'not-on-the-scale' as const, ...ends };
    },
    sayValue: (_rule: Rule, value: number) => evaluationText(value),
    scaleMax: (rule: Rule) => endsOf(rule).max,
    evaluationText: (value: number) => evaluationText(value),
    describeRule: (rule: Rule, say: Say): InputNeeds => {
      const { labels } = rule;
      const shown = labels && { labels: { low: say(labels.low), high: say(labels.high) } };
      return { ...endsOf(rule), ...shown };
    },
    describeAnswers: ({ labels, min, max }: InputNeeds) =>
      labels ? `${min} ${labels['low']} … ${max} ${labels['high']}` : `${min} to ${max}`,
    clicks: ({ min, max }: InputNeeds): Click[] => {
      const [first, last] = [Number(min), Number(max)];
      return Array.from({ length: last - first + 1 }, (_, at) => {
        const text = String(first + at);
        return { value: first + at, key: text, label: text };
      });
    },
    modelSchema: (rule: Rule) => {
      const { min, max } = endsOf(rule);
      return { type: ['integer', 'null'], description: `${min} to ${max}` };
    },
    personalTexts: (_rule: Rule, value: number) => [evaluationText(value)],
    countableValues: (rule: Rule) => numbersOf(rule).map(String),
  };
}
