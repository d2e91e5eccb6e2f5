import type { Command } from 'commander';
import { schemaText } from '../../bot-schema.ts';
import type { Shell } from '../../shell.ts';

const example = `
Example:
  parley bot schema > bot-v1.schema.json

Editors complete and check a bot file with "$schema": "./bot-v1.schema.json" beside
the schema. A running gateway serves the same schema at /schemas/bot-v1.json.`;

export function addSchema(bot: Command, shell: Shell): void {
  bot
    .command('schema')
    .description('print the JSON Schema of bot definitions, for editors')
    .addHelpText('after', example)
    .action(async () => void shell.stdout.write(await schemaText()));
}
