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

/** Full stops of scripts that do not use the one of ASCII. */
const foreignStops = new Set('\u3002\u06d4\u0964');

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
 * without a full stop of another script at the end.
 */
export function foldTyped(text: string): string {
  const visible = toCompatible(text).trim();
  let end = visible.length;
  while (foreignStops.has(visible.charAt(end - 1))) end -= 1;
  return toPlain(visible.slice(0, end)).replaceAll(/\s+/g, ' ').trim();
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
