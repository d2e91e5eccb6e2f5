import { readFile } from 'node:fs/promises';
import { packedFile } from './files/packed-file.ts';

export const schemaName = 'bot-v1.schema.json';

/** Returns the JSON Schema of bot definitions, byte for byte. */
export function schemaText(): Promise<string> {
  const source = () => new URL(import.meta.resolve('@parley/bot/schema'));
  return readFile(packedFile(schemaName) ?? source(), 'utf8');
}
