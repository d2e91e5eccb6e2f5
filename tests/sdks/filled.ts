/** Returns a value of the cases with the variables in place of `${name}`. */
export function filled(value: unknown, variables: Record<string, unknown>): unknown {
  if (typeof value === 'string') {
    const [, whole] = /^\$\{(\w+)\}$/.exec(value) ?? [];
    if (whole) return variables[whole];
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => String(variables[name]));
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, variables)]));
}
