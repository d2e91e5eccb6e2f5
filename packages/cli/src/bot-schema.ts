import { readFile } from 'node:fs/promises';

/** The JSON Schema of bot definitions as it stands in its file, comments for editors included. */
export function schemaText(): Promise<string> {
  const engine = import.meta.resolve('@parley/bot/definition');
  return readFile(new URL('../schema/bot-v1.schema.json', engine), 'utf8');
}
