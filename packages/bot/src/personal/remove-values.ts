import { foldDigits } from '../text/characters.ts';
import { createFindAll, type FindAll } from './find-all.ts';
import { removeSpans, unspaced } from './remove-details.ts';
import type { Slices } from '../bounds/slices.ts';

/** Shorter values say nothing by themselves. */
const valueCharsMin = 2;
/** Values with a digit and at least this length are also removed inside longer numbers and words. */
const insideNumbersCharsMin = 5;
/** Stands for `[removed]` and for brackets: no value continues behind it. */
const stop = '\uffff';
const removed = '[removed]';
/** `[removed]`, or a character. */
const pieces = /\[removed\]|./gsu;
const inWord = /[\p{L}\p{N}\p{M}]/u;
const letter = /[\p{L}\p{M}]/u;
const number = /\p{N}/u;

/** The letters and digits of a text in one form, and for each unit the span in the text. */
type Core = { units: string; starts: number[]; ends: number[] };

/** The core of a value, and whether it is also removed inside words and numbers. */
type Wanted = { text: string; isAnywhere: boolean };

/**
 * Returns a function that replaces every occurrence of a value by `[removed]`. Letter case, blanks, punctuation, the
 * separators of numbers, full-width forms and encodings of accents do not matter. Values with digits of at least
 * `insideNumbersCharsMin` and scripts without spaces are found anywhere, others as whole words. Values of one character
 * are not removed. Idempotent. Takes linear time in the length of the text, for any number of values. A slice takes one
 * value.
 */
export function* valueRemover(values: Iterable<string>): Slices<(text: string) => string> {
  const findAll = yield* createFindAll(wantedOf(values));
  return (text) => removeValues(text, findAll);
}

function* wantedOf(values: Iterable<string>): Generator<Wanted> {
  for (const value of values) {
    const text = coreOf(value).units.replaceAll(stop, '');
    if (text.length < valueCharsMin) continue;
    const isNumber = number.test(text) && text.length >= insideNumbersCharsMin;
    yield { text, isAnywhere: isNumber || unspaced.test(text) };
  }
}

function removeValues(text: string, findAll: FindAll<Wanted>): string {
  // Behind a removed value another one can become a whole word. Each pass leaves fewer letters and digits to search.
  for (let rest = text; ; ) {
    const spans = spansOf(rest, findAll);
    if (spans.length === 0) return rest;
    rest = removeSpans(rest, spans);
  }
}

function spansOf(text: string, findAll: FindAll<Wanted>): [start: number, end: number][] {
  const { units, starts, ends } = coreOf(text);
  const spans: [start: number, end: number][] = [];
  const edges: boolean[] = [];
  const isEdgeAt = (index: number): boolean => (edges[index] ??= isEdge(text, index));
  findAll(units, ({ isAnywhere }, first, after) => {
    const start = starts[first] ?? 0;
    const end = ends[after - 1] ?? 0;
    if (!isAnywhere && !(isEdgeAt(end) && isEdgeAt(start))) return false;
    spans.push([start, end]);
    // Shorter values with the same end are parts of it.
    return true;
  });
  return spans;
}

/** Returns whether neither a word nor a number continues at the index. */
function isEdge(text: string, index: number): boolean {
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1) ?? '';
  const [after = ''] = text.slice(index, index + 2);
  return !((letter.test(before) && letter.test(after)) || (number.test(before) && number.test(after)));
}

function coreOf(text: string): Core {
  let units = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  // Signs before a number belong to it.
  let signsAt: number | undefined;
  for (const [character] of text.matchAll(pieces)) {
    const isStop = character === removed || character === '[' || character === ']';
    const core = isStop ? stop : foldCharacter(character);
    for (let unit = 0; unit < core.length; unit += 1) {
      starts.push(signsAt ?? at);
      ends.push(at + character.length);
    }
    units += core;
    signsAt = character === '+' || character === '(' ? (signsAt ?? at) : undefined;
    at += character.length;
  }
  return { units, starts, ends };
}

/** Returns the letters and digits of a character in one form; nothing for others. */
function foldCharacter(character: string): string {
  if (character < '\u0080') return /[A-Za-z0-9]/.test(character) ? character.toLowerCase() : '';
  if (!inWord.test(character)) return '';
  const folded = foldDigits(character.normalize('NFKD').toUpperCase().toLowerCase()).replaceAll('ς', 'σ');
  return Array.from(folded)
    .filter((one) => inWord.test(one))
    .join('');
}
