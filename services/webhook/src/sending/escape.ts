/** An escape in a text of bytes. */
export interface Escape {
  /** How many bytes it has there. */
  length: number;
  /** What it stands for: one byte, a code point beyond ASCII, or nothing that can be known, since the text ends in it. */
  kind: 'byte' | 'character' | 'incomplete';
  value: number;
}

/** `&#x10ffff;` and `\ud83d\ude00` are the longest. */
const lengthMax = 12;
const hex = '[0-9a-f]';
const incompleteForm = new RegExp(
  [
    `^%${hex}?$`,
    String.raw`^\\(?:u(?:${hex}{0,3}|d[89ab]${hex}{2}(?:\\(?:u${hex}{0,3})?)?))?$`,
    `^&(?:[a-z]{0,4}|#[0-9]{0,7}|#x${hex}{0,6})$`,
  ].join('|'),
  'i',
);
const referenceForm = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i;
const namedReferences = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const jsonEscapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** By bytes: whether an escape may begin with it. */
const beginsEscape = new Uint8Array(256);
for (const byte of Buffer.from('%+\\&')) beginsEscape[byte] = 1;

/** Where the next escape may begin, from a place on; the text's length when none does. */
export function nextSign(text: Uint8Array, from: number): number {
  let index = from;
  while (index < text.length && beginsEscape[text[index] ?? 0] === 0) index += 1;
  return index;
}

/**
 * The escape that begins at a place of a text: of percent-encoding (RFC 3986; in forms a plus is a space), of JSON (RFC 8259), or
 * a character reference of HTML: a numeric one, or one of the five names that XML has too. Undefined: none does. Where `isCut`
 * the text is the beginning of another, and what may be the beginning of an escape at its end is an incomplete one.
 */
export function escapeAt(text: Uint8Array, at: number, isCut: boolean): Escape | undefined {
  const escape = completeAt(text, at);
  if (escape || !isCut || text.length - at >= lengthMax) return escape;
  const isIncomplete = incompleteForm.test(latin1(text, at, text.length));
  return isIncomplete ? { length: text.length - at, kind: 'incomplete', value: 0 } : undefined;
}

function completeAt(text: Uint8Array, at: number): Escape | undefined {
  switch (text[at]) {
    case 0x2b:
      return { length: 1, kind: 'byte', value: 0x20 };
    case 0x25: {
      const value = hexAt(text, at + 1, 2);
      return value === undefined ? undefined : { length: 3, kind: 'byte', value };
    }
    case 0x5c:
      return jsonEscapeAt(text, at);
    case 0x26:
      return referenceAt(text, at);
    default:
      return undefined;
  }
}

function jsonEscapeAt(text: Uint8Array, at: number): Escape | undefined {
  const short = jsonEscapes.get(String.fromCharCode(text[at + 1] ?? 0));
  if (short !== undefined) return characterOf(2, short.charCodeAt(0));
  const unit = unitAt(text, at);
  if (unit === undefined) return undefined;
  const low = unit >= 0xd800 && unit <= 0xdbff ? unitAt(text, at + 6) : undefined;
  if (low === undefined || low < 0xdc00 || low > 0xdfff) return characterOf(6, unit);
  return characterOf(12, 0x1_0000 + (unit - 0xd800) * 0x400 + (low - 0xdc00));
}

/** The UTF-16 code unit of a `\uXXXX`. */
function unitAt(text: Uint8Array, at: number): number | undefined {
  return text[at] === 0x5c && text[at + 1] === 0x75 ? hexAt(text, at + 2, 4) : undefined;
}

function referenceAt(text: Uint8Array, at: number): Escape | undefined {
  let end = at + 1;
  while (text[end] !== 0x3b) {
    end += 1;
    if (end >= at + lengthMax) return undefined;
  }
  const reference = latin1(text, at + 1, end);
  const length = end + 1 - at;
  const named = namedReferences.get(reference);
  if (named !== undefined) return characterOf(length, named.charCodeAt(0));
  const [, hexDigits, digits] = referenceForm.exec(reference) ?? [];
  if (hexDigits) return characterOf(length, Number.parseInt(hexDigits, 16));
  return digits ? characterOf(length, Number(digits)) : undefined;
}

/** Undefined for what is no Unicode scalar value, such as half a surrogate pair. */
function characterOf(length: number, codePoint: number): Escape | undefined {
  if (codePoint <= 0x7f) return { length, kind: 'byte', value: codePoint };
  const isScalar = codePoint <= 0x10_ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return isScalar ? { length, kind: 'character', value: codePoint } : undefined;
}

function hexAt(text: Uint8Array, at: number, digits: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const byte = text[index] ?? 0;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) value = value * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) value = value * 16 + letter - 0x57;
    else return undefined;
  }
  return value;
}

function latin1(text: Uint8Array, start: number, end: number): string {
  return Buffer.from(text.buffer, text.byteOffset + start, end - start).toString('latin1');
}
