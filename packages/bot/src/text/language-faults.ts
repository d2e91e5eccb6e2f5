import type { LocalText } from './format-text.ts';

export function reportLanguage(
  text: LocalText,
  locale: string | undefined,
  report: (detail: string) => void,
): void {
  if (typeof text === 'string' || locale === undefined) return;
  const tags = Object.keys(text).map((tag) => tag.toLowerCase());
  if (!tags.includes(locale.toLowerCase()))
    report(`There is no text in "${locale}", the language of the definition.`);
  const twice = tags.find((tag, index) => tags.indexOf(tag) < index);
  if (twice !== undefined) report(`There are two texts in "${twice}".`);
}
