import { type AnswerValue, typeOf } from '../questions/types.ts';
import type { ConversationState } from './conversation.ts';
import type { AskStep, InputRule, LlmStep, Step } from '../definition/format.ts';
import { jsonBytes } from './conversation-size.ts';

/** One value that a step adds to the conversation. */
export type Output = {
  field?: string;
  /** Its name under `answers`; `name.field` for a field. Absent when only the evaluation has it. */
  name?: string;
  rule: InputRule;
  keys: string[];
};

export function outputsOf(step: Step): Output[] {
  if (step.kind === 'ask') return [{ name: step.id, rule: step.input, keys: keysOf(step.evaluation) }];
  if (step.kind !== 'llm') return [];
  const { saveAs } = step;
  if (step.mode === 'extract') {
    const keys = Object.entries(step.evaluation ?? {});
    return Object.entries(step.fields).map(([field, { input }]) => ({
      field,
      ...(saveAs !== undefined && { name: `${saveAs}.${field}` }),
      rule: input,
      keys: keys.flatMap(([key, from]) => (from === field ? [key] : [])),
    }));
  }
  const name = saveAs === undefined ? {} : { name: saveAs };
  return [{ ...name, rule: ruleOf(step), keys: keysOf(step.evaluation) }];
}

/** Stores the value of an output; undefined removes the value from an earlier pass through a loop. */
export function storeOutput(
  state: ConversationState,
  { name, rule, keys }: Output,
  value: AnswerValue | undefined,
): void {
  if (name !== undefined) setValue(state, 'answers', name, value);
  const text = value === undefined ? undefined : typeOf(rule).evaluationText(value);
  const own = value === undefined ? undefined : typeOf(rule).ownWords(value);
  for (const key of keys) {
    setValue(state, 'evaluation', key, text);
    setOwnWords(state, key, own?.choicesBefore);
  }
}

export function setValue<Part extends 'answers' | 'evaluation'>(
  state: ConversationState,
  part: Part,
  key: string,
  value: ConversationState[Part][string] | undefined,
): void {
  const values: Record<string, AnswerValue> = state[part];
  const before = Object.hasOwn(values, key) ? values[key] : undefined;
  state.bytes += jsonBytes(value) - jsonBytes(before);
  if (value === undefined) delete values[key];
  else values[key] = value;
}

function setOwnWords(state: ConversationState, key: string, choicesBefore: number | undefined): void {
  const before = state.ownWords?.[key];
  if (before === choicesBefore) return;
  const { [key]: _before, ...others } = state.ownWords ?? {};
  state.bytes += jsonBytes(choicesBefore) - jsonBytes(before);
  state.ownWords = choicesBefore === undefined ? others : { ...others, [key]: choicesBefore };
}

export function outputBytes({ name, keys }: Output, value: AnswerValue | undefined): number {
  return jsonBytes(value) * (keys.length + (name === undefined ? 0 : 1));
}

/** Removes the values of the step from an earlier pass through a loop. */
export function clearOutputs(state: ConversationState, step: AskStep | LlmStep): void {
  for (const output of outputsOf(step)) storeOutput(state, output, undefined);
}

function ruleOf(step: Exclude<LlmStep, { mode: 'extract' }>): InputRule {
  if (step.mode !== 'classify') return { type: 'longText' };
  return { type: 'choice', choices: step.labels.map((label) => ({ value: label, label })) };
}

function keysOf(evaluation: string | undefined): string[] {
  return evaluation === undefined ? [] : [evaluation];
}
