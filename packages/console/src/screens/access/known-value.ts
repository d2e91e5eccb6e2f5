/** Returns the id of a name. Undefined if no value has it, or several. */
export function idOfName(known: Record<string, string>, name: string): string | undefined {
  const [found, ...others] = Object.entries(known).filter(([, one]) => one === name);
  return others.length === 0 ? found?.[0] : undefined;
}

/** Returns the name of an id, or the text itself if it is none. An address may have any text, such as `__proto__`. */
export function nameOfId(known: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(known, value) ? known[value] : undefined) ?? value;
}
