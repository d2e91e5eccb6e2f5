import { bytesFault } from '@parley/bot/definition';
import {
  firstVersion,
  formats,
  type FormatName,
  importBot,
  importBytesMax,
  type Imported,
} from '@parley/bot-import';
import { countsOf, groupsOf } from '@parley/bot-import/report';
import { type Command, Option } from 'commander';
import { type Api, apiCommand, called } from '../../api.ts';
import { counted } from '../../counted.ts';
import { Failure } from '../../failure.ts';
import { readJsonFile } from '../../files/json-file.ts';
import { table } from '../../output.ts';
import type { Shell } from '../../shell.ts';

const example = `
Examples:
  parley bot import typeform.json --dry-run
  parley bot import typebot-export.json --key lead-qualification
  parley bot import survey.json --format formbricks --replace --json

Converts a bot of Typebot, a form of Typeform or a survey of Formbricks, and saves it as the
draft of the bot with that key. A bot that does not exist is created with a version that ends each
conversation at once, until you run parley bot draft publish KEY. Customers see nothing of a draft.

The report names what became of each part of the file, with its place. Lines that say the same
are one line; --json has all of them, and the definition. The exit code is 0 whatever the report
says, and 1 if the file cannot be converted or the draft cannot be saved. --dry-run saves nothing
and needs no system.`;

type ImportOptions = {
  format?: FormatName;
  key?: string;
  name?: string;
  dryRun?: boolean;
  replace?: boolean;
};

export function addImport(bot: Command, shell: Shell): void {
  const command = bot
    .command('import')
    .description('convert the export of another product into a draft')
    .argument('<file>', 'the export, as JSON')
    .addOption(
      new Option('--format <product>', 'of which product it is; by default, its shape decides').choices(
        formats.map(({ name }) => name),
      ),
    )
    .option('--key <key>', 'the key of the bot; by default made of its name')
    .option('--name <name>', 'the name that customers read; by default that of the export')
    .option('--dry-run', 'print the report, and save nothing')
    .option('--replace', 'replace the draft of any author')
    .addHelpText('after', example);
  apiCommand<ImportOptions>(command, shell, async ({ options, open, print }, file: string) => {
    const { format, key, name, dryRun = false, replace = false } = options;
    const { value } = await readJsonFile(file, shell, importBytesMax);
    const imported = importBot(value, { format, key, name });
    if (imported === undefined) throw unknownFormat(file, format);
    const { definition, faults } = imported;
    const tooLarge = bytesFault(definition);
    if (tooLarge !== undefined) throw new Failure(tooLarge.detail, { type: 'too-large' });
    if (!dryRun) await saveDraft(imported, await open(), replace);
    const result = {
      file,
      saved: !dryRun,
      key: definition.key,
      ...imported,
      counts: countsOf(imported.report),
    };
    print(result, wordsOfImport(file, imported, dryRun, faults.length));
  });
}

function unknownFormat(file: string, format: FormatName | undefined): Failure {
  const known = formats.filter(({ name }) => format === undefined || name === format);
  const products = known.map(({ product }) => product).join(', ');
  return new Failure(`${file} is no export of ${products}`, { type: 'unknown-format' });
}

async function saveDraft({ definition }: Imported, api: Api, replaces: boolean): Promise<void> {
  const id =
    (await api.findBot(definition.key)) ??
    (await called(api.workspace.bots.create(firstVersion(definition)))).id;
  await api.saveDraft(`${JSON.stringify(definition, null, 2)}\n`, id, replaces);
}

function wordsOfImport(file: string, imported: Imported, isDry: boolean, faults: number): string {
  const { definition, format, report } = imported;
  const { product } = formats.find(({ name }) => name === format) ?? { product: format };
  const { converted, changed, dropped, ignored } = countsOf(report);
  const rows = groupsOf(report, ['dropped', 'changed'], 'en').map(({ outcome, words, entries }) => [
    outcome,
    entries[0]?.pointer ?? '',
    entries.length === 1 ? '' : String(entries.length),
    entries[0]?.stepId ?? '',
    words,
  ]);
  const steps = counted(definition.steps.length, 'step');
  const saved = isDry ? 'Nothing is saved.' : `It is the draft of ${definition.key}.`;
  return [
    table(['OUTCOME', 'PLACE', 'TIMES', 'STEP', 'WHAT'], rows, 'Everything is in the bot as it was.'),
    '',
    `${converted} converted, ${changed} changed, ${dropped} dropped, ${ignored} without meaning for a bot`,
    `${file} (${product}) is a bot of ${steps} with ${counted(faults, 'fault')}. ${saved}`,
    ...imported.faults.map(({ pointer, detail }) => `  ${pointer}: ${detail}`),
  ].join('\n');
}
