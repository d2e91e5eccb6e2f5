/** The search parameters of a screen, as the address has them. */
export type Search = Record<string, string | string[]>;

/** Reads the query of an address. A repeated parameter is an array. */
export function parseSearch(query: string): Search {
  const params = new URLSearchParams(query);
  const found: Search = {};
  for (const name of new Set(params.keys())) {
    const values = params.getAll(name);
    found[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return found;
}

/** Writes the query of an address, without empty parameters. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const name of Object.keys(search)) for (const one of valuesOf(search, name)) params.append(name, one);
  return params.size > 0 ? `?${params.toString()}` : '';
}

/** Returns a function that takes the named parameters from a query, each once. */
export function textsIn<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [name in Name]?: string } => {
    const found: { [name in Name]?: string } = {};
    for (const name of names) {
      const [value] = valuesOf(search, name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
}

/** Returns all values of a parameter that are not empty. */
export function valuesOf(search: Record<string, unknown>, name: string): string[] {
  const given: unknown[] = [search[name]].flat();
  return given.filter((value): value is string => typeof value === 'string' && value !== '');
}
