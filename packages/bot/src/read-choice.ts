import { foldDigits } from './characters.ts';
import { cleanText } from './check-value.ts';
import type { Choice, LocalText } from './format.ts';
import { type Language, localText } from './template.ts';

/** Separators of several choices in one text, which labels may hold themselves. */
const separators = /[,;\n]/;

/**
 * The value of the choice that a text means, by its label in the talk's language, else by one in another language, else
 * by its value, which customers do not see. Undefined where none fits, or several.
 */
export function readChoice(choices: Choice[], text: string, language: Language): string | undefined {
  return meaning(wordingsOf(choices, language), foldWording(text));
}

/** The name under which a label is kept that a text means, as `readChoice`. */
export function readLabel<Name extends string>(
  labels: Record<Name, LocalText>,
  text: string,
  language: Language,
): Name | undefined {
  const found = meaning(wordingsOf(labels, language), foldWording(text));
  return (Object.keys(labels) as Name[]).find((name) => name === found);
}

/** The values of several choices with commas, semicolons or line breaks between; undefined when any is none. */
export function readChoices(choices: Choice[], text: string, language: Language): string[] | undefined {
  const wordings = wordingsOf(choices, language);
  const pieces = text
    .split(separators)
    .filter((piece) => piece.trim() !== '')
    .slice(0, 100)
    .map(foldPiece);
  const values = new Set<string>();
  for (let at = 0; at < pieces.length; ) {
    const run = longestRun(wordings, pieces, at);
    if (run === undefined) return undefined;
    values.add(run.value);
    at = run.end;
  }
  return values.size === 0 ? undefined : [...values];
}

/** A wording as it is compared: in one letter case, on one line, with one kind of digits and apostrophes. */
export function foldWording(text: string): string {
  const clean = cleanText(foldDigits(text.normalize('NFKC')), false);
  return clean.toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('’', "'");
}

/** The wording without punctuation. */
export function bareWording(text: string): string {
  return withoutPunctuation(foldWording(text));
}

/** What each wording means, folded. Made once for all texts that are read: a definition may have hundreds of labels. */
type Wordings = {
  /** In the order in which they are looked at; undefined: it means several. */
  ways: { isBare: boolean; values: Map<string, string | undefined> }[];
  /** How many pieces there are at most between the separators of one, and how many characters, folded. */
  piecesMax: number;
  charsMax: number;
};

/** The values that have a wording. */
type ByWording = Map<string, Set<string>>;

type Kept = Map<string, Wordings>;
const kept = new WeakMap<object, Kept>();
/** In how many languages wordings are kept: those of a text. Talks may be in any others too, which have its own labels. */
const languagesMax = 20;

function wordingsOf(of: Choice[] | Record<string, LocalText>, language: Language): Wordings {
  const known: Kept = kept.get(of) ?? new Map();
  kept.set(of, known);
  const key = `${language.locale} ${language.ownLocale}`;
  let wordings = known.get(key);
  if (wordings === undefined) {
    wordings = fold(of, language);
    if (known.size === languagesMax) known.clear();
    known.set(key, wordings);
  }
  return wordings;
}

function fold(of: Choice[] | Record<string, LocalText>, { locale, ownLocale }: Language): Wordings {
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
    lengths.push({ pieces: wording.split(separators).length, chars: folded.length });
  };
  for (const [value, label] of named) {
    const wording = localText(label, locale, ownLocale);
    add(shown, wording, value);
    for (const one of typeof label === 'string' ? [label] : Object.values(label)) add(any, one, value);
    if (Array.isArray(of) && !isOtherNumber(foldWording(value), foldWording(wording))) {
      add(byValue, value, value);
    }
  }
  return {
    ways: [
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
  { ways }: Wordings,
  folded: string,
  withoutMarks = withoutPunctuation(folded),
): string | undefined {
  for (const { isBare, values } of ways) {
    const wanted = isBare ? withoutMarks : folded;
    if (values.has(wanted)) return values.get(wanted);
  }
  return undefined;
}

/** What stands between two separators, folded; the blanks at its ends stay, since they are within a run of pieces. */
type Piece = { folded: string; bare: string };

function foldPiece(text: string): Piece {
  const folded = `${/^\s/.test(text) ? ' ' : ''}${foldWording(text)}${/\s$/.test(text) ? ' ' : ''}`;
  return { folded, bare: folded.replaceAll(punctuation, '') };
}

/** The longest run of pieces from there that is a choice. What is longer than any wording is not looked at. */
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

const punctuation = /[.,;:!?'"()]/g;

function withoutPunctuation(wording: string): string {
  return wording.replaceAll(punctuation, '').trim();
}

// Where the value 0 is shown as "1 to 3", who writes 0 does not mean that.
function isOtherNumber(value: string, shown: string): boolean {
  const numbers = shown.match(/\d+/g);
  return /^\d+$/.test(value) && numbers !== null && !numbers.includes(value);
}
