import { type Figure, figureOf, type Kind, type Time } from '../figures/names.ts';
import type { Trx } from '../schema.ts';
import type { Day } from './days.ts';
import { type Selection, sumHours, sumParts, sumPartsOf } from './figure-store.ts';
import { partsOfNextDays, partsOutside } from './parts.ts';
import { hoursOf, type Window } from './window.ts';

/** Counters whose names differ only in their last part. */
type Group = readonly ['time', Time] | readonly ['value', Kind, key: string];

/** The counters of a window or a day. */
export class Figures {
  /** By all parts of the name but the last, and by the last part. */
  readonly #groups = new Map<string, Map<string, number>>();

  /** Adds to the counter of a name. */
  add(name: string, n: number): void {
    const [group, last] = splitName(figureOf(name));
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts);
    const sum = (counts.get(last) ?? 0) + n;
    if (sum === 0) counts.delete(last);
    else counts.set(last, sum);
  }

  /** Returns a counter. */
  count(...figure: Figure): number {
    const [group, last] = splitName(figure);
    return this.#groups.get(group)?.get(last) ?? 0;
  }

  /** Returns the counters of a group by the last part of their names, without those that are 0. */
  countsOf(...group: Group): ReadonlyMap<string, number> {
    return this.#groups.get(group.join('/')) ?? new Map<string, number>();
  }
}

function splitName(figure: Figure): [group: string, last: string] {
  return [figure.slice(0, -1).join('/'), figure.at(-1) ?? ''];
}

/** Days, and the names of the counters that are read for each of them. */
export interface DailyFigures {
  days: readonly Day[];
  names: readonly string[];
}

/**
 * Returns the counters of a window, and some of them for each of its days. Reads the counters of whole hours; recounts
 * what does not belong to the window, or to the day in which its hour begins.
 */
export async function readFigures(
  trx: Trx,
  selection: Selection,
  window: Window,
  { days, names }: DailyFigures,
): Promise<{ all: Figures; daily: { day: Day; figures: Figures }[] }> {
  const all = new Figures();
  const daily = days.map((day) => ({ day, figures: new Figures() }));
  const midnights = days.slice(1).map(({ beginsAt }) => beginsAt);
  for (const { name, day, n } of await sumHours(trx, selection, hoursOf(window), { names, midnights })) {
    all.add(name, n);
    if (day !== null) daily[day]?.figures.add(name, n);
  }
  const isDaily = new Set(names);
  for (const { name, day, n } of await sumParts(trx, selection, partsOutside(window, days))) {
    all.add(name, -n);
    if (isDaily.has(name)) daily[day]?.figures.add(name, -n);
  }
  for (const { name, day, n } of await sumPartsOf(trx, selection, partsOfNextDays(window, days), names)) {
    daily[day]?.figures.add(name, -n);
    daily[day + 1]?.figures.add(name, n);
  }
  return { all, daily };
}
