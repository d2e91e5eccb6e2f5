/** For options that may be given several times: all values, in their order. What a `--no-...` said before them is forgotten. */
export function repeated(value: string, before: string[] | boolean = []): string[] {
  return typeof before === 'boolean' ? [value] : [...before, value];
}
