import type { InteractionStatus, Priority } from '@parley/client';
import { startOfDayIn, withZone, zoneOf } from '../../data/zone.ts';
import { isDay, isDayOrInstant, isOneOf, isText, isVersion, searchOf, valuesOf } from '../../search.ts';

/** The filters of the address of the list. `from` and `to` are days, or instants. */
export interface InteractionSearch {
  status?: string;
  priority?: string;
  customer?: string;
  /** Only test interactions, or only others. */
  test?: string;
  bot?: string;
  /** The step at which they have stopped, and the version of the bot on which they run. */
  stopped?: string;
  version?: string;
  from?: string;
  to?: string;
  /** The time zone of these days. */
  tz?: string;
  /** Columns that are not shown, and columns that are shown only if they are chosen. */
  hide?: string;
  show?: string;
  evaluation?: string[];
}

export const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'] as const;
export const tests = ['only', 'none'] as const;
export const priorities = ['Low', 'Medium', 'High'] as const;

const texts = searchOf({
  status: isOneOf(...statuses),
  priority: isOneOf(...priorities),
  customer: isText,
  test: isOneOf(...tests),
  bot: isText,
  stopped: isText,
  version: isVersion,
  from: isDayOrInstant,
  to: isDayOrInstant,
  tz: isText,
  hide: isText,
  show: isText,
});

export function interactionFilters(search: Record<string, unknown>): InteractionSearch {
  // The key of the evaluation, a colon and its value.
  const evaluation = valuesOf(search, 'evaluation').filter((one) => /^[^:]+:/.test(one));
  const given = texts(search);
  const found = withZone(given, [given.from, given.to]);
  // A step needs its bot, and a version its step.
  if (found.bot === undefined && found.stopped !== undefined) found.stopped = undefined;
  if (found.stopped === undefined && found.version !== undefined) found.version = undefined;
  if (search['evaluation'] === undefined) return found;
  return { ...found, evaluation: evaluation.length > 0 ? evaluation : undefined };
}

export function isFiltered(search: InteractionSearch): boolean {
  return filtersIn(search).length > 0;
}

/** Returns the names of the parameters that are filters. `version` counts with the step, `tz` with the days. */
export function filtersIn(search: InteractionSearch): string[] {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  return given.map(([name]) => name).filter((name) => !['hide', 'show', 'tz', 'version'].includes(name));
}

/** The API rejects ids and texts that are wrong. */
export function queryOf(search: InteractionSearch) {
  return {
    status: search.status as InteractionStatus | undefined,
    priority: search.priority as Priority | undefined,
    customerId: search.customer,
    isTest: search.test === undefined ? undefined : search.test === 'only',
    botId: search.bot,
    stoppedAt: search.stopped,
    botVersion: search.version === undefined ? undefined : Number(search.version),
    createdFrom: instantOf(search, search.from),
    createdTo: instantOf(search, search.to, 1),
    evaluation: search.evaluation,
  };
}

/** Returns the instant of a day, some days later if wanted, or of an instant. */
function instantOf(search: InteractionSearch, at: string | undefined, later = 0): string | undefined {
  return at !== undefined && isDay(at) ? startOfDayIn(zoneOf(search), at, later).toISOString() : at;
}

/** A column as far as its choice goes. Optional ones are shown only if they are chosen. */
interface Choosable {
  id?: string | undefined;
  isOptional?: boolean;
}

export function hiddenIn(
  { hide = '', show = '' }: InteractionSearch,
  columns: readonly Choosable[],
): string[] {
  const shown = show.split(',');
  const optional = columns.filter(({ id = '', isOptional }) => isOptional && !shown.includes(id));
  return [...hide.split(','), ...optional.map(({ id = '' }) => id)];
}

/** Returns the change of the address that shows a column, or hides it if it is shown. */
export function toggledColumn(
  search: InteractionSearch,
  { id = '', isOptional }: Choosable,
): InteractionSearch {
  const name = isOptional ? 'show' : 'hide';
  const chosen = search[name]?.split(',') ?? [];
  const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
  return { [name]: next.join(',') };
}
