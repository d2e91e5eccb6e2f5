/** Collects the values of a repeatable option, in order. A preceding `--no-...` has no effect. */
export function repeated(value: string, before: string[] | boolean = []): string[] {
  return typeof before === 'boolean' ? [value] : [...before, value];
}
