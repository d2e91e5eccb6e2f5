import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { schemaText } from '../../bot-schema.ts';
import { Failure } from '../../failure.ts';
import { pathOf } from '../../named-file.ts';
import { print } from '../../output.ts';
import { starterOf } from '../../starter.ts';
import type { GlobalOptions } from '../../target.ts';

const example = `
Example:
  parley bot new feedback.json

Beside it goes bot-v1.schema.json, which the new file names, so that editors
complete and check it.`;

const schemaName = 'bot-v1.schema.json';

/** Adds `bot new`. */
export function addNew(bot: Command): void {
  bot
    .command('new')
    .description('begin a bot: a small valid definition, and its JSON Schema for editors')
    .argument('<file>', 'where to write it; nothing that is there is replaced')
    .addHelpText('after', example)
    .action(async (file: string, _, command: Command) => {
      const { json } = command.optsWithGlobals<GlobalOptions>();
      const schemaFile = join(dirname(file), schemaName);
      const definition = starterOf(basename(file), `./${schemaName}`);
      if (!(await isNewFile(file, `${JSON.stringify(definition, null, 2)}\n`))) {
        throw new Failure(`${file} is there already`, { type: 'file-exists' });
      }
      await isNewFile(schemaFile, await schemaText());
      const files = { file, schemaFile };
      print(json, { ...files, key: definition.key }, `${file} is a new bot: try parley bot preview ${file}`);
    });
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
