import type { ConversationState } from './conversation.ts';
import type { BotDefinition } from './format.ts';
import { planOf } from './plan.ts';
import type { Slices } from './slices.ts';

const removed = '[removed]';
/** Details of at least this length are also removed inside longer words, in their own letter case. */
const insideWordsCharsMin = 3;

/**
 * Replaces personal data in entries by `[removed]`: the marked spans, and every occurrence of a detail. The result
 * has no spans. Idempotent. A slice takes one text.
 */
export function* redactEntries<E extends { body: string; personal?: [number, number][] }>(
  entries: readonly E[],
  details: readonly string[],
): Slices<Omit<E, 'personal'>[]> {
  const pattern = detailPattern(details);
  const redacted: Omit<E, 'personal'>[] = [];
  for (const { personal, ...entry } of entries) {
    redacted.push({ ...entry, body: redactBody(entry.body, personal ?? [], pattern) });
    yield;
  }
  return redacted;
}

/**
 * Replaces every occurrence of a detail (a name, an e-mail address) by `[removed]`, with any encoding of its
 * accents: as a whole word in any letter case, within a longer word in its own. A detail of one or two
 * letters is removed as a whole word only, except in scripts without spaces between words. `[removed]` ends a
 * word too. Idempotent.
 */
export function redactText(text: string, details: readonly string[]): string {
  return redactBody(text, [], detailPattern(details));
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
  const pattern = detailPattern(details);
  const redacted: [string, Value | string][] = [];
  for (const [key, value] of Object.entries(values)) {
    redacted.push([key, typeof value === 'string' ? redactBody(value, [], pattern) : value]);
    yield;
  }
  return Object.fromEntries(redacted);
}

function redactBody(
  body: string,
  personal: readonly [number, number][],
  pattern: RegExp | undefined,
): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of personal.toSorted(([left], [right]) => left - right)) {
    if (end <= at) continue;
    marked += start > at || at === 0 ? body.slice(at, start) + removed : '';
    at = end;
  }
  marked += body.slice(at);
  if (pattern === undefined) return marked;
  return redactAround(marked, pattern);
}

// Removing a detail inside a word can make a neighbour a word of its own, and so a detail: repeats until nothing
// changes.
function redactAround(body: string, pattern: RegExp): string {
  const clean = body
    .split(removed)
    .map((part) => part.replace(pattern, removed))
    .join(removed);
  return clean === body ? clean : redactAround(clean, pattern);
}

const wordChar = '[\\p{L}\\p{N}\\p{M}_]';
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

// Longest first: "Ann Lee" before "Ann".
function detailPattern(details: readonly string[]): RegExp | undefined {
  const forms = details
    .map((detail) => detail.trim())
    .filter((detail) => detail !== '')
    .flatMap((detail) => [detail, detail.normalize('NFC'), detail.normalize('NFD')])
    .toSorted((left, right) => right.length - left.length);
  if (forms.length === 0) return undefined;
  const alternatives = [...new Set(forms)].map((form) => {
    const text = form
      .split(/\s+/)
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .join('\\s+');
    if (unspaced.test(form)) return text;
    const before = /^[\p{L}\p{N}\p{M}_]/u.test(form) ? `(?<!${wordChar})` : '';
    const after = /[\p{L}\p{N}\p{M}_]$/u.test(form) ? `(?!${wordChar})` : '';
    const word = `(?i:${before}${text}${after})`;
    return form.length < insideWordsCharsMin ? word : `${word}|${text}`;
  });
  return new RegExp(alternatives.join('|'), 'gu');
}
