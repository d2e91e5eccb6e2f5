import type { z } from 'zod';
import type { snapshot } from '../conversations/present.ts';

type Input = NonNullable<z.output<typeof snapshot>['input']>;

/** An answer that one click gives. */
export interface OneClick {
  /** The value, as the conversation takes it. */
  value: unknown;
  /** The value in a URL. */
  key: string;
  label: string;
}

/** An e-mail has a link for each: a scale from 0 to 10 has so many. */
export const oneClickMax = 11;

/** Returns the answers of a question that one click can give; undefined if it has none, or too many. */
export function oneClicksOf(input: Input): OneClick[] | undefined {
  const answers = answersOf(input);
  return answers && answers.length > 0 && answers.length <= oneClickMax ? answers : undefined;
}

function answersOf({ type, min, max, labels, choices }: Input): OneClick[] | undefined {
  if (type === 'nps' || type === 'rating') {
    const [first, last] = [Number(min), Number(max)];
    return Array.from({ length: last - first + 1 }, (_, at) => {
      const text = String(first + at);
      return { value: first + at, key: text, label: text };
    });
  }
  if (type === 'yesNo') {
    return (['yes', 'no'] as const).map((key) => ({
      value: key === 'yes',
      key,
      label: labels?.[key] ?? key,
    }));
  }
  if (type === 'choice') {
    return choices?.map(({ value, label }) => ({ value, key: value, label }));
  }
  return undefined;
}

/** Returns the link that shows an answer, marked. `link`: of the interaction. */
export function answerLink(link: string, stepId: string, key: string, locale: string | undefined): string {
  const query = new URLSearchParams({ step: stepId, answer: key, ...(locale !== undefined && { locale }) });
  return `${link}/answer?${String(query)}`;
}
