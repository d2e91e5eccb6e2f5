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

/** What types have in common whose values are texts. */
export const textValue = {
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
  countedValues: (): string[] => [],
};

/** Returns the value in a text of the evaluation, if it can be counted. */
export function oneCounted(text: string, countable: readonly string[]): string[] {
  return countable.includes(text) ? [text] : [];
}
