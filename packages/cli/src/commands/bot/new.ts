import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { botNameCharactersMax } from '@parley/bot/definition';
import type { Command } from 'commander';
import { askLine } from '../../ask-line.ts';
import { schemaName, schemaText } from '../../bot-schema.ts';
import { Failure, usageFailure } from '../../failure.ts';
import { pathOf } from '../../named-file.ts';
import { print } from '../../output.ts';
import { parley, quoted } from '../../own-command.ts';
import { starterOf, usualName } from '../../starter.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  ${parley} bot new feedback.json --name 'Your feedback'

Customers read a bot's name above the conversation. Without --name it is asked for
at a terminal, and made of the file's name elsewhere.
Beside it goes bot-v1.schema.json, which the new file names, so that editors
complete and check it.`;

/** Adds `bot new`. */
export function addNew(bot: Command): void {
  bot
    .command('new')
    .description('begin a bot: a small valid definition, and its JSON Schema for editors')
    .argument('<file>', 'where to write it; nothing that is there is replaced')
    .option('--name <name>', 'what customers read as its name')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const { json, name: given } = command.optsWithGlobals<GlobalOptions & { name?: string }>();
      const schemaFile = join(dirname(file), schemaName);
      const name = checkedName(given ?? (await nameFor(file, json)));
      const definition = starterOf(basename(file), name, `./${schemaName}`);
      if (!(await isNewFile(file, `${JSON.stringify(definition, null, 2)}\n`))) {
        throw new Failure(`${file} is there already`, { type: 'file-exists' });
      }
      await isNewFile(schemaFile, await schemaText());
      const files = { file, schemaFile };
      const { key } = definition;
      const next = `${parley} bot preview ${quoted(file)}`;
      print(json, { ...files, key, name }, `${file} is a new bot, ${name}: try ${next}`);
    });
}

/** Asks where somebody can answer. */
async function nameFor(file: string, json: boolean | undefined): Promise<string> {
  const usual = usualName(basename(file));
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) return usual;
  return askLine('What is the bot called? Customers read this.', usual);
}

function checkedName(name: string): string {
  const length = Array.from(name).length;
  if (name.trim() !== '' && length <= botNameCharactersMax && !/\p{Cc}/u.test(name)) return name;
  throw usageFailure(`a bot's name has 1 to ${botNameCharactersMax} characters, all on one line`);
}

/** Writes the file unless there is one. */
async function isNewFile(file: string, content: string): Promise<boolean> {
  try {
    await writeFile(pathOf(file), content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`${file} cannot be written: ${reason}`, { type: 'unwritable-file', cause: error });
  }
}
