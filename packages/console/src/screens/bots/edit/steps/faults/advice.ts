import type { Mark } from '../../check.ts';

/** What to do about a fault, by the words that the service has for it. Other faults say it themselves. */
const patterns = {
  empty: /^Must not be empty$/,
  noStep: /^There is no step "(.*)"\.$/,
  noWay: /^No path leads to the step/,
  neverTaken: /^No path from the start reaches the step/,
  noEnd: /can run past|the conversation never ends/,
  forEver: /can repeat for ever/,
  sameId: /^The id ".*" is taken/,
  noKey: /^The evaluation key "(.*)" is not declared/,
  noAnswer: /^There is no ask step "(.*)" and no llm step/,
  noContext: /^The context property "(.*)" is not declared/,
  malformed: /^(.*) is not a valid reference\. Use/,
  expression: /^(?:The expression cannot work|This is not an expression): (.*)$/,
  repeated: /^Has the same (?:label|value)|have the same label|This is repeated/,
} as const;

export type Advice = keyof typeof patterns;

/** Returns which advice fits a fault, and the name that it is about. */
export function adviceOf(message: string): { advice: Advice; name: string } | undefined {
  for (const [advice, pattern] of Object.entries(patterns)) {
    const found = pattern.exec(message);
    if (found) return { advice: advice as Advice, name: found[1] ?? '' };
  }
  return undefined;
}

/** Returns the step at which a mark is; undefined for another part of the definition. */
export function stepOf({ pointer }: Pick<Mark, 'pointer'>): number | undefined {
  const found = /^\/steps\/(\d+)/.exec(pointer);
  return found ? Number(found[1]) : undefined;
}

/** Returns the fields in which a mark is inside its step, such as `['input', 'choices', '0', 'label']`. */
export function fieldsOf({ pointer }: Pick<Mark, 'pointer'>): string[] {
  return pointer
    .replace(/^\/steps\/\d+\/?/, '')
    .split('/')
    .filter(Boolean);
}

/** Returns the marks of each step. Equal marks of before are the same objects. */
export function marksByStep(marks: readonly Mark[], before: readonly (readonly Mark[])[] = []): Mark[][] {
  const found: Mark[][] = [];
  for (const mark of marks) {
    const step = stepOf(mark);
    if (step !== undefined) (found[step] ??= []).push(mark);
  }
  return Array.from(found, (marked: Mark[] | undefined, index) => {
    const own = marked ?? none;
    const known = before[index];
    return known && JSON.stringify(known) === JSON.stringify(own) ? (known as Mark[]) : own;
  });
}

export const none: Mark[] = [];
