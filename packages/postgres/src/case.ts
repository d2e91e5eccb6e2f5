const snake = new Map<string, string>();
const camel = new Map<string, string>();

/** A name of ours as SQL has it: `workspaceId` → `workspace_id`. For names from code only: they are kept. */
export function snakeCase(name: string): string {
  return kept(snake, name, (one) => one.replace(/(?<=.)[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`));
}

/** A column's name as our code has it: `workspace_id` → `workspaceId`. For names from code only: they are kept. */
export function camelCase(name: string): string {
  return kept(camel, name, (one) => one.replace(/(?<=.)_+([^_])/g, (_, next: string) => next.toUpperCase()));
}

function kept(names: Map<string, string>, name: string, convert: (name: string) => string): string {
  let converted = names.get(name);
  if (converted === undefined) {
    converted = convert(name);
    names.set(name, converted);
  }
  return converted;
}
