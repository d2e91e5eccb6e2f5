import type { Click } from '../question-type.ts';

/**
 * Returns a value as a text of the evaluation: `yes`, `9`, `2.5`, values joined by commas, or the text itself.
 * Well-formed Unicode without U+0000, since Postgres rejects others.
 */
export function evaluationText(value: string | number | boolean | readonly string[] | bigint): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return decimal(value);
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text.toWellFormed().replaceAll('\0', '');
}

// The shortest decimal notation, without an exponent.
function decimal(value: number): string {
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (small !== null) {
    const [, sign, digit, digits = '', exponent] = small;
    return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digit}${digits}`;
  }
  return text.includes('e') ? BigInt(value).toString() : text;
}

/** What types have in common that show the same to everybody, and whose values are one column without own words. */
export const plainValue = {
  inOrder: <Rule>(rule: Rule): Rule => rule,
  describeShown: () => undefined,
  ownWordsMax: () => 0,
  ownWords: () => undefined,
  whyNotEnough: () => undefined,
  takesPrefill: true,
  redact: <Value>(value: Value): Value => value,
  columns: (): string[] => [],
  clicks: (): Click[] => [],
};

/** What types have in common whose values are texts. */
export const textValue = {
  ...plainValue,
  redact: (value: string, remove: (text: string) => string) => remove(value),
  celType: () => 'string' as const,
  celValue: (_rule: unknown, value: string) => value,
  /** The longest e-mail address, and more than a number, a day or a time. */
  longestValue: () => 'x'.repeat(320),
  readText: (_rule: unknown, text: string): unknown => text,
  sayValue: (_rule: unknown, value: string) => evaluationText(value),
  scaleMax: () => undefined,
  evaluationText: (value: string) => evaluationText(value),
  personalTexts: (_rule: unknown, value: string) => [evaluationText(value)],
};

/** What types have in common whose values are not counted. */
export const uncounted = {
  figure: null,
  countableValues: (): string[] => [],
  partsOf: (text: string) => [text],
  countedValues: (): string[] => [],
};

/** What types have in common of whose values each is counted by itself. */
export const counted = {
  partsOf: (text: string) => [text],
  countedValues: (parts: readonly string[], countable: readonly string[]) =>
    parts.filter((part) => countable.includes(part)),
};
