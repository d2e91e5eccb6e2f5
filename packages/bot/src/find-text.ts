/**
 * Returns the first index of `wanted` in `text` from `from` on, in UTF-16 units, or -1 (Knuth, Morris and Pratt, 1977).
 * Takes linear time; `String.indexOf` may take the product of both lengths.
 */
export function findText(text: string, wanted: string, from = 0): number {
  const fallbacks = fallbacksOf(wanted);
  let matched = 0;
  for (let at = from; at <= text.length; at += 1) {
    if (matched === wanted.length) return at - matched;
    matched = extended(wanted, fallbacks, matched, text.charCodeAt(at));
  }
  return -1;
}

/** By the length of a prefix: the length of its longest proper suffix that is a prefix too. */
function fallbacksOf(wanted: string): Int32Array {
  const fallbacks = new Int32Array(wanted.length + 1);
  for (let at = 1; at < wanted.length; at += 1) {
    fallbacks[at + 1] = extended(wanted, fallbacks, fallbacks[at] ?? 0, wanted.charCodeAt(at));
  }
  return fallbacks;
}

/** Returns the matched length after one more unit. */
function extended(wanted: string, fallbacks: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== unit) length = fallbacks[length] ?? 0;
  return wanted.charCodeAt(length) === unit ? length + 1 : 0;
}
