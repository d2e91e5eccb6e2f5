/**
 * Where `wanted` is in `text` first, at `from` or after it, in UTF-16 units; -1 when it is not (Knuth, Morris and Pratt,
 * 1977). The work is proportional to the lengths of both together, whatever they are: that of `String.indexOf` may be
 * proportional to their product.
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

/** For each beginning, by its length: how much of its end is a beginning too. */
function fallbacksOf(wanted: string): Int32Array {
  const fallbacks = new Int32Array(wanted.length + 1);
  for (let at = 1; at < wanted.length; at += 1) {
    fallbacks[at + 1] = extended(wanted, fallbacks, fallbacks[at] ?? 0, wanted.charCodeAt(at));
  }
  return fallbacks;
}

/** How much is matched with one unit more. Each step back is paid by a step forward before. */
function extended(wanted: string, fallbacks: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && wanted.charCodeAt(length) !== unit) length = fallbacks[length] ?? 0;
  return wanted.charCodeAt(length) === unit ? length + 1 : 0;
}
