import { type Figure, figureOf, type Kind, type Time } from '../figures/counters.ts';
import type { Trx } from '../schema.ts';
import { type Selection, sumHours, sumHoursByDay, sumParts } from './store.ts';
import { type Day, hoursOf, partsAfterMidnight, partsOutside, type Window } from './window.ts';

/** Counters whose names differ only in their last part. */
type Group =
  | readonly ['way', fromStepId: string]
  | readonly ['time', Time]
  | readonly ['value', Kind, key: string];

export class Figures {
  /** By all parts of the name but the last, and by the last part. */
  readonly #groups = new Map<string, Map<string, number>>();

  add(name: string, n: number): void {
    const [group, last] = splitName(figureOf(name));
    const counts = this.#groups.get(group) ?? new Map<string, number>();
    this.#groups.set(group, counts);
    const sum = (counts.get(last) ?? 0) + n;
    if (sum === 0) counts.delete(last);
    else counts.set(last, sum);
  }

  count(...figure: Figure): number {
    const [group, last] = splitName(figure);
    return this.#groups.get(group)?.get(last) ?? 0;
  }

  /** Returns the counters of a group by the last part of their names, without counters that are 0. */
  countsOf(...group: Group): ReadonlyMap<string, number> {
    return this.#groups.get(group.join('/')) ?? new Map<string, number>();
  }
}

function splitName(figure: Figure): [group: string, last: string] {
  return [figure.slice(0, -1).join('/'), figure.at(-1) ?? ''];
}

/** Returns the counters of a window: its hours without the parts outside of the window. */
export async function readFigures(trx: Trx, selection: Selection, window: Window): Promise<Figures> {
  const figures = new Figures();
  for (const { name, n } of await sumHours(trx, selection, hoursOf(window))) figures.add(name, n);
  for (const { counts } of await sumParts(trx, selection, partsOutside(window, []))) {
    for (const [name, n] of Object.entries(counts)) figures.add(name, -n);
  }
  return figures;
}

export interface DayCounters {
  date: string;
  figures: Figures;
}

/** Returns counters of each day of a window. Moves counts from the day of their hour to the day they belong to. */
export async function readDays(
  trx: Trx,
  selection: Selection,
  window: Window,
  { days, names }: { days: readonly Day[]; names: readonly string[] },
): Promise<DayCounters[]> {
  const counters = days.map(({ date }) => ({ date, figures: new Figures() }));
  const midnights = days.slice(1).map(({ beginsAt }) => beginsAt);
  const hours = await sumHoursByDay(trx, selection, hoursOf(window), { names, midnights });
  for (const { name, n, day } of hours) counters[day]?.figures.add(name, n);
  const parts = [...partsOutside(window, days), ...partsAfterMidnight(window, days)];
  for (const { countedOn, belongsTo, counts } of await sumParts(trx, selection, parts, names)) {
    for (const [name, n] of Object.entries(counts)) {
      counters[countedOn]?.figures.add(name, -n);
      if (belongsTo !== null) counters[belongsTo]?.figures.add(name, n);
    }
  }
  return counters;
}
