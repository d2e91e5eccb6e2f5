import { type Click, type Input, typeOf } from '../questions/types.ts';

/** An e-mail has a link for each answer, and a scale from 0 to 10 has the most. */
export const oneClickMax = 11;

/** Returns the answers of a question that one click can give; undefined if it has none, or too many. */
export function oneClicksOf(input: Input): Click[] | undefined {
  const clicks = typeOf(input).clicks(input);
  return clicks.length > 0 && clicks.length <= oneClickMax ? clicks : undefined;
}

/** Returns whether the answers are numbers, which stand in a row. */
export function isScale(answers: readonly Click[]): boolean {
  return answers.every(({ value }) => typeof value === 'number');
}

/** Returns what the ends of a scale mean; undefined without words for them. */
export function endsOf(
  { labels }: Input,
  answers: readonly Click[],
): { low: string; high: string } | undefined {
  const [low, high] = [labels?.['low'], labels?.['high']];
  return isScale(answers) && low !== undefined && high !== undefined ? { low, high } : undefined;
}

/** Returns the link that shows an answer, marked. `link`: of the interaction. */
export function answerLink(link: string, stepId: string, key: string, locale: string | undefined): string {
  const query = new URLSearchParams({ step: stepId, answer: key, ...(locale !== undefined && { locale }) });
  return `${link}/answer?${String(query)}`;
}
