import { templateReferences } from '@parley/bot/template';

/** A value that a text names: `{{answers.score|nothing yet}}`. */
export interface Placeholder {
  from: number;
  to: number;
  /** Such as `answers.score`. */
  name: string;
  /** What is shown when the value is missing. */
  fallback: string;
}

/** Returns the values that a text names, in their order. What the service would not read as a value is text. */
export function placeholdersIn(text: string): Placeholder[] {
  return Array.from(text.matchAll(/\{\{[^{}]*\}\}/g)).flatMap(({ 0: whole, index: from }) => {
    const [found] = templateReferences(whole).references;
    if (!found) return [];
    const { source, name, fallback = '' } = found;
    return [{ from, to: from + whole.length, name: `${source}.${name}`, fallback }];
  });
}

/** Returns the text of a placeholder. Without a fallback, nothing is shown for a missing value. */
export function writePlaceholder(name: string, fallback = ''): string {
  const plain = fallback.replaceAll(/[{}]/g, '');
  return `{{${name}${plain === '' ? '' : `|${plain}`}}}`;
}

/** Returns whether a text can name a value: what was answered, not what was written beside it. */
export function isInsertable({ name }: { name: string }): boolean {
  return !name.startsWith('others.');
}
