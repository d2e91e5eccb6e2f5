/**
 * Returns the path of a page of which `given` is another spelling; undefined if it is none. Mail programs and people
 * add or double slashes, change the case and leave a stray `%`. A parameter keeps its case, up to the first character
 * that no link has. `patterns` are in the form of Express.
 */
export function canonicalPath(given: string, patterns: readonly string[]): string | undefined {
  const segments = given
    .split('/')
    .map(decodedIfPossible)
    .filter((segment) => withoutPercent(segment) !== '');
  for (const pattern of patterns) {
    const wanted = pattern.split('/').filter(Boolean);
    const found = wanted.map((name, index) => segmentFor(name, segments[index] ?? ''));
    if (wanted.length === segments.length && found.every(Boolean)) return `/${found.join('/')}`;
  }
  return undefined;
}

/** Returns the leading characters of a token, which has letters and digits only. */
export function cleanToken(given: string): string {
  return /^[0-9A-Za-z_-]*/.exec(given)?.[0] ?? '';
}

function segmentFor(wanted: string, given: string): string | undefined {
  if (wanted.startsWith(':')) return cleanToken(given) || undefined;
  return withoutPercent(given).toLowerCase() === wanted.toLowerCase() ? wanted : undefined;
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
