import { noDetails } from '@parley/contracts/customer-details';
import type {
  ConversationState,
  Customer,
  Entry,
  PersonalEntryField,
  PersonalStatePart,
} from '../plan/conversation.ts';
import type { BotDefinition } from '../definition/format.ts';
import { personalValues } from './personal-values.ts';
import { ownValue, planOf } from '../plan/plan.ts';
import { questionsOf } from '../figures/questions.ts';
import { detailRemover, removed, removeSpans } from './remove-details.ts';
import { valueRemover } from './remove-values.ts';
import { type AnswerValue, typeNamed, typeOf } from '../questions/types.ts';
import type { Slices } from '../bounds/slices.ts';
import { formsOf } from './written-again.ts';

/** Replaces the personal data in a text by `[removed]`. Idempotent. */
export type Remover = (text: string) => string;

/**
 * Returns a function that removes a customer's details and the personal values of an interaction from its texts. Pass
 * the interaction before its redaction: a redacted one has no values. A slice takes one value.
 */
export function* removerFor(
  definition: BotDefinition,
  interaction: Parameters<typeof personalValues>[1],
  details: readonly string[],
): Slices<Remover> {
  const removeValues = yield* valueRemover(
    (function* () {
      yield* personalValues(definition, interaction);
      yield* wordingsOfDetails(details);
    })(),
  );
  // Also details of one letter, and details inside longer words.
  const removeDetails = detailRemover(details);
  return (text) => removeDetails(removeValues(text));
}

/** Yields details in the forms of `formsOf`, and each with its neighbours: first and last name without a space. */
function* wordingsOfDetails(details: readonly string[]): Generator<string> {
  for (const [at, detail] of details.entries()) {
    yield* formsOf(detail);
    const next = details[at + 1];
    if (detail === '' || !next) continue;
    yield detail + next;
    yield next + detail;
  }
}

/**
 * Replaces personal data in entries by `[removed]`: the marked spans, and what `remove` finds. The result has no spans.
 * Idempotent. A slice takes one text.
 */
export function* redactEntries<E extends { body: string; personal?: [number, number][] }>(
  entries: readonly E[],
  remove: Remover,
): Slices<Omit<E, 'personal'>[]> {
  const redacted: Omit<E, 'personal'>[] = [];
  for (const { personal, ...entry } of entries) {
    const replaced: Pick<Entry, PersonalEntryField> = {
      body: remove(removeSpans(entry.body, personal ?? [])),
    };
    redacted.push({ ...entry, ...replaced });
    yield;
  }
  return redacted;
}

/**
 * Returns the state without the customer's details and personal answers. Personal context, and what `remove` finds in
 * other answers, context and evaluation, become `[removed]`. A slice takes one text.
 */
export function* redactState(
  definition: BotDefinition,
  state: ConversationState,
  remove: Remover,
): Slices<ConversationState> {
  const { personalAnswers, personalContext } = planOf(definition);
  const { path: _path, ...rest } = state;
  const known = Object.entries(state.answers).filter(([id]) => !personalAnswers.has(id));
  // The path has answers too. Nobody revises them any more.
  const replaced: Pick<ConversationState, PersonalStatePart> = {
    answers: yield* redactAnswers(definition, Object.fromEntries(known), remove),
    evaluation: yield* redactEvaluation(definition, state.evaluation, remove),
    customer: withoutDetails(state.customer),
    context: yield* redactValues(state.context, personalContext, remove),
  };
  return { ...rest, ...replaced };
}

/** A slice takes one answer. */
function* redactAnswers(
  definition: BotDefinition,
  values: ConversationState['answers'],
  remove: Remover,
): Slices<ConversationState['answers']> {
  const { answers: rules } = planOf(definition);
  const redacted: [string, AnswerValue][] = [];
  for (const [name, value] of Object.entries(values)) {
    const rule = rules.get(name);
    if (rule !== undefined) redacted.push([name, typeOf(rule).redact(value, remove)]);
    else redacted.push([name, typeof value === 'string' ? remove(value) : value]);
    yield;
  }
  return Object.fromEntries(redacted);
}

function withoutDetails(customer: Customer): Customer {
  return { ...customer, ...noDetails };
}

/** Returns the context without personal properties and what `remove` finds. A slice takes one text. */
export function* redactContext(
  definition: BotDefinition,
  context: readonly { key: string; value: string }[],
  remove: Remover,
): Slices<{ key: string; value: string }[]> {
  const { personalContext } = planOf(definition);
  const redacted: { key: string; value: string }[] = [];
  for (const { key, value } of context) {
    redacted.push({ key, value: personalContext.has(key) ? removed : remove(value) });
    yield;
  }
  return redacted;
}

/**
 * Replaces the values of personal keys, and what `remove` finds in the others, by `[removed]`. Scores, decisions and
 * choices stay, so that the figures of the bot stay: their values come from the author.
 */
export function* redactEvaluation(
  definition: BotDefinition,
  evaluation: Record<string, string>,
  remove: Remover,
): Slices<Record<string, string>> {
  const redacted = yield* redactValues(evaluation, planOf(definition).personalKeys, remove);
  for (const { key, kind, values } of questionsOf(definition).evaluation) {
    const text = ownValue(evaluation, key);
    if (text === undefined || kind === 'text') continue;
    if (
      typeNamed(kind)
        .partsOf(text)
        .every((part) => values.includes(part))
    )
      redacted[key] = text;
  }
  return redacted;
}

/** A slice takes one text. */
function* redactValues(
  values: Record<string, string>,
  personal: ReadonlySet<string>,
  remove: Remover,
): Slices<Record<string, string>> {
  const redacted: [string, string][] = [];
  for (const [key, value] of Object.entries(values)) {
    redacted.push([key, personal.has(key) ? removed : remove(value)]);
    yield;
  }
  return Object.fromEntries(redacted);
}
