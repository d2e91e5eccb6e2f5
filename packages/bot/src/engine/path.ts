import type { ConversationState, PathStep } from '../plan/conversation.ts';
import type { AnswerValue } from '../questions/types.ts';
import type { LlmStep } from '../definition/format.ts';
import { outputsOf } from '../plan/outputs.ts';
import { jsonBytes } from '../plan/conversation-size.ts';
import { ownValue, type Plan } from '../plan/plan.ts';
import { templateReferences } from '../text/template.ts';
import { type Conversation, lookUp } from './open-conversation.ts';

/**
 * Returns the values that the prompt of a step names. The step's own values, which it has written itself or in an
 * earlier pass through a loop, are not among them.
 */
export function promptData(plan: Plan, state: ConversationState, step: LlmStep): Record<string, string> {
  const own = outputsOf(step).flatMap(({ name, keys }) => [
    `answers.${name}`,
    ...keys.map((key) => `evaluation.${key}`),
  ]);
  return Object.fromEntries(
    templateReferences(step.prompt).references.map((reference) => {
      const key = `${reference.source}.${reference.name}`;
      const value = own.includes(key) ? undefined : lookUp(plan, state, reference)?.value;
      return [key, value || (reference.fallback ?? '')];
    }),
  );
}

/** Adds the answer whose entry was just written to the path of a conversation that has one. */
export function recordAnswer({ state }: Conversation, step: Omit<PathStep, 'entries' | 'result'>): void {
  const { path, seq } = state;
  if (path === undefined) return;
  record(state, { ...step, entries: [path.attemptsFrom ?? seq, seq] });
  delete path.attemptsFrom;
}

/** Adds the result of a model to the path of a conversation that has one. Undefined: the model failed. */
export function recordResult(
  { plan, state }: Conversation,
  step: LlmStep,
  found: readonly (AnswerValue | undefined)[] | undefined,
): void {
  if (state.path === undefined) return;
  const data = promptData(plan, state, step);
  const outcome = found && { found: found.map((value) => value ?? null) };
  if (step.mode !== 'chat') return record(state, { id: step.id, result: { data, ...outcome } });
  const { fromSeq, turns } = state.chat ?? { fromSeq: state.seq, turns: 0 };
  const asked = (state.modelTurns ?? 0) - state.path.steps.reduce((sum, one) => sum + askedFor(one), 0);
  const chat = { turns, said: turns > 0 ? saidIn(state, step) : '', asked };
  record(state, { id: step.id, entries: [fromSeq + 1, state.seq], result: { data, ...outcome, chat } });
}

/** Returns how often the model was asked for a step of the path. */
function askedFor({ result }: PathStep): number {
  return result === undefined ? 0 : (result.chat?.asked ?? 1);
}

/** A chat has one output, which may have no name and no key. */
function saidIn(state: ConversationState, step: LlmStep): string {
  const [output] = outputsOf(step);
  const stored = output?.name === undefined ? undefined : ownValue(state.answers, output.name);
  const said = stored ?? ownValue(state.evaluation, output?.keys[0] ?? '');
  return typeof said === 'string' ? said : '';
}

function record(state: ConversationState, step: PathStep): void {
  state.path?.steps.push(step);
  state.bytes += jsonBytes(step) + 1;
}
