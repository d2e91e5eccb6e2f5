import type { z } from 'zod';
import type { CelType, CelValue } from '../expressions/cel-types.ts';
import type { LocalText } from '../text/format-text.ts';
import type { Message } from '../text/messages.ts';
import type { TextLanguage } from '../text/template.ts';
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

/** The customer's own words instead of a choice, or after so many choices. */
export type OwnWords = { text: string; choicesBefore: number };

/** An answer that one click gives: its value in the API and in a URL, and its words. */
export type Click = { value: string | number | boolean; key: string; label: string };

/** What an entry keeps of what was shown with its question. */
export type Shown = {
  /** The values of choices or rows, in the random order in which they were shown. */
  order?: string[];
  /** The text to which the customer has consented, or not: its SHA-256 in hexadecimal, and its language. */
  consent?: { sha256: string; locale: string };
};

/** Returns a text of the author in the language of the conversation. */
export type Say = (text: LocalText) => string;

/** Reports a fault at a JSON pointer inside the rule. */
export type Report = (pointer: string, detail: Message) => void;

/** What the checks of a definition's rules have in common. The locale is undefined if it could not be read. */
export type RuleChecks = { locale: string | undefined; patternsLeft: number };

/**
 * A type of question: everything that the engine, the validator, the model, the terminal and the figures need to know
 * of it. `types.ts` lists all types. Texts are UTF-16, `now` is in epoch seconds.
 */
export interface QuestionType<Rule extends { type: string }, Value, Reason extends string = never> {
  /** The `type` of a rule and of a question in the API. */
  name: Rule['type'];
  /** How people who make bots choose it. */
  title: { en: string; de: string };
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

  /** Returns the rule as one interaction shows it. `placeOf` gives each value its place in a random order. */
  inOrder(rule: Rule, placeOf: (value: string) => string): Rule;
  /** Returns what the entry of an answer keeps of what was shown; undefined if it is the same for everybody. */
  describeShown(rule: Rule, language: TextLanguage): Shown | undefined;

  celType(rule: Rule): CelType;
  celValue(rule: Rule, value: Value): CelValue;
  /** Returns the length of the longest own words, which expressions have as `others.<id>`; 0 for none. */
  ownWordsMax(rule: Rule): number;
  /** Returns the customer's own words in a value, and how many choices are before them. */
  ownWords(value: Value): OwnWords | undefined;
  /** Returns a valid value of the largest size, by which the work of expressions is bounded. */
  longestValue(rule: Rule): Value;

  /** Returns what free text means; undefined if nothing or several things. `checkValue` must accept the result. */
  readText(rule: Rule, text: string, language: TextLanguage): unknown;
  /** The texts of the reasons that only this type, or a few, have. */
  refusals: Readonly<Record<Reason, RefusalTexts>>;
  /** Returns a value of the API in canonical form, or why it is refused. `now` decides what `today` is. */
  checkValue(rule: Rule, value: unknown, now: number): CheckedOf<Value, Reason>;
  /** Returns why a question that is required refuses a valid value; undefined if it does not. */
  whyNotEnough(value: Value): Reason | undefined;
  /** Whether the field may begin with a value that the author or the caller gives. */
  takesPrefill: boolean;
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
  /** Returns the answers that one click can give; none if the customer writes, or makes several choices. */
  clicks(input: InputOf<Rule['type']>): Click[];
  /** Returns the JSON Schema of a model's answer; null for what the customer has not given. */
  modelSchema(rule: Rule): object;

  /** Returns the texts that mean the value, by which a personal one is removed where it is repeated. */
  personalTexts(rule: Rule, value: Value): string[];
  /** Returns the value without what `remove` finds in its texts. */
  redact(value: Value, remove: (text: string) => string): Value;

  /**
   * The figure of insight: an NPS score, mean and median, counts by value, mean ranks, or counts by row. Null: values
   * are not counted.
   */
  figure: 'score' | 'numbers' | 'counts' | 'ranks' | 'rows' | null;
  /** Returns all values that can be counted, in order; none for any number. In a matrix: `row/column`. */
  countableValues(rule: Rule): string[];
  /** Returns the parts of a text of the evaluation, in the form of `countableValues`. */
  partsOf(text: string): string[];
  /** Returns the parts that can be counted, with the place in front if it counts, such as `1/b`. */
  countedValues(parts: readonly string[], countable: readonly string[]): string[];
  /** Returns the names of the columns of an export, behind the key; none for one column. */
  columns(rule: Rule): string[];
}
