import { typeOf } from '../questions/types.ts';
import type { ConversationState } from '../plan/conversation.ts';
import type { BotDefinition } from '../definition/format.ts';
import { ownValue, planOf } from '../plan/plan.ts';
import { removed } from './remove-details.ts';
import { formsOf } from './written-again.ts';

/** Words of the evaluation that say nothing about a person by themselves. */
const plainWords = new Set(['yes', 'no', 'true', 'false', removed]);

/**
 * Yields the personal values of an interaction as customers may repeat them: personal answers except yes and no,
 * personal values of the evaluation, and personal context that differs from its default. Each value comes in the forms
 * of `formsOf`, and a choice with all its labels.
 */
export function* personalValues(
  definition: BotDefinition,
  { state, context }: { state: ConversationState | null; context: readonly { key: string; value: string }[] },
): Generator<string> {
  const plan = planOf(definition);
  const defaults = new Map(definition.context?.map(({ name, default: value }) => [name, value]));
  const supplied = [
    ...context,
    ...Object.entries(state?.context ?? {}).map(([key, value]) => ({ key, value })),
  ];
  for (const { key, value } of supplied) {
    if (plan.personalContext.has(key) && value !== defaults.get(key)) yield* formsUnlessPlain(value);
  }
  if (!state) return;
  for (const name of plan.personalAnswers) {
    const rule = plan.answers.get(name);
    const value = ownValue(state.answers, name);
    if (rule === undefined || value === undefined) continue;
    for (const text of typeOf(rule).personalTexts(rule, value)) yield* formsUnlessPlain(text);
  }
  for (const key of plan.personalKeys) {
    const value = ownValue(state.evaluation, key);
    if (value !== undefined) yield* formsUnlessPlain(value);
  }
}

function formsUnlessPlain(value: string): string[] {
  return plainWords.has(value) ? [] : formsOf(value);
}
