/** What may come next in a JSON text. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const blank = /[ \t\n\r]*/y;
const words = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const brokenNumber = /-?(?:0|[1-9]\d*)(?:\.(?!\d)|(?:\.\d+)?[eE][+-]?(?!\d))|-/y;

/**
 * What is wrong with a text that is no JSON (RFC 8259), and where: the first character that cannot stand there, or the end.
 * Lines and columns are counted from 1, columns in code points.
 */
export function describeJsonFault(text: string): string {
  const at = faultAt(text);
  const lines = text.slice(0, at).split('\n');
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const found =
    at === text.length ? 'end of JSON' : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return `Unexpected ${found} at line ${lines.length}, column ${column}`;
}

/** The index of the first unit that no JSON text could have there; the length where it only breaks off. */
export function faultAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  for (let at = endOf(blank, text, 0); at < text.length; at = endOf(blank, text, at)) {
    const unit = text[at];
    const isEnd = next.endsWith('end') && unit === (open.at(-1) === '{' ? '}' : ']');
    if (isEnd) open.pop();
    if (isEnd) next = open.length > 0 ? 'comma or end' : 'nothing';
    else if (next === 'colon' && unit === ':') next = 'value';
    else if (next === 'comma or end' && unit === ',') next = open.at(-1) === '{' ? 'name' : 'value';
    else if (next.startsWith('value') && (unit === '{' || unit === '[')) {
      open.push(unit);
      next = unit === '{' ? 'name or end' : 'value or end';
    } else if (next.startsWith('value') || (next.startsWith('name') && unit === '"')) {
      const scalar = unit === '"' ? stringAt(text, at) : numberOrWordAt(text, at);
      if (!scalar.isWhole) return scalar.end;
      at = scalar.end;
      next = next.startsWith('name') ? 'colon' : open.length > 0 ? 'comma or end' : 'nothing';
      continue;
    } else return at;
    at += 1;
  }
  return text.length;
}

interface Scalar {
  /** Where it ends, or where its fault is. */
  end: number;
  isWhole: boolean;
}

function numberOrWordAt(text: string, at: number): Scalar {
  const word = words.find((one) => one[0] === text[at]);
  if (word === undefined) {
    const end = endOf(number, text, at);
    const brokenEnd = endOf(brokenNumber, text, at);
    return brokenEnd > end ? { end: brokenEnd, isWhole: false } : { end, isWhole: end > at };
  }
  let length = 1;
  while (length < word.length && text[at + length] === word[length]) length += 1;
  return { end: at + length, isWhole: length === word.length };
}

function stringAt(text: string, from: number): Scalar {
  for (let at = from + 1; at < text.length; at += 1) {
    const unit = text[at] ?? '';
    if (unit === '"') return { end: at + 1, isWhole: true };
    if (unit < ' ') return { end: at, isWhole: false };
    if (unit !== '\\') continue;
    at += 1;
    if (at < text.length && !'"\\/bfnrtu'.includes(text[at] ?? '')) return { end: at, isWhole: false };
    for (let digits = text[at] === 'u' ? 4 : 0; digits > 0 && at + 1 < text.length; digits -= 1) {
      at += 1;
      if (!/[\da-f]/i.test(text[at] ?? '')) return { end: at, isWhole: false };
    }
  }
  return { end: text.length, isWhole: false };
}

/** Where the match that begins at `at` ends; `at` when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
