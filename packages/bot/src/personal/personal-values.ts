import { type AnswerValue, typeOf } from '../questions/types.ts';
import type { ConversationState } from '../plan/conversation.ts';
import type { BotDefinition, InputRule } from '../definition/format.ts';
import { outputsOf } from '../plan/outputs.ts';
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
  for (const { name, rule, value } of formerValues(definition, state)) {
    if (plan.personalAnswers.has(name) || plan.personalKeys.has(name)) {
      for (const text of typeOf(rule).personalTexts(rule, value)) yield* formsUnlessPlain(text);
    }
  }
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

/** Returns the values of all answers and results that a conversation with a path has had, whatever counts now. */
function formerValues(
  { steps }: BotDefinition,
  { path }: ConversationState,
): { name: string; rule: InputRule; value: AnswerValue }[] {
  const all = [...(path?.steps ?? []), ...(path?.waiting ?? []), ...(path?.withdrawn ?? [])];
  return all.flatMap(({ id, value, result }) => {
    const step = steps.find((one) => one.id === id);
    const found = result?.chat ? [result.chat.said] : (result?.found ?? [value]);
    return (step ? outputsOf(step) : []).flatMap(({ name, keys, rule }, index) => {
      const known = found[index] ?? undefined;
      return known === undefined
        ? []
        : [name ?? '', ...keys].map((one) => ({ name: one, rule, value: known }));
    });
  });
}

function formsUnlessPlain(value: string): string[] {
  return plainWords.has(value) ? [] : formsOf(value);
}
