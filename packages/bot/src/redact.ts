import type { ConversationState } from './conversation.ts';
import type { BotDefinition } from './format.ts';
import { planOf } from './plan.ts';
import { detailRemover, removed } from './remove-details.ts';
import type { Slices } from './slices.ts';

/**
 * Replaces personal data in entries by `[removed]`: the marked spans, and every occurrence of a detail. The result
 * has no spans. Idempotent. A slice takes one text.
 */
export function* redactEntries<E extends { body: string; personal?: [number, number][] }>(
  entries: readonly E[],
  details: readonly string[],
): Slices<Omit<E, 'personal'>[]> {
  const removeDetails = detailRemover(details);
  const redacted: Omit<E, 'personal'>[] = [];
  for (const { personal, ...entry } of entries) {
    redacted.push({ ...entry, body: removeDetails(removeSpans(entry.body, personal ?? [])) });
    yield;
  }
  return redacted;
}

/** Replaces every occurrence of a detail by `[removed]`, as `detailRemover` does. */
export function redactText(text: string, details: readonly string[]): string {
  return detailRemover(details)(text);
}

/**
 * Returns the state without the customer's details and personal answers. In other answers, context and
 * evaluation, details become `[removed]`. Without a definition all answers are removed. A slice takes one text.
 */
export function* redactState(
  definition: BotDefinition | null,
  state: ConversationState,
  details: readonly string[],
): Slices<ConversationState> {
  const personal = definition === null ? undefined : planOf(definition).personalAnswers;
  const known = Object.entries(state.answers).filter(([id]) => personal?.has(id) === false);
  return {
    ...state,
    answers: yield* redactValues(Object.fromEntries(known), details),
    evaluation: yield* redactEvaluation(definition, state.evaluation, details),
    customer: { id: state.customer.id, firstName: '', lastName: '', email: '' },
    context: yield* redactValues(state.context, details),
  };
}

/**
 * Replaces the values of personal keys, and details in the others, by `[removed]`. A slice takes one text.
 */
export function* redactEvaluation(
  definition: BotDefinition | null,
  evaluation: Record<string, string>,
  details: readonly string[],
): Slices<Record<string, string>> {
  const redacted = yield* redactValues(evaluation, details);
  const personal = definition === null ? new Set<string>() : planOf(definition).personalKeys;
  for (const key of personal) if (Object.hasOwn(redacted, key)) redacted[key] = removed;
  return redacted;
}

function* redactValues<Value>(
  values: Record<string, Value>,
  details: readonly string[],
): Slices<Record<string, Value | string>> {
  const removeDetails = detailRemover(details);
  const redacted: [string, Value | string][] = [];
  for (const [key, value] of Object.entries(values)) {
    redacted.push([key, typeof value === 'string' ? removeDetails(value) : value]);
    yield;
  }
  return Object.fromEntries(redacted);
}

function removeSpans(body: string, personal: readonly [number, number][]): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of personal.toSorted(([left], [right]) => left - right)) {
    if (end <= at) continue;
    marked += start > at || at === 0 ? body.slice(at, start) + removed : '';
    at = end;
  }
  return marked + body.slice(at);
}
