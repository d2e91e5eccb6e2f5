/** A value that a text names: `{{answers.score|nothing yet}}`. */
export interface Placeholder {
  from: number;
  to: number;
  /** Such as `answers.score`. */
  name: string;
  /** What is shown when the value is missing. */
  fallback: string;
}

/** Returns the values that a text names, in their order. */
export function placeholdersIn(text: string): Placeholder[] {
  return Array.from(text.matchAll(/\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g), (match) => {
    const [whole, name = '', fallback = ''] = match;
    return { from: match.index, to: match.index + whole.length, name, fallback: fallback.trim() };
  });
}

/** Returns the text with another fallback of a placeholder. Without one, nothing is shown. */
export function withFallback(text: string, { from, to, name }: Placeholder, fallback: string): string {
  const plain = fallback.replaceAll(/[{}]/g, '');
  return splice(text, from, to, `{{${name}${plain === '' ? '' : `|${plain}`}}}`);
}

export function withoutPlaceholder(text: string, { from, to }: Placeholder): string {
  return splice(text, from, to, '');
}

/** Returns the text with a value at a place, which moves out of a placeholder. */
export function withPlaceholder(text: string, at: number, name: string): string {
  const around = placeholdersIn(text).find(({ from, to }) => from < at && at < to);
  const place = around?.to ?? at;
  return splice(text, place, place, `{{${name}}}`);
}

function splice(text: string, from: number, to: number, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Returns whether a text can name a value: what was answered, not what was written beside it. */
export function isInsertable({ name }: { name: string }): boolean {
  return !name.startsWith('others.');
}
