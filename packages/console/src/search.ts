/** The search parameters of a screen, as the address has them. */
export type Search = Record<string, string | string[]>;

/** Reads the query of an address. A repeated parameter is an array. */
export function parseSearch(query: string): Search {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    Array.from(new Set(params.keys()), (name) => {
      const [first = '', ...others] = params.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

/** Writes the query of an address, without empty parameters. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(search)) for (const one of valuesOf(search, name)) params.append(name, one);
  return params.size > 0 ? `?${params.toString()}` : '';
}

/** Whether a screen understands a value of a parameter. */
export type Check = (value: string) => boolean;

/**
 * Returns a function that takes the named parameters from a query, each once. A value that the screen does not
 * understand is undefined: the router adds what is returned to what was given. It removes such values from the address
 * of a page that is loaded, so that the address says what the screen shows.
 */
export function searchOf<Name extends string>(checks: Record<Name, Check>) {
  return (search: Record<string, unknown>): { [name in Name]?: string | undefined } => {
    const found: { [name in Name]?: string | undefined } = {};
    for (const name of Object.keys(checks) as Name[]) {
      const [value] = valuesOf(search, name);
      if (search[name] !== undefined) found[name] = value && checks[name](value) ? value : undefined;
    }
    return found;
  };
}

export const isText: Check = () => true;

/** A day of the calendar, such as `2026-01-31`, of a year from 1970 to 2999. */
export const isDay: Check = (value) => {
  if (!/^(?:19[7-9]\d|2\d{3})-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
};

/** A day, or an instant of the API. */
export const isDayOrInstant: Check = (value) =>
  isDay(value) || (isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)));

export const isVersion: Check = (value) => /^[1-9]\d{0,8}$/.test(value);

export const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value);

/** Returns all values of a parameter that are not empty. */
export function valuesOf(search: Record<string, unknown>, name: string): string[] {
  const given: unknown[] = [search[name]].flat();
  return given.filter((value): value is string => typeof value === 'string' && value !== '');
}
