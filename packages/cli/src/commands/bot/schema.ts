import type { Command } from 'commander';
import { schemaText } from '../../bot-schema.ts';
import { parley } from '../../own-command.ts';

const example = `
Example:
  ${parley} bot schema > bot-v1.schema.json

A bot file with "$schema": "./bot-v1.schema.json" beside it is completed and
checked by editors. A running gateway has the same at /schemas/bot-v1.json.`;

/** Adds `bot schema`. */
export function addSchema(bot: Command): void {
  bot
    .command('schema')
    .description('print the JSON Schema of bot definitions, for editors')
    .addHelpText('after', example)
    .action(async () => void process.stdout.write(await schemaText()));
}
