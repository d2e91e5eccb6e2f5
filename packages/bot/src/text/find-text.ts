/** The longest text for which `String.indexOf` takes about as long as this search in the worst case. */
const nativeCharsMax = 8;

/**
 * Returns the first index of `wanted` in `text` from `from` on, in UTF-16 units, or -1 (Knuth, Morris and Pratt, 1977).
 * Takes linear time; `String.indexOf` may take the product of both lengths.
 */
export function findText(text: string, wanted: string, from = 0): number {
  if (wanted.length <= nativeCharsMax) return from > text.length ? -1 : text.indexOf(wanted, from);
  const fallbacks = fallbacksOf(wanted);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallbacks[matched] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    if (matched === wanted.length) return at + 1 - matched;
  }
  return -1;
}

/** Yields each index in a text, in linear time in all. */
type Finder = (text: string) => Iterable<number>;

/** Returns a function that finds every occurrence of `wanted`, which is not empty, also overlapping ones. */
export function createFinder(wanted: string): Finder {
  const fallbacks = fallbacksOf(wanted);
  const first = wanted.charAt(0);
  return function* (text) {
    let matched = 0;
    for (let at = 0; at < text.length; at += 1) {
      // Skips to the next possible start, which is much faster.
      if (matched === 0) at = text.indexOf(first, at);
      if (at === -1) return;
      const unit = text.charCodeAt(at);
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallbacks[matched] ?? 0;
      if (wanted.charCodeAt(matched) === unit) matched += 1;
      if (matched < wanted.length) continue;
      yield at + 1 - matched;
      matched = fallbacks[matched] ?? 0;
    }
  };
}

/** By the length of a prefix: the length of its longest proper suffix that is a prefix too. */
function fallbacksOf(wanted: string): Int32Array {
  const fallbacks = new Int32Array(wanted.length + 1);
  let matched = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    const unit = wanted.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = fallbacks[matched] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched += 1;
    fallbacks[at + 1] = matched;
  }
  return fallbacks;
}
