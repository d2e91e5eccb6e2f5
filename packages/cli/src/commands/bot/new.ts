import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { botNameCharactersMax } from '@parley/bot/definition';
import type { Command } from 'commander';
import { schemaName, schemaText } from '../../bot-schema.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { pathOf, reasonOf } from '../../files/named-file.ts';
import { print } from '../../output.ts';
import type { Shell } from '../../shell.ts';
import { defaultName, starterOf } from '../../conversation/starter.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot new feedback.json --name 'Your feedback'

Customers read a bot's name above the conversation. The default is the name of the
file. The command also writes bot-v1.schema.json. The new file refers to it, so
that editors complete and check the bot.`;

export function addNew(bot: Command, shell: Shell): void {
  bot
    .command('new')
    .description('create a small valid bot, and its JSON Schema for editors')
    .argument('<file>', 'the new file; an existing one is not replaced')
    .option('--name <name>', 'the name that customers read')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const { json, name: given } = command.optsWithGlobals<GlobalOptions & { name?: string }>();
      const schemaFile = join(dirname(file), schemaName);
      const name = checkedName(given ?? defaultName(basename(file)));
      const definition = starterOf(basename(file), name, `./${schemaName}`);
      if (!(await createFile(file, shell, `${JSON.stringify(definition, null, 2)}\n`))) {
        throw new Failure(`${file} already exists`, { type: 'file-exists' });
      }
      await createFile(schemaFile, shell, await schemaText());
      const { key } = definition;
      print(shell, json, { file, schemaFile, key, name }, `Created ${file}, a bot named ${name}.`);
    });
}

function checkedName(name: string): string {
  const length = Array.from(name).length;
  if (name.trim() !== '' && length <= botNameCharactersMax && !/\p{Cc}/u.test(name)) return name;
  throw usageFailure(`a bot's name has 1 to ${botNameCharactersMax} characters, all on one line`);
}

/** Returns false if the file already exists. */
async function createFile(file: string, shell: Shell, content: string): Promise<boolean> {
  try {
    await writeFile(pathOf(file, shell), content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new Failure(`${file} cannot be written: ${reasonOf(error)}`, {
      type: 'unwritable-file',
      cause: error,
    });
  }
}
