import { ownLanguage, textPlaces } from '@parley/bot/translations/places';
import { languagesOf } from '@parley/bot/translations/table';

export function definitionText(definition: unknown): string {
  return `${JSON.stringify(definition, undefined, 2)}\n`;
}

/** Returns the names of the properties that a valid definition takes from the context of an interaction. */
export function contextNames({ context }: Record<string, unknown>): string[] {
  return Array.isArray(context) ? context.map(({ name }: { name: string }) => name) : [];
}

/** Returns the languages of a valid definition, its own first. */
export function languagesIn(definition: Record<string, unknown>): string[] {
  const own = ownLanguage(definition);
  return [own, ...languagesOf(textPlaces(definition), own, [])];
}
