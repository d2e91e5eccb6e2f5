import { answerBody } from './answer-forms.ts';
import { isDate } from './calendar.ts';
import type { ConversationState } from './conversation.ts';
import type { BotDefinition } from './format.ts';
import { own, planOf } from './plan.ts';
import { removed } from './remove-details.ts';

/** The shortest national part of a telephone number. */
const nationalDigitsMin = 6;
/** Words of the evaluation that say nothing about a person by themselves. */
const plainWords = new Set(['yes', 'no', 'true', 'false', removed]);

/**
 * Returns the personal values of an interaction as customers may repeat them: personal answers except yes and no,
 * personal values of the evaluation, and personal context that differs from its default. Telephone numbers also have
 * their national forms, days also other orders.
 */
export function personalValues(
  definition: BotDefinition,
  { state, context }: { state: ConversationState | null; context: readonly { key: string; value: string }[] },
): string[] {
  const plan = planOf(definition);
  const defaults = new Map(definition.context?.map(({ name, default: value }) => [name, value]));
  const supplied = [
    ...context,
    ...Object.entries(state?.context ?? {}).map(([key, value]) => ({ key, value })),
  ];
  const values = supplied.flatMap(({ key, value }) =>
    plan.personalContext.has(key) && value !== defaults.get(key) ? [value] : [],
  );
  if (state) {
    for (const name of plan.personalAnswers) {
      const rule = plan.answers.get(name);
      const value = own(state.answers, name);
      if (rule === undefined || value === undefined || typeof value === 'boolean') continue;
      const parts = Array.isArray(value) ? value.map((one) => [one]) : [value];
      values.push(...parts.map((part) => answerBody(rule, part, state.locale, plan.locale)));
    }
    values.push(...[...plan.personalKeys].flatMap((key) => own(state.evaluation, key) ?? []));
  }
  return [...new Set(values.filter((value) => !plainWords.has(value)).flatMap(formsOf))];
}

function formsOf(value: string): string[] {
  if (isDate(value)) return [value, ...dayForms(value)];
  if (!/^\+?\d{7,15}$/.test(value)) return [value];
  const digits = value.replace(/^(?:\+|0+)/, '');
  // A country's code has one to three digits.
  const national = value.startsWith('+') ? [1, 2, 3].map((length) => digits.slice(length)) : [];
  return [value, digits, ...national].filter((form) => form.length >= nationalDigitsMin);
}

function dayForms(value: string): string[] {
  const [year = '', month = '', day = ''] = value.split('-');
  const bare = (part: string) => part.replace(/^0/, '');
  return [
    `${day}.${month}.${year}`,
    `${month}/${day}/${year}`,
    `${bare(day)}.${bare(month)}.${year}`,
    `${bare(month)}/${bare(day)}/${year}`,
    `${year}/${bare(month)}/${bare(day)}`,
  ];
}
