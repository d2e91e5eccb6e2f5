const digit = /\p{Nd}/u;

/** The plain characters for typographic ones that NFKC keeps. */
const plainCharacters: readonly [typographic: RegExp, plain: string][] = [
  // A Japanese keyboard writes a long-vowel mark where a number needs a hyphen.
  [/[\p{Dash}\u2500]|(?<=\d)\u30fc(?=\d)/gu, '-'],
  [/[\u2018-\u201b\u2032\u02b9\u02bc\u2039\u203a]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb\u300c-\u300f\u3008-\u300b]/g, '"'],
  [/[\u3001\u060c\u055d\u1363]/g, ','],
  [/[\u3002\u06d4\u0964]/g, '.'],
  [/[\u061b\u1364]/g, ';'],
  [/[\u2236\u1365]/g, ':'],
  [/\u061f/g, '?'],
  [/[\u2044\u2215]/g, '/'],
];

/**
 * The most characters of a text that means a number, a day or an address: a web address has no more. Folding takes time
 * in proportion to the square of the accents of one letter.
 */
export const typedCharsMax = 2048;

/** A character that ends sentences and is not in ASCII (Unicode, property Sentence_Terminal). */
const foreignSentenceEnd = new RegExp(
  '[\u0589\u061d-\u061f\u06d4\u0700-\u0702\u07f9\u0837\u0839\u083d\u083e\u0964\u0965\u104a\u104b\u1362\u1367\u1368' +
    '\u166e\u1735\u1736\u17d4\u17d5\u1803\u1809\u1944\u1945\u1aa8-\u1aab\u1b5a\u1b5b\u1b5e\u1b5f\u1b7d\u1b7e\u1c3b\u1c3c' +
    '\u1c7e\u1c7f\u203c\u203d\u2047-\u2049\u2e2e\u2e3c\u2e53\u2e54\u3002\ua4ff\ua60e\ua60f\ua6f3\ua6f7\ua876\ua877\ua8ce' +
    '\ua8cf\ua92f\ua9c8\ua9c9\uaa5d-\uaa5f\uaaf0\uaaf1\uabeb\ufe52\ufe56\ufe57\uff01\uff0e\uff1f\uff61]',
);

/** Returns the text with the digits of every script written as 0 to 9. */
export function foldDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (found) => String(valueOf(found.codePointAt(0) ?? 0)));
}

/**
 * Returns the text with plain characters: ASCII for full-width forms, digits of any script, typographic dashes, quotes,
 * commas and stops; a space for any blank; no invisible characters. Lines stay. Letters of other scripts stay as well.
 */
export function foldCharacters(text: string): string {
  return toPlain(toCompatible(text));
}

/**
 * Returns what a person means who types a number, a day or an address: plain characters on one line, single spaces,
 * without the end of a sentence in another script. Empty for more than `typedCharsMax` characters.
 */
export function foldTyped(text: string): string {
  if (text.length > typedCharsMax) return '';
  const visible = withoutForeignEnd(toCompatible(text).trim());
  return toPlain(visible).replaceAll(/\s+/g, ' ').trim();
}

/** Returns the text without characters at its end that end sentences and are not in ASCII. */
export function withoutForeignEnd(text: string): string {
  let end = text.length;
  while (end > 0 && foreignSentenceEnd.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function toCompatible(text: string): string {
  // NFKC makes a space and a combining mark of this one.
  const compatible = text.replaceAll('\u00b4', "'").normalize('NFKC');
  return compatible.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
}

function toPlain(text: string): string {
  const spaced = foldDigits(text).replaceAll(/[^\S\n]/g, ' ');
  return plainCharacters.reduce((folded, [found, plain]) => folded.replaceAll(found, plain), spaced);
}

/** Returns whether the text is blank: only spaces, joiners, fillers and the like. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u.test(text);
}

// Digits are in runs of ten, from 0 (Unicode, section 4.6).
function valueOf(codePoint: number): number {
  let before = 0;
  while (digit.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return before % 10;
}
