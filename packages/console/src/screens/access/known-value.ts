/** Returns the id of a name. Undefined if no value has it, or several. */
export function idOfName(known: Record<string, string>, name: string): string | undefined {
  const [found, ...others] = Object.entries(known).filter(([, one]) => one === name);
  return others.length === 0 ? found?.[0] : undefined;
}
