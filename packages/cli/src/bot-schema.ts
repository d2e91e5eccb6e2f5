import { readFile } from 'node:fs/promises';
import { packedFile } from './packed-file.ts';

export const schemaName = 'bot-v1.schema.json';

/** The JSON Schema of bot definitions as it stands in its file, comments for editors included. */
export function schemaText(): Promise<string> {
  const inSources = () => new URL(`../schema/${schemaName}`, import.meta.resolve('@parley/bot/definition'));
  return readFile(packedFile(schemaName) ?? inSources(), 'utf8');
}
