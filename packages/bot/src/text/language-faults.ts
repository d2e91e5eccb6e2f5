import type { LocalText } from './format-text.ts';
import { type Message, messages } from './messages.ts';

export function reportLanguage(
  text: LocalText,
  locale: string | undefined,
  report: (detail: Message) => void,
): void {
  if (typeof text === 'string' || locale === undefined) return;
  const tags = Object.keys(text).map((tag) => tag.toLowerCase());
  if (!tags.includes(locale.toLowerCase())) report(messages.noLanguage(locale));
  const twice = tags.find((tag, index) => tags.indexOf(tag) < index);
  if (twice !== undefined) report(messages.twoTexts(twice));
}
