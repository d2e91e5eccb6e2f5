import type { ConversationState, ShownStep } from '../plan/conversation.ts';
import { jsonBytes } from '../plan/conversation-size.ts';

/** Adds a question that is shown, as the last one. A question that was shown before keeps its outcome. */
export function showStep(state: ConversationState, id: string): void {
  const { steps } = state;
  if (steps === undefined) return;
  const at = steps.findIndex((step) => step.id === id);
  const [shown = { id }] = at < 0 ? [] : steps.splice(at, 1);
  if (at < 0) state.bytes += jsonBytes(shown) + 1;
  steps.push(shown);
}

export function endStep(
  state: ConversationState,
  id: string,
  outcome: NonNullable<ShownStep['outcome']>,
): void {
  const at = state.steps?.findIndex((step) => step.id === id) ?? -1;
  const before = state.steps?.[at];
  if (before === undefined) return;
  const after: ShownStep = { id, outcome };
  state.bytes += jsonBytes(after) - jsonBytes(before);
  state.steps?.splice(at, 1, after);
}
