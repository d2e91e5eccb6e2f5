/** Abbreviations that are written in capitals. */
const abbreviations = new Set(['nps', 'csat', 'ces', 'url', 'vip']);

/** Returns the words of a key that somebody has given to a program: `nps_segment` is `NPS segment`. */
export function wordsOf(key: string): string {
  const words = key
    .replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? key : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the text of a step as people read it: `{{customer.firstName|there}}` is `‹first name›`. */
export function withoutPlaceholders(text: string): string {
  return text.replaceAll(/\{\{\s*([^{}|]*?)\s*(?:\|[^{}]*)?\}\}/g, (_, path: string) => {
    const words = wordsOf(path.split('.').at(-1) ?? path);
    return `‹${words.charAt(0).toLowerCase()}${words.slice(1)}›`;
  });
}

/** Returns the beginning of a text that is too long for a label. */
export function shortened(text: string, charsMax = 40): string {
  return text.length > charsMax ? `${text.slice(0, charsMax).trimEnd()}…` : text;
}

/** Returns JSON with a line for each value, and another text as it is: parts of it may be hidden. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns a text as it is, a sign for an empty object, and the JSON of another value. */
export function valueText(value: unknown): string | undefined {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (isEmpty) return '✓';
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}

/** Returns the words for a name, or the name: a newer service may have others. */
export function knownWord(words: Record<string, string>, name: string): string {
  return words[name] ?? name;
}
