const snake = new Map<string, string>();
const camel = new Map<string, string>();

/** Converts `workspaceId` to `workspace_id`. For names from code only: the result is cached for good. */
export function snakeCase(name: string): string {
  return cached(snake, name, (one) =>
    one.replace(/(?<=.)[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`),
  );
}

/** Converts `workspace_id` to `workspaceId`. For names from code only: the result is cached for good. */
export function camelCase(name: string): string {
  return cached(camel, name, (one) =>
    one.replace(/(?<=.)_+([^_])/g, (_, next: string) => next.toUpperCase()),
  );
}

function cached(names: Map<string, string>, name: string, convert: (name: string) => string): string {
  let converted = names.get(name);
  if (converted === undefined) {
    converted = convert(name);
    names.set(name, converted);
  }
  return converted;
}
