import { changesBetween } from '@parley/bot/changes';
import type { DraftSaves } from '../schema.ts';

/** An author's saves within this time share a row of the audit log. */
const rowEveryMs = 60_000;

/** What a row names. More places of one step or of the bot become one. */
const placesMax = 20;

/** The authors whose unrecorded places are kept. A draft rarely has more than a few. */
const authorsMax = 20;

/** Returns the places that differ between two definitions, such as `name` and `steps.why.text`. */
export function changedPlaces(before: unknown, after: unknown): string[] {
  const { bot, steps } = changesBetween(before, after);
  const ofSteps = steps.flatMap(({ id, change, values }) =>
    change === 'changed' ? values.map(({ path }) => `steps.${id}.${path}`) : [`steps.${id}`],
  );
  return withoutRepeats([...bot.map(({ path }) => path), ...ofSteps]);
}

/**
 * Adds a save of an author. `recorded` has the places for a row of the audit log: all since the author's last row. It
 * is undefined if that row is of less than a minute ago. The places wait for a later save then.
 */
export function addSave(
  saves: Readonly<Record<string, DraftSaves>>,
  { author, places, now }: { author: string; places: readonly string[]; now: Date },
): { saves: Record<string, DraftSaves>; recorded: string[] | undefined } {
  const { [author]: own, ...others } = saves;
  const all = withoutRepeats([...(own?.places ?? []), ...places]);
  const isDue = own === undefined || now.getTime() - Date.parse(own.at) >= rowEveryMs;
  const next = isDue ? { at: now.toISOString(), places: [] } : { at: own.at, places: all };
  const kept = Object.entries(others).slice(-(authorsMax - 1));
  return { saves: { ...Object.fromEntries(kept), [author]: next }, recorded: isDue ? all : undefined };
}

function withoutRepeats(places: readonly string[]): string[] {
  for (const levels of [Infinity, 2, 1]) {
    const shortened = new Set(places.map((place) => place.split('.').slice(0, levels).join('.')));
    if (shortened.size <= placesMax) return [...shortened];
  }
  return [...new Set(places.map((place) => place.split('.', 1)[0] ?? ''))].slice(0, placesMax);
}
