import { stepsIn } from '../editing/references.ts';
import { templateReferences } from '../text/template.ts';
import { ownLanguage, sourceMark, sourceOf, type TextPlace, textPlaces, wordingIn } from './places.ts';

/** `faulty`: it names other values than its source. `stale`: the text that it translates has changed since. */
export type TranslationState = 'done' | 'missing' | 'stale' | 'faulty';

export interface Wording {
  text: string;
  state: TranslationState;
}

export interface TranslationRow extends Omit<TextPlace, 'text'> {
  source: string;
  /** By language. */
  wordings: Record<string, Wording>;
}

export interface TranslationTable {
  /** The bot's own language, in which all texts are. */
  own: string;
  /** The other languages, sorted. */
  languages: string[];
  rows: TranslationRow[];
  /** By language. */
  progress: Record<string, Record<TranslationState, number>>;
}

/**
 * Returns the texts of a definition with their translations. `before`: an earlier definition. A translation without a
 * mark of its source is stale if it is the same there, and its source is not. `more`: languages that no text has yet.
 */
export function translationTable(
  definition: unknown,
  before?: unknown,
  more: readonly string[] = [],
): TranslationTable {
  const own = ownLanguage(definition);
  const places = textPlaces(definition);
  const former = new Map(textPlaces(before).map(({ key, text }) => [key, text]));
  const formerOwn = ownLanguage(before);
  const languages = languagesOf(places, own, more);
  const marks = new Map(stepsIn(definition).map(({ id, translated }) => [id, translated]));
  const rows = places.map(({ text, ...place }): TranslationRow => {
    const source = sourceOf(text, own);
    const old = former.get(place.key);
    const stateOf = (language: string, wording: string | undefined): TranslationState => {
      if (wording === undefined || wording === '') return 'missing';
      if (placeholderFault(source, wording) !== undefined) return 'faulty';
      const mark = markIn(marks.get(place.stepId), language, place.place);
      if (mark !== undefined) return mark === sourceMark(source) ? 'done' : 'stale';
      const isOlder = old !== undefined && wordingIn(old, language, formerOwn) === wording;
      return isOlder && sourceOf(old, formerOwn) !== source ? 'stale' : 'done';
    };
    const wordings = languages.map((language): [string, Wording] => {
      const wording = wordingIn(text, language, own);
      return [language, { text: wording ?? '', state: stateOf(language, wording) }];
    });
    return { ...place, source, wordings: Object.fromEntries(wordings) };
  });
  const progress = languages.map((language): [string, Record<TranslationState, number>] => {
    const counts = { done: 0, missing: 0, stale: 0, faulty: 0 };
    for (const { wordings } of rows) counts[wordings[language]?.state ?? 'missing'] += 1;
    return [language, counts];
  });
  return { own, languages, rows, progress: Object.fromEntries(progress) };
}

/** Returns the languages of texts other than the bot's own, sorted, each in the spelling that comes first. */
export function languagesOf(places: readonly TextPlace[], own: string, more: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const tag of [
    ...places.flatMap(({ text }) => (typeof text === 'string' ? [] : Object.keys(text))),
    ...more,
  ]) {
    if (!found.has(tag.toLowerCase())) found.set(tag.toLowerCase(), tag);
  }
  found.delete(own.toLowerCase());
  return [...found.values()].toSorted();
}

function markIn(translated: unknown, language: string, place: string): string | undefined {
  const marks = Object.entries<unknown>(Object(translated));
  const ofLanguage = marks.find(([tag]) => tag.toLowerCase() === language.toLowerCase())?.[1];
  const mark: unknown = Object(ofLanguage)[place];
  return typeof mark === 'string' ? mark : undefined;
}

/** The references that only one of two texts has, such as `answers.score`. */
export interface PlaceholderFault {
  missing: string[];
  added: string[];
}

/** Returns the references that only a translation or only its source has. Undefined if they are the same. */
export function placeholderFault(source: string, wording: string): PlaceholderFault | undefined {
  const [wanted, given] = [source, wording].map((text) => {
    const { references, malformed } = templateReferences(text);
    return [...references.map(({ source: from, name }) => `${from}.${name}`), ...malformed];
  });
  const missing = (wanted ?? []).filter((name) => !given?.includes(name));
  const added = (given ?? []).filter((name) => !wanted?.includes(name));
  return missing.length + added.length === 0 ? undefined : { missing, added };
}
