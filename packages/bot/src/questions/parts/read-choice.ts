import { foldCharacters, foldTyped } from '../../text/characters.ts';
import { bodyCharsMax, cleanText } from '../../text/clean-text.ts';
import type { LocalText } from '../../text/format-text.ts';
import { type TextLanguage, localText, translations } from '../../text/template.ts';

type Choice = { value: string; label: LocalText };

/** Separators of several choices in one text with plain characters. Labels may contain them. */
const separators = /[,;\n\u30fb]/;

/**
 * Returns the value of the choice that a text means: by its label in the conversation's language, else in another
 * language, else by its value, which customers do not see. Undefined when none matches, or several.
 */
export function readChoice(choices: Choice[], text: string, language: TextLanguage): string | undefined {
  return meaning(wordingsOf(choices, language), foldWording(text));
}

export function readLabel<Name extends string>(
  labels: Record<Name, LocalText>,
  text: string,
  language: TextLanguage,
): Name | undefined {
  const found = meaning(wordingsOf(labels, language), foldWording(text));
  return (Object.keys(labels) as Name[]).find((name) => name === found);
}

const yesWords = ['yes', 'y', 'yep', 'yeah', 'true'];
const noWords = ['no', 'n', 'nope', 'false'];

/** Returns whether a word means yes; undefined if it means neither yes nor no. */
export function readYesOrNo(text: string): boolean | undefined {
  const wanted = bareWording(text);
  return yesWords.includes(wanted) ? true : noWords.includes(wanted) ? false : undefined;
}

/**
 * Returns the values of choices separated by commas, semicolons or line breaks, and the pieces of the text that mean
 * none: all of a text that is longer than an answer.
 */
export function readChoicesIn(
  choices: Choice[],
  text: string,
  language: TextLanguage,
): { values: string[]; rest: string[] } {
  // Folding takes time in proportion to the square of the accents of one letter.
  if (text.length > bodyCharsMax) return { values: [], rest: [text] };
  const wordings = wordingsOf(choices, language);
  const texts = foldCharacters(text)
    .split(separators)
    .filter((piece) => piece.trim() !== '')
    .slice(0, 100);
  const pieces = texts.map(foldPiece);
  const values = new Set<string>();
  const rest: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const run = longestRun(wordings, pieces, at);
    if (run === undefined) rest.push((texts[at] ?? '').trim());
    else values.add(run.value);
    at = run?.end ?? at + 1;
  }
  return { values: [...values], rest };
}

/** Returns a function that reads single choices as `readChoice` does. */
export function choiceReader(
  choices: Choice[],
  language: TextLanguage,
): (text: string) => string | undefined {
  const wordings = wordingsOf(choices, language);
  return (text) => meaning(wordings, foldWording(text));
}

/** The most words of a text that are read. */
const wordsMax = 200;

/** Yields the words of a text; several words that mean a choice together as its value. */
export function* wordsOrChoices(
  choices: Choice[],
  text: string,
  language: TextLanguage,
): Generator<{ value: string } | { word: string }> {
  if (text.length > bodyCharsMax) return;
  const { charsMax } = wordingsOf(choices, language);
  const read = choiceReader(choices, language);
  const words = foldCharacters(text)
    .split(/[\s,;>\u30fb\u2192]+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
  for (let at = 0; at < words.length; ) {
    let found: { value: string; end: number } | undefined;
    for (let end = at + 1, run = ''; end <= words.length; end += 1) {
      run = `${run} ${words[end - 1]}`;
      // A label may have punctuation between its words.
      if (run.length > charsMax + 20) break;
      const value = read(run);
      if (value !== undefined) found = { value, end };
    }
    yield found === undefined ? { word: words[at] ?? '' } : { value: found.value };
    at = found?.end ?? at + 1;
  }
}

/** The characters of a wording that are compared. A label has at most 150, of which some become several. */
const wordingCharsMax = 500;

/** Returns the comparable form of a wording: one letter case, one line, plain characters. */
export function foldWording(text: string): string {
  return cleanText(foldTyped(text.slice(0, wordingCharsMax)).slice(0, wordingCharsMax), false).toLowerCase();
}

export function bareWording(text: string): string {
  return withoutPunctuation(foldWording(text));
}

type Wordings = {
  /** In lookup order; undefined for an ambiguous wording. */
  lookups: { isBare: boolean; values: Map<string, string | undefined> }[];
  /** The most pieces between separators in one wording, and the most characters, folded. */
  piecesMax: number;
  charsMax: number;
};

type ByWording = Map<string, Set<string>>;

function wordingsOf(of: Choice[] | Record<string, LocalText>, { locale, ownLocale }: TextLanguage): Wordings {
  const named: [value: string, label: LocalText][] = Array.isArray(of)
    ? of.map(({ value, label }) => [value, label])
    : Object.entries(of);
  const shown: ByWording = new Map();
  const any: ByWording = new Map();
  const byValue: ByWording = new Map();
  const lengths: { pieces: number; chars: number }[] = [];
  const add = (wordings: ByWording, wording: string, value: string): void => {
    const folded = foldWording(wording);
    wordings.set(folded, (wordings.get(folded) ?? new Set()).add(value));
    lengths.push({ pieces: foldCharacters(wording).split(separators).length, chars: folded.length });
  };
  for (const [value, label] of named) {
    const wording = localText(label, locale, ownLocale);
    add(shown, wording, value);
    for (const one of translations(label)) add(any, one, value);
    if (Array.isArray(of) && !isOtherNumber(foldWording(value), foldWording(wording))) {
      add(byValue, value, value);
    }
  }
  return {
    lookups: [
      { isBare: false, values: onlyOnes(shown) },
      { isBare: true, values: onlyOnes(bare(shown)) },
      { isBare: false, values: onlyOnes(any) },
      { isBare: true, values: onlyOnes(bare(any)) },
      { isBare: false, values: onlyOnes(byValue) },
    ],
    piecesMax: Math.max(...lengths.map(({ pieces }) => pieces)),
    charsMax: Math.max(...lengths.map(({ chars }) => chars)),
  };
}

function bare(wordings: ByWording): ByWording {
  const found: ByWording = new Map();
  for (const [wording, values] of wordings) {
    const name = withoutPunctuation(wording);
    if (name !== '') found.set(name, new Set([...(found.get(name) ?? []), ...values]));
  }
  return found;
}

function onlyOnes(wordings: ByWording): Map<string, string | undefined> {
  return new Map(
    [...wordings].map(([wording, [first, ...others]]) => [wording, others.length > 0 ? undefined : first]),
  );
}

function meaning(
  { lookups }: Wordings,
  folded: string,
  withoutMarks = withoutPunctuation(folded),
): string | undefined {
  for (const { isBare, values } of lookups) {
    const wanted = isBare ? withoutMarks : folded;
    if (values.has(wanted)) return values.get(wanted);
  }
  return undefined;
}

/** The folded text between two separators. Blanks at its ends are kept, because a label may contain separators. */
type Piece = { folded: string; bare: string };

function foldPiece(text: string): Piece {
  const folded = `${/^\s/.test(text) ? ' ' : ''}${foldWording(text)}${/\s$/.test(text) ? ' ' : ''}`;
  return { folded, bare: folded.replaceAll(punctuation, '') };
}

/** Returns the longest run of pieces from `start` that is a choice. Ignores runs longer than any wording. */
function longestRun(
  wordings: Wordings,
  pieces: Piece[],
  start: number,
): { value: string; end: number } | undefined {
  let found: { value: string; end: number } | undefined;
  let folded = '';
  let bareRun = '';
  for (const [index, piece] of pieces.slice(start, start + wordings.piecesMax).entries()) {
    folded += index === 0 ? piece.folded : `,${piece.folded}`;
    bareRun += piece.bare;
    const wantedBare = bareRun.trim();
    if (wantedBare.length > wordings.charsMax) break;
    // With a blank at each end.
    const wanted = folded.length > wordings.charsMax + 2 ? '' : folded.trim();
    const value = meaning(wordings, wanted, wantedBare);
    if (value !== undefined) found = { value, end: start + index + 1 };
  }
  return found;
}

const punctuation = /[.,;:!?'"()\u00a1\u00bf\u30fb]/g;

function withoutPunctuation(wording: string): string {
  return wording.replaceAll(punctuation, '').trim();
}

// If the value 0 is shown as "1 to 3", the text 0 does not mean it.
function isOtherNumber(value: string, shown: string): boolean {
  const numbers = shown.match(/\d+/g);
  return /^\d+$/.test(value) && numbers !== null && !numbers.includes(value);
}
