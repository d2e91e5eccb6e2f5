import { type AnswerValue, evaluationText } from './answer-forms.ts';
import type { ConversationState } from './conversation.ts';
import type { AskStep, InputRule, LlmStep, Step } from './format.ts';
import { jsonBytes } from './conversation-size.ts';

/** One thing that a step puts into the talk. */
export type Output = {
  /** The field of an `extract` step that it is. */
  field?: string;
  /** Its name under `answers`; `name.field` for a field. Absent when it is kept in the evaluation only. */
  name?: string;
  /** What its values are like. */
  rule: InputRule;
  /** The evaluation keys that keep it. */
  keys: string[];
};

/** All that an answer to the step may put into the talk. */
export function outputs(step: Step): Output[] {
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

/** Puts a value where the output is kept; one that is undefined takes away what an earlier round of a loop has left. */
export function keep(state: ConversationState, { name, keys }: Output, value: AnswerValue | undefined): void {
  if (name !== undefined) put(state, 'answers', name, value);
  const text = value === undefined ? undefined : evaluationText(value);
  for (const key of keys) put(state, 'evaluation', key, text);
}

/** Sets an answer or evaluation key, or removes it, and counts its size. */
export function put<Part extends 'answers' | 'evaluation'>(
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

/** The bytes that a value takes where the output is kept. */
export function outputBytes({ name, keys }: Output, value: AnswerValue | undefined): number {
  return jsonBytes(value) * (keys.length + (name === undefined ? 0 : 1));
}

/** Takes away what an earlier round of a loop has left of the step. */
export function forget(state: ConversationState, step: AskStep | LlmStep): void {
  for (const output of outputs(step)) keep(state, output, undefined);
}

function ruleOf(step: Exclude<LlmStep, { mode: 'extract' }>): InputRule {
  if (step.mode !== 'classify') return { type: 'longText' };
  return { type: 'choice', choices: step.labels.map((label) => ({ value: label, label })) };
}

function keysOf(evaluation: string | undefined): string[] {
  return evaluation === undefined ? [] : [evaluation];
}
