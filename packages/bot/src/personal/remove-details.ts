import { createFinder } from '../text/find-text.ts';

export const removed = '[removed]';
/** Details of at least this length are also removed inside longer words, in their own letter case. */
const insideWordsCharsMin = 3;

/** A detail in one encoding of its accents, with single spaces. */
interface Form {
  text: string;
  /** Finds it in a folded text. */
  find: ReturnType<typeof createFinder>;
  isAnywhere: boolean;
  startsWithWord: boolean;
  endsWithWord: boolean;
}

const startOfWord = /^[\p{L}\p{N}\p{M}_]/u;
const endOfWord = /[\p{L}\p{N}\p{M}_]$/u;
const asciiInWord = Array.from({ length: 128 }, (_, unit) => startOfWord.test(String.fromCharCode(unit)));
/** Matches a character of a script without spaces between words. */
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Returns a function that replaces every occurrence of a detail (a name, an e-mail address) by `[removed]`, with any
 * encoding of its accents: as a whole word in any letter case, within a longer word in its own. A detail of one or two
 * letters is removed as a whole word only, except in scripts without spaces between words. `[removed]` ends a word too.
 * Idempotent. Takes linear time in the length of the text.
 */
export function detailRemover(details: readonly string[]): (text: string) => string {
  const forms = formsOf(details);
  return (text) => (forms.length === 0 ? text : removeForms(text, forms));
}

// Longest first: "Ann Lee" before "Ann".
function formsOf(details: readonly string[]): Form[] {
  const texts = details
    .map((detail) => detail.trim().replaceAll(/\s+/g, ' '))
    .filter((detail) => detail !== '')
    .flatMap((detail) => [detail, detail.normalize('NFC'), detail.normalize('NFD')])
    .toSorted((left, right) => right.length - left.length);
  return [...new Set(texts)].map((text) => ({
    text,
    find: createFinder(fold(text)),
    isAnywhere: text.length >= insideWordsCharsMin || unspaced.test(text),
    startsWithWord: startOfWord.test(text),
    endsWithWord: endOfWord.test(text),
  }));
}

/** A part of a text that is kept: the indexes of its start and end. */
type Kept = readonly [start: number, end: number];

/** Replaces the spans [start, end) of the text by `[removed]`. Overlapping spans become one. */
export function removeSpans(text: string, spans: readonly (readonly [number, number])[]): string {
  let kept = '';
  let at = 0;
  for (const [start, end] of spans.toSorted(([left], [right]) => left - right)) {
    if (end <= at) continue;
    kept += start > at || at === 0 ? text.slice(at, start) + removed : '';
    at = end;
  }
  return kept + text.slice(at);
}

function removeForms(text: string, forms: readonly Form[]): string {
  const { spaced, indexes } = withSingleSpaces(text);
  const folded = fold(spaced);
  let kept: readonly Kept[] = partsBetweenRemoved(spaced);
  // Removing a detail inside a word can make a neighbour a word of its own, and so a detail: repeats until nothing
  // changes.
  for (let before = 0; before < kept.length; ) {
    before = kept.length;
    for (const form of forms) kept = keptWithout(form, kept, spaced, folded);
  }
  const original = (index: number): number => indexes?.[index] ?? index;
  return kept.map(([start, end]) => text.slice(original(start), original(end))).join(removed);
}

function partsBetweenRemoved(text: string): Kept[] {
  let at = 0;
  return text.split(removed).map((part) => {
    const start = at;
    at += part.length + removed.length;
    return [start, start + part.length];
  });
}

function keptWithout(form: Form, kept: readonly Kept[], spaced: string, folded: string): readonly Kept[] {
  const parts = kept[Symbol.iterator]();
  const left: Kept[] = [];
  let [from, end] = parts.next().value ?? [0, 0];
  for (const at of form.find(folded)) {
    const after = at + form.text.length;
    while (end < after) {
      const { value: next } = parts.next();
      if (!next) break;
      left.push([from, end]);
      [from, end] = next;
    }
    if (at < from || after > end) continue;
    const isOwnCase = form.isAnywhere && spaced.startsWith(form.text, at);
    const isInWord =
      (form.startsWithWord && at > from && endsWord(spaced, at)) ||
      (form.endsWithWord && after < end && startsWord(spaced, after));
    if (!isOwnCase && isInWord) continue;
    left.push([from, at]);
    from = after;
  }
  left.push([from, end]);
  for (const part of parts) left.push(part);
  return left;
}

function endsWord(text: string, index: number): boolean {
  // Two units: a letter may be a surrogate pair.
  return asciiInWord[text.charCodeAt(index - 1)] ?? endOfWord.test(text.slice(Math.max(0, index - 2), index));
}

function startsWord(text: string, index: number): boolean {
  return asciiInWord[text.charCodeAt(index)] ?? startOfWord.test(text.slice(index, index + 2));
}

/** Returns the text with a space for each run of white space, and the index of each of its units in the text. */
function withSingleSpaces(text: string): { spaced: string; indexes?: number[] } {
  const spaced = text.replaceAll(/\s+/g, ' ');
  if (spaced.length === text.length) return { spaced };
  const indexes: number[] = [];
  let wasSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = /\s/.test(text.charAt(at));
    if (!isSpace || !wasSpace) indexes.push(at);
    wasSpace = isSpace;
  }
  return { spaced, indexes: [...indexes, text.length] };
}

/** Returns the text without differences of letter case. Each unit keeps its index. */
function fold(text: string): string {
  const folded = foldCase(text);
  return folded.length === text.length ? folded : Array.from(text, foldOne).join('');
}

function foldOne(character: string): string {
  return [foldCase(character), character.toLowerCase(), character].find(
    ({ length }) => length === character.length,
  ) as string;
}

// The letter at the end of a Greek word has another lower case.
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
