import type { CelType } from '../expressions/cel-types.ts';
import type { InputNeeds } from '../questions/input.ts';
import { customerFields } from '../plan/conversation.ts';
import { outputsOf } from '../plan/outputs.ts';
import type { Step } from '../definition/format.ts';
import { type InputRule, typeOf } from '../questions/types.ts';
import { localText, sayIn } from '../text/template.ts';
import { stepsIn } from './references.ts';

/** The functions of expressions. */
export { allowedFunctions as conversationFunctions } from '../expressions/cel.ts';

/** A value that conditions can compare, and texts can name. */
export interface KnownValue {
  /** As in expressions, such as `answers.score`. */
  name: string;
  /** The text of its question; undefined for a value of another kind. */
  question: string | undefined;
  type: CelType;
  /** What the answer may be, as customers see it. */
  needs: InputNeeds;
}

/** Returns the values of a definition that may have faults. Faulty steps are left out. */
export function knownValues(definition: Record<string, unknown>): KnownValue[] {
  const ownLocale = typeof definition['locale'] === 'string' ? definition['locale'] : 'en';
  const say = sayIn({ locale: ownLocale, ownLocale });
  const answers = stepsIn(definition).flatMap((step): KnownValue[] => {
    try {
      return outputsOf(step as Step).flatMap(({ name, rule }) => {
        if (name === undefined) return [];
        const type = typeOf(rule);
        const text = 'text' in step ? localText(step['text'] as string, ownLocale, ownLocale) : undefined;
        const needs = type.describeRule(rule, say, 0);
        const value = { name: `answers.${name}`, question: text, type: type.celType(rule), needs };
        const own = { name: `others.${name}`, question: text, type: 'string' as const, needs: {} };
        return [value, ...rowsOf(value), ...(type.ownWordsMax(rule) > 0 ? [own] : [])];
      });
    } catch {
      return [];
    }
  });
  const context = Array.isArray(definition['context']) ? (definition['context'] as unknown[]) : [];
  const names = context.flatMap((property) => nameOf(property) ?? []);
  const { evaluation } = definition;
  const keys = typeof evaluation === 'object' && evaluation !== null ? Object.keys(evaluation) : [];
  const texts = [
    ...names.map((name) => `context.${name}`),
    ...customerFields.map((field) => `customer.${field}`),
    ...keys.map((key) => `evaluation.${key}`),
  ];
  return [
    ...answers,
    ...texts.map((name): KnownValue => ({ name, question: undefined, type: 'string', needs: {} })),
  ];
}

/** Returns the answers of the rows of a table. */
function rowsOf({ name, needs: { rows = [], columns = [] }, question }: KnownValue): KnownValue[] {
  return rows
    .filter(({ value }) => /^[A-Za-z]\w*$/.test(value))
    .map(({ value, label }) => ({
      name: `${name}.${value}`,
      question: `${question ?? ''} ${label}`.trim(),
      type: 'string',
      needs: { choices: columns },
    }));
}

/** A question as customers see it. */
export interface DescribedInput {
  needs: InputNeeds;
  /** What an answer costs: a press, a line or a longer text. */
  effort: 'press' | 'line' | 'text';
}

/** Returns undefined for a rule that has faults. */
export function describeInput(input: unknown, locale: string): DescribedInput | undefined {
  try {
    const rule = input as InputRule;
    const type = typeOf(rule);
    return { needs: type.describeRule(rule, sayIn({ locale, ownLocale: locale }), 0), effort: type.effort };
  } catch {
    return undefined;
  }
}

function nameOf(property: unknown): string | undefined {
  const { name } = (property ?? {}) as Record<string, unknown>;
  return typeof name === 'string' ? name : undefined;
}
