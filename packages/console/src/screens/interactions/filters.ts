import type { InteractionStatus, Priority } from '@parley/client';

/** The filters of the address of the list. `from` and `to` are days, or instants. */
export interface InteractionSearch {
  status?: string;
  priority?: string;
  customer?: string;
  bot?: string;
  /** The step at which they have stopped, and the version of the bot on which they run. */
  stopped?: string;
  version?: string;
  from?: string;
  to?: string;
  /** Columns that are not shown, and those that are shown only if they are chosen. */
  hide?: string;
  show?: string;
  evaluation?: string[];
}

export const statuses = ['Draft', 'Pending', 'InProgress', 'Completed', 'Expired'] as const;
export const priorities = ['Low', 'Medium', 'High'] as const;

/** Returns the start of a day of the time zone of the browser, some days later if wanted. */
export function startOfDay(day: string, later = 0): Date {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date;
}

/** Returns the day, as the address has it, some days before today. */
export function daysAgo(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() - days);
  return dayOf(date);
}

/** Returns the day in the time zone of the browser. */
export function dayOf(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** Returns whether the list has filters. */
export function isFiltered(search: InteractionSearch): boolean {
  return filtersIn(search).length > 0;
}

/** Returns the names of the parameters that are filters, `version` with the step. */
export function filtersIn(search: InteractionSearch): string[] {
  return Object.keys(search).filter((name) => !['hide', 'show', 'version'].includes(name));
}

/** Returns the filters of the API. Unknown values are passed on: the API says what is wrong. */
export function queryOf(search: InteractionSearch) {
  return {
    status: search.status as InteractionStatus | undefined,
    priority: search.priority as Priority | undefined,
    customerId: search.customer,
    botId: search.bot,
    stoppedAt: search.stopped,
    botVersion: search.version === undefined ? undefined : Number(search.version),
    createdFrom: isDay(search.from) ? startOfDay(search.from).toISOString() : search.from,
    createdTo: isDay(search.to) ? startOfDay(search.to, 1).toISOString() : search.to,
    evaluation: search.evaluation,
  };
}
