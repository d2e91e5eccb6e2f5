import { linkTokenChars } from '@parley/contracts/limits';
import { tokenCharacters } from '@parley/contracts/person-token';

/**
 * Returns the path of a page below `prefix` of which `given` is another spelling; undefined if it is none. Mail
 * programs and people add or double slashes, change the case and leave a stray `%`. A parameter keeps its case, without
 * characters that no link has. `patterns` are in the form of Express, `prefix` is literal.
 */
export function canonicalPath(given: string, patterns: readonly string[], prefix = ''): string | undefined {
  const segments = segmentsOf(given);
  const base = segmentsOf(prefix);
  if (!base.every((name, index) => isSpellingOf(name, segments[index] ?? ''))) return undefined;
  const below = segments.slice(base.length);
  for (const pattern of patterns) {
    const wanted = pattern.split('/').filter(Boolean);
    const found = wanted.map((name, index) => segmentFor(name, below[index] ?? ''));
    if (wanted.length === below.length && found.every(Boolean)) return `${prefix}/${found.join('/')}`;
  }
  return undefined;
}

/** Returns the pattern of Express that matches only this path. */
export function literalPattern(path: string): string {
  return path.replaceAll(/[\\{}()[\]+?!:*]/g, String.raw`\$&`);
}

/** Returns the first segment of one of `patterns` below which `prefix` lies, too; undefined if there is none. */
export function sharedSegment(prefix: string, patterns: readonly string[]): string | undefined {
  const [first] = segmentsOf(prefix);
  if (first === undefined) return undefined;
  return patterns
    .flatMap((pattern) => segmentsOf(pattern).slice(0, 1))
    .find((name) => isSpellingOf(name, first));
}

/** An escaped character of a URL (RFC 3986) or of HTML. */
const escapes = /%[0-9a-f]{2}|&(?:#\d+|#x[0-9a-f]+|[a-z]+);/gi;

/**
 * Returns what can be the token of a link, shortest first, in a text that may have other characters in it, such as soft
 * hyphens of a mail program. A token has no mark of its end: each part may be its last one, or text behind it. The only
 * one is too short if the link is not complete, and is empty if the text has no letters and digits.
 */
export function tokensIn(given: string): [string, ...string[]] {
  const { min, max } = linkTokenChars;
  let token = '';
  const found: string[] = [];
  for (const part of partsOf(given)) {
    if (token.length >= min && token.length + part.length > max) break;
    token += part;
    if (token.length >= min) found.push(token);
  }
  const [first = token, ...longer] = found;
  return [first, ...longer];
}

function partsOf(given: string): string[] {
  return given
    .replaceAll(escapes, ' ')
    .split(/[^0-9A-Za-z]+/)
    .filter((part) => part !== '');
}

/** Returns the code of a sign-in or portal link in such a text. One below `tokenCharacters` is not complete. */
export function cleanCode(given: string): string {
  return decodedIfPossible(given).replaceAll(escapes, '').replaceAll(/\W/g, '').slice(0, tokenCharacters);
}

function segmentFor(wanted: string, given: string): string | undefined {
  if (wanted === ':token') {
    const [token, ...longer] = tokensIn(given);
    // The page finds out which of them it is.
    return longer.length > 0 ? partsOf(given).join('.') : token || undefined;
  }
  if (wanted.startsWith(':')) return given.replaceAll(escapes, '').replaceAll(/[^\w-]/g, '') || undefined;
  return isSpellingOf(wanted, given) ? wanted : undefined;
}

function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .map(decodedIfPossible)
    .filter((segment) => withoutPercent(segment) !== '');
}

function isSpellingOf(wanted: string, given: string): boolean {
  return withoutPercent(given).toLowerCase() === withoutPercent(wanted).toLowerCase();
}

function withoutPercent(segment: string): string {
  return segment.replaceAll('%', '');
}

function decodedIfPossible(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
