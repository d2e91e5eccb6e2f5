import { randomUUID } from 'node:crypto';
import { access, constants, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { WorkspaceClient } from '@parley/client';
import { type Command, Option } from 'commander';
import { type Api, apiCommand, type ApiOptions, called } from '../api.ts';
import { copyCsv } from '../export/copy-csv.ts';
import { openExportOutput } from '../export/output.ts';
import { Failure, usageFailure } from '../failure.ts';
import { pathOf, reasonOf } from '../files/named-file.ts';
import { jsonText } from '../output.ts';
import { repeated } from '../options/repeated.ts';
import type { Shell } from '../shell.ts';
import { readVersionNumber } from '../options/version-number.ts';

type Query = NonNullable<Parameters<WorkspaceClient['interactions']['export']>[0]>;

interface ExportOptions extends ApiOptions {
  format: 'ndjson' | 'csv';
  bot?: string;
  status?: Query['status'];
  priority?: Query['priority'];
  customer?: string;
  createdFrom?: string;
  createdTo?: string;
  since?: string;
  completedFrom?: string;
  completedTo?: string;
  evaluation?: string[];
  stoppedAt?: string;
  botVersion?: number;
  test?: true;
  cursorFile?: string;
}

const help = `
Examples:
  parley export --format csv --bot nps-follow-up --since 2026-11-01T00:00:00Z > results.csv
  parley export --cursor-file nightly.cursor >> interactions.ndjson
  parley export --bot nps-follow-up --evaluation nps_score:9 > promoters.ndjson
  parley export --bot nps-follow-up --stopped-at score > stopped.ndjson
  parley export --test > tests.ndjson

NDJSON has a line per interaction, and a last line with their number. A stream that is cut
is continued. With --cursor-file, a run exports what has changed since the last complete
run. The exit code is 1 if the export is not complete.`;

export function addExportCommand(program: Command, shell: Shell): void {
  const command = program
    .command('export')
    .description('write the interactions of a workspace to standard output, oldest change first')
    .addOption(
      new Option('--format <format>', 'the format; csv needs --bot')
        .choices(['ndjson', 'csv'])
        .default('ndjson'),
    )
    .option('--bot <key>', 'only those with the bot of this key')
    .option('--status <status>', 'only those in this status')
    .option('--priority <priority>', 'only those of this priority')
    .option('--customer <id>', 'only those of this customer')
    .option('--created-from <instant>', 'only those created at or after this instant')
    .option('--created-to <instant>', 'only those created before this instant')
    .option('--since <instant>', 'only those that changed last at or after this instant (updatedFrom)')
    .option('--completed-from <instant>', 'only those completed at or after this instant')
    .option('--completed-to <instant>', 'only those completed before this instant')
    .option('--evaluation <key:value>', 'only those with this entry of the evaluation (repeatable)', repeated)
    .option('--stopped-at <step>', 'only those that expired or stalled at this step (needs --bot)')
    .option(
      '--bot-version <n>',
      'only those on this version of the bot (needs --stopped-at)',
      readVersionNumber,
    )
    .option('--test', 'only test interactions, which an export leaves out otherwise')
    .option('--cursor-file <file>', 'continue behind the cursor in this file, and save the new one (ndjson)')
    .addHelpText('after', help);
  apiCommand<ExportOptions>(command, shell, ({ options, open }) => runExport(options, open, shell));
}

async function runExport(options: ExportOptions, open: () => Promise<Api>, shell: Shell): Promise<void> {
  const { format, bot, cursorFile, json } = options;
  if (json) throw usageFailure('--json has no effect on an export: its output is NDJSON or CSV');
  if (format === 'csv' && bot === undefined) throw usageFailure('--format csv needs --bot KEY');
  if (format === 'csv' && cursorFile !== undefined) throw usageFailure('--cursor-file needs --format ndjson');
  const file = cursorFile === undefined ? undefined : pathOf(cursorFile, shell);
  const cursor = file === undefined ? undefined : await readCursor(file);
  const { workspace, botId } = await open();
  // Else a mistyped key would look like a bot without results.
  if (bot !== undefined) await botId(bot);
  const interactions = workspace.interactions.export({ ...queryOf(options), cursor });
  await using output = openExportOutput(shell);
  // Returned without `await`, the output would be disposed first.
  if (format === 'csv') return await called(copyCsv(() => interactions.csv(), output));
  let rows = 0;
  await called(
    (async () => {
      for await (const row of interactions) {
        rows += 1;
        await output.write(jsonText(row));
      }
    })(),
  );
  await output.write(jsonText({ end: true, rows, cursor: interactions.cursor }), 0);
  await output.flush();
  if (file !== undefined) await saveCursor(file, interactions.cursor ?? '');
}

function queryOf(options: ExportOptions): Query {
  const { bot, customer, since, status, priority, evaluation } = options;
  const { createdFrom, createdTo, completedFrom, completedTo } = options;
  const instants = { createdFrom, createdTo, updatedFrom: since, completedFrom, completedTo };
  const { stoppedAt, botVersion, test: isTest } = options;
  return {
    botKey: bot,
    customerId: customer,
    status,
    priority,
    evaluation,
    stoppedAt,
    botVersion,
    isTest,
    ...instants,
  };
}

/** Returns undefined if there is no file yet. Rejects if the new cursor could not be saved after hours of exporting. */
async function readCursor(file: string): Promise<string | undefined> {
  try {
    await access(dirname(file), constants.W_OK);
  } catch (cause) {
    const message = `${file} cannot be written: ${reasonOf(cause)}`;
    throw new Failure(message, { type: 'unwritable-file', cause });
  }
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const message = `${file} cannot be read: ${reasonOf(cause)}`;
    throw new Failure(message, { type: 'unreadable-file', cause });
  }
}

/** Replaces the file as a whole, so that it has one of both cursors after a crash. */
async function saveCursor(file: string, cursor: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  await writeFile(temporary, `${cursor}\n`);
  await rename(temporary, file);
}
