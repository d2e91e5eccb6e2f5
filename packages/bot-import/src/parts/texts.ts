import type { LocalText } from '@parley/bot/format';
import type { Report } from '../report/report.ts';
import type { Source } from './source.ts';

export const textCharsMax = 4000;
export const labelCharsMax = 150;

/** Returns the text with each wording changed. Wordings that become empty are left out; undefined if all are. */
export function mapText(text: LocalText, change: (wording: string) => string): LocalText | undefined {
  if (typeof text === 'string') return change(text).trim() || undefined;
  const entries = Object.entries(text).flatMap(([tag, wording]): [string, string][] => {
    const changed = change(wording).trim();
    return changed === '' ? [] : [[tag, changed]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Returns texts below each other, in all languages that the first of them has. */
export function joinTexts(
  texts: readonly (LocalText | undefined)[],
  separator = '\n',
): LocalText | undefined {
  const [first, ...others] = texts.filter((text) => text !== undefined);
  if (first === undefined || others.length === 0) return first;
  const below = (tag: string | undefined) =>
    others.map((other) =>
      typeof other === 'string' ? other : ((tag === undefined ? undefined : other[tag]) ?? firstOf(other)),
    );
  if (typeof first === 'string') return [first, ...below(undefined)].join(separator);
  return Object.fromEntries(
    Object.entries(first).map(([tag, wording]) => [tag, [wording, ...below(tag)].join(separator)]),
  );
}

/** Returns the first wording: the one of the bot's own language. */
export function firstOf(text: LocalText): string {
  return typeof text === 'string' ? text : (Object.values(text)[0] ?? '');
}

/** Returns the text with braces that are no reference of a bot's text. */
export function plainBraces(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ').replaceAll(/\}(?=\})/g, '} ');
}

/** Returns a text with the references of another product, by their pattern, as references of a bot. */
export function withReferences(
  text: string,
  pattern: RegExp,
  referenceOf: (inside: string, otherwise: string | undefined) => string,
): string {
  let made = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    made += plainBraces(text.slice(at, match.index)) + referenceOf(match[1] ?? '', match[2]);
    at = match.index + match[0].length;
  }
  return made + plainBraces(text.slice(at));
}

/** Returns a reference with what replaces a missing value. */
export function reference(name: string, otherwise = ''): string {
  const plain = otherwise.replaceAll(/[{}|]/g, ' ').trim();
  return plain === '' ? `{{${name}}}` : `{{${name}|${plain}}}`;
}

/** Returns the text of HTML: paragraphs and breaks as lines, links with their address. */
export function htmlText(html: string): string {
  if (!/<[a-z!/]|&[a-z#]/i.test(html)) return html;
  const lined = html
    .replaceAll(/<a\s[^>]*?href\s*=\s*["']([^"']*)["'][^>]*>([^]*?)<\/a\s*>/gi, (_, address, words) =>
      stripTags(words).trim() === address ? address : `${words} (${address})`,
    )
    .replaceAll(/<br\s*\/?>|<\/(p|div|h[1-6]|li|tr|ul|ol|blockquote)\s*>/gi, '\n')
    .replaceAll(/<li[^>]*>/gi, '- ');
  const plain = stripTags(lined)
    .replaceAll(/&nbsp;|&#160;/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#0?39;|&apos;/g, "'")
    .replaceAll('&amp;', '&');
  return plain
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function stripTags(html: string): string {
  return html.replaceAll(/<\/?[a-z!][^<>]*>/gi, '');
}

/** Returns a text of at most so many characters, and reports what is cut. */
export function cut(text: LocalText, charsMax: number, source: Source, report: Report): LocalText {
  const isTooLong = (wording: string) => Array.from(wording).length > charsMax;
  if (![...wordingsOf(text)].some(isTooLong)) return text;
  report.changed(source, 'cut', { max: String(charsMax) });
  const shorten = (wording: string) =>
    isTooLong(wording)
      ? `${Array.from(wording)
          .slice(0, charsMax - 1)
          .join('')}…`
      : wording;
  return mapText(text, shorten) ?? '';
}

export function wordingsOf(text: LocalText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}
