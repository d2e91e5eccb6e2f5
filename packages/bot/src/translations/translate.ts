import { removeValue, setValue } from '../editing/json-edits.ts';
import { stepsIn } from '../editing/references.ts';
import {
  labelCharactersMax,
  ownLanguage,
  sourceMark,
  sourceOf,
  type TextPlace,
  textCharactersMax,
  textPlaces,
  wordingIn,
} from './places.ts';
import { languagesOf, type PlaceholderFault, placeholderFault } from './table.ts';

/** A translation of one text. `source`: what was translated; by default, the text as it is. */
export interface Translation {
  key: string;
  language: string;
  text: string;
  source?: string | undefined;
}

/** Why a translation is not taken. */
export type TranslationFault = { key: string; language: string } & (
  | { kind: 'unknown-key' }
  | { kind: 'own-language' }
  | { kind: 'not-a-language' }
  | { kind: 'too-long'; max: number }
  | ({ kind: 'placeholders' } & PlaceholderFault)
);

const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/;

/**
 * Returns the JSON text of a definition with a translation, and all else as it was. An empty translation is removed, so
 * the bot's own language is shown. The step keeps a mark of the source, by which the translation becomes stale.
 */
export function setTranslation(text: string, translation: Translation): string {
  const definition: unknown = JSON.parse(text);
  const found = textPlaces(definition).find(({ key }) => key === translation.key);
  return found === undefined ? text : written(text, definition, found, translation);
}

/**
 * Returns the text with the translations that are valid, how many of them change it, and the faults of the others.
 * Translations that the text has already do not count. Empty ones are passed over: a file that lacks a translation
 * removes none.
 */
export function applyTranslations(
  text: string,
  translations: readonly Translation[],
): { text: string; changed: number; faults: TranslationFault[] } {
  const definition: unknown = JSON.parse(text);
  const own = ownLanguage(definition);
  const places = new Map(textPlaces(definition).map((place) => [place.key, place]));
  const faults: TranslationFault[] = [];
  let made = text;
  let changed = 0;
  for (const translation of translations) {
    const { key, language } = translation;
    const wording = translation.text.trim();
    if (wording === '') continue;
    const place = places.get(key);
    if (place === undefined) {
      faults.push({ key, language, kind: 'unknown-key' });
      continue;
    }
    if (wordingIn(place.text, language, own)?.trim() === wording) continue;
    const fault = faultOf(place, { ...translation, text: wording }, own);
    if (fault !== undefined) {
      faults.push(fault);
      continue;
    }
    const next = written(made, JSON.parse(made), place, { ...translation, text: wording });
    if (next !== made) changed += 1;
    made = next;
  }
  return { text: made, changed, faults };
}

function faultOf(place: TextPlace, { key, language, text, source }: Translation, own: string) {
  const here = { key, language };
  if (!languageTag.test(language)) return { ...here, kind: 'not-a-language' as const };
  if (language.toLowerCase() === own.toLowerCase()) return { ...here, kind: 'own-language' as const };
  const max = place.isLabel ? labelCharactersMax : textCharactersMax;
  if (Array.from(text).length > max) return { ...here, kind: 'too-long' as const, max };
  const differs = placeholderFault(source ?? sourceOf(place.text, own), text);
  return differs && { ...here, kind: 'placeholders' as const, ...differs };
}

function written(
  text: string,
  definition: unknown,
  { path, stepId, place }: TextPlace,
  { language, text: wording, source }: Translation,
): string {
  const own = ownLanguage(definition);
  const current = textPlaces(definition).find(({ key }) => key === `${stepId}.${place}`);
  if (current === undefined) return text;
  const at = path.slice(0, 2);
  const [, index] = path;
  const tag = spellingIn(
    typeof current.text === 'string'
      ? languagesOf(textPlaces(definition), own, [])
      : Object.keys(current.text),
    language,
  );
  const marked = Object.keys(Object(stepsIn(definition)[Number(index)]?.['translated']));
  const markTag = spellingIn(marked, tag);
  if (wording === '') {
    if (typeof current.text === 'string' || !Object.hasOwn(current.text, tag)) return text;
    return withoutMark(removeValue(text, [...path, tag]), Number(index), markTag, place);
  }
  const whole = current.implied ? setValue(text, current.implied.path, current.implied.value) : text;
  const translated =
    typeof current.text === 'string'
      ? setValue(whole, path, { [own]: current.text, [tag]: wording })
      : setValue(whole, [...path, tag], wording);
  const markPath = [...at, 'translated', markTag, place];
  return setValue(translated, markPath, sourceMark(source ?? sourceOf(current.text, own)));
}

/** Returns a tag as it is spelled among others. */
function spellingIn(tags: readonly string[], language: string): string {
  return tags.find((tag) => tag.toLowerCase() === language.toLowerCase()) ?? language;
}

/** Removes a mark, and the objects around it that are then empty. */
function withoutMark(text: string, index: number, language: string, place: string): string {
  const translated = Object(stepsIn(JSON.parse(text))[index]?.['translated']);
  const ofLanguage = Object(translated[language]);
  if (!Object.hasOwn(ofLanguage, place)) return text;
  if (Object.keys(ofLanguage).length > 1)
    return removeValue(text, ['steps', index, 'translated', language, place]);
  if (Object.keys(translated).length > 1) return removeValue(text, ['steps', index, 'translated', language]);
  return removeValue(text, ['steps', index, 'translated']);
}
