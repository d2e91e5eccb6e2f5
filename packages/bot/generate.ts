// Writes the JSON Schema of bot definitions, for editors.
import { writeFileSync } from 'node:fs';
import { botJsonSchema } from './src/definition/format.ts';

writeFileSync(
  new URL('bot-v1.schema.json', import.meta.url),
  `${JSON.stringify(botJsonSchema(), null, 2)}\n`,
);
