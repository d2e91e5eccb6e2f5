import { ownLanguage, textPlaces } from '@parley/bot/translations/places';
import { languagesOf } from '@parley/bot/translations/table';

export function definitionText(definition: unknown): string {
  return `${JSON.stringify(definition, undefined, 2)}\n`;
}

/** Returns whether a live version only ends a conversation: the bot was created for the sake of its draft. */
export function onlyEnds({ steps }: { steps?: unknown }): boolean {
  const isEnd = ({ kind, text }: Record<string, unknown>): boolean => kind === 'end' && text === undefined;
  return Array.isArray(steps) && steps.every(isEnd);
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
