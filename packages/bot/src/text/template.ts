import type { LocalText } from './format-text.ts';

/** The languages of a conversation: tags of its own, and of the definition's. */
export type TextLanguage = { locale: string; ownLocale: string };

export type Reference = {
  source: 'customer' | 'context' | 'answers' | 'evaluation';
  /** With a dot for a field: `order.size`. */
  name: string;
  fallback: string | undefined;
};
/** The value of a reference. An empty value counts as missing. */
export type Referent = { value: string; personal: boolean };
/** Rendered text with the UTF-16 spans [start, end) that hold personal data. */
export type Rendered = { body: string; personal: [number, number][] };

const interpolation = /\{\{([^{}]*)\}\}/g;
const reference =
  /^\s*(customer|context|answers|evaluation)\.([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)?)\s*(?:\|(.*))?$/s;

export function templateReferences(template: string): { references: Reference[]; malformed: string[] } {
  const references: Reference[] = [];
  const malformed: string[] = [];
  const rest = template.replace(interpolation, (whole, inside: string) => {
    const found = readReference(inside);
    if (found === undefined) malformed.push(whole);
    else references.push(found);
    return ' ';
  });
  const stray = /\{\{|\}\}/.exec(rest);
  if (stray !== null) malformed.push(stray[0]);
  return { references, malformed };
}

/**
 * Fills in the template in one pass: values are not templates. A missing value becomes the fallback, else nothing.
 * Cut to `bodyCharsMax` UTF-16 units: what follows is not looked up.
 */
export function render(
  template: string,
  lookUp: (name: Reference) => Referent | undefined,
  bodyCharsMax: number,
) {
  const rendered: Rendered = { body: '', personal: [] };
  let at = 0;
  for (const match of template.matchAll(interpolation)) {
    if (rendered.body.length > bodyCharsMax) break;
    const named = readReference(match[1] ?? '');
    if (named === undefined) continue;
    rendered.body += template.slice(at, match.index);
    at = match.index + match[0].length;
    const found = lookUp(named);
    if (found === undefined || found.value === '') {
      rendered.body += named.fallback ?? '';
      continue;
    }
    const start = rendered.body.length;
    rendered.body += found.value;
    if (found.personal) rendered.personal.push([start, rendered.body.length]);
  }
  rendered.body += template.slice(at);
  return cut(rendered, bodyCharsMax);
}

export function fixedParts(template: string): string[] {
  return template.split(/\{\{[^{}]*\}\}/);
}

/** Replaces each reference by the result of `say`, in one pass. */
export function replaceReferences(template: string, say: (name: Reference) => string): string {
  return template.replace(interpolation, (whole, inside: string) => {
    const named = readReference(inside);
    return named === undefined ? whole : say(named);
  });
}

/** Returns a function that returns texts in the language of a conversation. */
export function sayIn({ locale, ownLocale }: TextLanguage): (text: LocalText) => string {
  return (text) => localText(text, locale, ownLocale);
}

/**
 * Returns the text in the requested language: by lookup (RFC 4647, 3.4), else in the definition's own, else
 * the first one.
 */
export function localText(text: LocalText, locale: string, ownLocale: string): string {
  return typeof text === 'string' ? text : wordingIn(text, locale, ownLocale)[1];
}

/** Returns the language tag of what `localText` returns. */
export function languageOfText(text: LocalText, locale: string, ownLocale: string): string {
  return typeof text === 'string' ? ownLocale : wordingIn(text, locale, ownLocale)[0];
}

function wordingIn(
  text: Exclude<LocalText, string>,
  locale: string,
  ownLocale: string,
): [tag: string, wording: string] {
  const wordings = new Map<string, [string, string]>();
  for (const [tag, wording] of Object.entries(text)) {
    const key = tag.toLowerCase();
    if (!wordings.has(key)) wordings.set(key, [tag, wording]);
  }
  for (const tag of [...rangesOf(locale.toLowerCase()), ownLocale.toLowerCase()]) {
    const found = wordings.get(tag);
    if (found !== undefined) return found;
  }
  return [...wordings.values()][0] ?? [ownLocale, ''];
}

export function translations(text: LocalText): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

// The singleton that introduces an extension is removed together with it.
function rangesOf(tag: string): string[] {
  const parts = tag.split('-');
  return parts
    .map((_, taken) => parts.slice(0, parts.length - taken))
    .filter((range) => range.length === 1 || range.at(-1)?.length !== 1)
    .map((range) => range.join('-'));
}

/** Cuts text to at most `charsMax` UTF-16 units. Shortened text ends in an ellipsis. */
export function shorten(text: string, charsMax: number): string {
  return text.length <= charsMax
    ? text
    : `${text
        .slice(0, charsMax - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
}

function readReference(inside: string): Reference | undefined {
  const match = reference.exec(inside);
  if (match === null) return undefined;
  const source = match[1] as Reference['source'];
  return { source, name: match[2] ?? '', fallback: match[3]?.trim() };
}

function cut({ body, personal }: Rendered, bodyCharsMax: number): Rendered {
  const short = shorten(body, bodyCharsMax);
  if (short === body) return { body, personal };
  const spans = personal.map(([start, end]): [number, number] => [start, Math.min(end, short.length - 1)]);
  return { body: short, personal: spans.filter(([start, end]) => start < end) };
}
