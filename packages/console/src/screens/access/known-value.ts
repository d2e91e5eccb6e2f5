import type { AuditEvent } from '@parley/client';

interface Named {
  id: string;
  name?: string;
}

/** Returns the names of the actors or targets of events, by id. One without a name has its id. */
export function namesIn(
  events: readonly AuditEvent[] = [],
  of: (event: AuditEvent) => readonly Named[],
): Record<string, string> {
  return Object.fromEntries(events.flatMap(of).map(({ id, name }) => [id, name || id]));
}

/** Returns the id of a name. Undefined if no value has it, or several. */
export function idOfName(known: Record<string, string>, name: string): string | undefined {
  const [found, ...others] = Object.entries(known).filter(([, one]) => one === name);
  return others.length === 0 ? found?.[0] : undefined;
}

/** Returns the name of an id, or the text itself if it is none. An address may have any text, such as `__proto__`. */
export function nameOfId(known: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(known, value) ? known[value] : undefined) ?? value;
}

/** Returns a value of a change as a text. */
export function changedText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
