/** For options that may be given several times: all values, in their order. */
export function repeated(value: string, before: string[] = []): string[] {
  return [...before, value];
}
