import type { z } from 'zod';
import type { CelType, CelValue } from '../expressions/cel-types.ts';
import type { LocalText } from '../text/format-text.ts';
import type { Language } from '../text/template.ts';
import type { InputNeeds, InputOf } from './input.ts';
import type { CommonReason, RefusalTexts } from './refusal-texts.ts';

/** A rule of a type: what an author writes as the `input` of a step. */
export type RuleOf<Name extends string, Options extends z.ZodRawShape> = z.infer<
  z.ZodObject<{ type: z.ZodLiteral<Name> } & Options, z.core.$strict>
>;

/** Why an answer is refused: a stable slug, and the limits that its text names. */
export type RefusalOf<Reason extends string> = {
  reason: Reason;
  min?: number | string;
  max?: number | string;
};

/** A value in canonical form, or why it is refused. */
export type CheckedOf<Value, Reason extends string> = { value: Value } | RefusalOf<Reason | CommonReason>;

/** Returns a text of the author in the language of the conversation. */
export type Say = (text: LocalText) => string;

/** Reports a fault at a JSON pointer inside the rule. */
export type Report = (pointer: string, detail: string) => void;

/** What the checks of a definition's rules have in common. The locale is undefined if it could not be read. */
export type RuleChecks = { locale: string | undefined; patternsLeft: number };

/**
 * A type of question: everything that the engine, the validator, the model, the terminal and the figures need to know
 * of it. `types.ts` lists all types. Texts are UTF-16, `now` is in epoch seconds.
 */
export interface QuestionType<Rule extends { type: string }, Value, Reason extends string = never> {
  /** The `type` of a rule and of a question in the API. */
  name: Rule['type'];
  /** The options of a rule. Types that share this object are one alternative of the JSON Schema. */
  options: z.ZodRawShape;
  /** Options and values as a row of docs/bots.md has them. Types with equal rows share one. */
  docs: { options: string; value: string };
  /** How the API's documentation names the form of its values, in the plural. */
  valueForm: string;

  /** Reports options that contradict each other or cannot work. */
  reportFaults(rule: Rule, checks: RuleChecks, report: Report): void;
  /** What an answer costs: a press, a line or a longer text. */
  effort: 'press' | 'line' | 'text';

  celType(rule: Rule): CelType;
  celValue(rule: Rule, value: Value): CelValue;
  /** Returns a valid value of the largest size, by which the work of expressions is bounded. */
  longestValue(rule: Rule): Value;

  /** Returns what free text means; undefined if nothing or several things. `checkValue` must accept the result. */
  readText(rule: Rule, text: string, language: Language): unknown;
  /** The texts of the reasons that only this type, or a few, have. */
  refusals: Readonly<Record<Reason, RefusalTexts>>;
  /** Returns a value of the API in canonical form, or why it is refused. `now` decides what `today` is. */
  checkValue(rule: Rule, value: unknown, now: number): CheckedOf<Value, Reason>;
  /** Returns the answer in words, as the transcript and templates show it. Empty: as a skipped question. */
  sayValue(rule: Rule, value: Value, say: Say): string;
  /** Returns the highest number of a scale, which the transcript shows beside the answer. */
  scaleMax(rule: Rule): number | undefined;
  /** Returns the answer as a text of the evaluation: well-formed and without U+0000, which Postgres rejects. */
  evaluationText(value: Value): string;

  /** Returns what a browser needs to know of the rule. `now` decides what `today` is. */
  describeRule(rule: Rule, say: Say, now: number): InputNeeds;
  /** Describes the valid answers in a few English words, for a terminal. */
  describeAnswers(input: InputOf<Rule['type']>): string;
  /** Returns the JSON Schema of a model's answer; null for what the customer has not given. */
  modelSchema(rule: Rule): object;

  /** Returns the texts that mean the value, by which a personal one is removed where it is repeated. */
  personalTexts(rule: Rule, value: Value): string[];

  /** The figure of insight: an NPS score, mean and median, or counts by value. Null: values are not counted. */
  figure: 'score' | 'numbers' | 'counts' | null;
  /** Returns all values that can be counted, as texts of the evaluation, in order; none for any number. */
  countableValues(rule: Rule): string[];
  /** Returns the values in a text of the evaluation that can be counted. */
  countedValues(text: string, countable: readonly string[]): string[];
}
