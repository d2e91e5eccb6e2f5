import type { ConversationState } from './conversation.ts';
import type { BotDefinition } from './format.ts';
import { planOf } from './plan.ts';

const removed = '[removed]';
/** From this length on a detail goes also from within longer words, in its own letter case. */
const insideWordsCharsMin = 3;

/**
 * Entries without what is personal: the marked spans, and every occurrence of a detail, become `[removed]`. The spans
 * are gone from the result. Doing it again changes nothing.
 */
export function redactEntries<E extends { body: string; personal?: [number, number][] }>(
  entries: readonly E[],
  details: readonly string[],
): Omit<E, 'personal'>[] {
  const pattern = detailPattern(details);
  return entries.map(({ personal, ...entry }) => ({
    ...entry,
    body: redactBody(entry.body, personal ?? [], pattern),
  }));
}

/**
 * Text in which every occurrence of a detail (a name, an e-mail address) is `[removed]`: as a whole word in any letter
 * case, within a longer word in its own, however its accents are encoded. One or two letters are a word of their own only,
 * except in scripts that put no spaces between words. What `[removed]` takes away ends a word too: of "BoLee" nothing is
 * left of Bo Lee. Doing it again changes nothing.
 */
export function redactText(text: string, details: readonly string[]): string {
  return redactBody(text, [], detailPattern(details));
}

/**
 * The state without the customer's details and personal answers; in other answers, context and evaluation details
 * become `[removed]`. Without a definition nothing is known to be harmless, and all answers go.
 */
export function redactState(
  definition: BotDefinition | null,
  state: ConversationState,
  details: readonly string[],
): ConversationState {
  const personal = definition === null ? undefined : planOf(definition).personalAnswers;
  const answers: ConversationState['answers'] = {};
  for (const [id, value] of Object.entries(state.answers)) {
    if (personal === undefined || personal.has(id)) continue;
    answers[id] = typeof value === 'string' ? redactText(value, details) : value;
  }
  return {
    ...state,
    answers,
    evaluation: redactEvaluation(definition, state.evaluation, details),
    customer: { id: state.customer.id, firstName: '', lastName: '', email: '' },
    context: redactValues(state.context, details),
  };
}

/** The evaluation with all of its keys: the values of personal ones, and details in the others, become `[removed]`. */
export function redactEvaluation(
  definition: BotDefinition | null,
  evaluation: Record<string, string>,
  details: readonly string[],
): Record<string, string> {
  const redacted = redactValues(evaluation, details);
  const personal = definition === null ? new Set<string>() : planOf(definition).personalKeys;
  for (const key of personal) if (Object.hasOwn(redacted, key)) redacted[key] = removed;
  return redacted;
}

function redactValues(values: Record<string, string>, details: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, redactText(value, details)]));
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

// What was removed before stays as it is, also when a detail is a part of the word. A detail that goes from within a word
// can make another one of its neighbours, which is a detail itself: what is around it is looked at again until nothing goes.
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

// Longest first, so that "Ann Lee" goes before "Ann". A short detail must not stand within a longer word.
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
