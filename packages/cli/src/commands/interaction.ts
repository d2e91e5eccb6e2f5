import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { chunksOf } from '@parley/bulk/chunks';
import { columnNames } from '@parley/bulk/csv-lines';
import { faultText } from '@parley/bulk/faults';
import { instantRule, priorities, statuses } from '@parley/bulk/fields';
import type { Defaults, Line } from '@parley/bulk/lines';
import { resultsOf } from '@parley/bulk/results';
import { expirySeconds } from '@parley/contracts/expiry';
import { type Command, Option } from 'commander';
import { type Api, apiCommand, called, needsYes } from '../api.ts';
import { type BulkFile, readLines } from '../bulk/read-lines.ts';
import { csvHeader, csvRow, type LineResult } from '../bulk/results.ts';
import { counted } from '../counted.ts';
import { Failure, usageFailure } from '../failure.ts';
import { jsonText, print, table, utc } from '../output.ts';
import type { Shell } from '../shell.ts';
import { addEmailBlock } from './interaction/email-block.ts';
import { addQr } from './interaction/qr.ts';
import { readText } from '../files/text-file.ts';
import { readLimit } from '../options/limit-option.ts';

const example = `
Examples:
  parley interaction create --file customers.csv --bot nps --status Pending > links.csv
  parley interaction create --file customers.csv --bot nps --dry-run
  parley interaction create --file interactions.ndjson > links.ndjson
  parley interaction create --file customers.csv --bot nps --status Pending \\
    --available-from 2026-12-01T08:00:00Z > links.csv
  parley interaction create --file customers.csv --bot nps --status Pending --test

A CSV file is UTF-8 with a header row; comma, semicolon and TAB separate cells. Columns:
${columnNames.replace(/(.{60,80}), /g, '$1,\n')}.
Only customerId is required, and empty cells count as absent. expiry is in seconds, or in
days such as 30d, and availableFrom an instant such as 2026-12-01T08:00:00Z. An NDJSON file has
a body of POST /interactions in each line. Options are for lines without that field.

All lines are checked before the first is sent. Standard output has a row per line with the
customer, the interaction and its link, or the error, in the format of the file. To continue an
interrupted run, repeat the command with the same file and options within 24 hours: lines that
were sent already are not created again, and their links are printed again.`;

/** Far above a hundred thousand lines. */
const fileBytesMax = 64 * 1024 * 1024;

/** Retries of a call, after growing delays of up to ten seconds. */
const retries = 30;

interface CreateOptions extends Omit<Defaults, 'botKey' | 'botId' | 'isTest'> {
  file: string;
  test?: true;
  bot?: string;
  dryRun?: boolean;
}

const someId = '01939f6a-2f40-7c3a-9d55-0123456789ab';

export function addInteractionCommands(program: Command, shell: Shell): void {
  const interaction = program
    .command('interaction')
    .description('create interactions from a file, show one for customers, move, list deliveries, delete');
  addInteractionDeliveries(interaction, shell);
  addAvailable(interaction, shell);
  addDelete(interaction, shell);
  addDeleteTests(interaction, shell);
  addEmailBlock(interaction, shell);
  addQr(interaction, shell, 'interaction', `parley interaction qr ${someId}`, {
    read: ({ workspace }, id, format) => workspace.interactions.qr(id, { format }),
  });
  const command = interaction
    .command('create')
    .description('create an interaction for each line of a CSV or NDJSON file')
    .requiredOption('--file <file>', 'the file: .csv, .ndjson or .jsonl')
    .option('--bot <key>', 'the key of the bot')
    .addOption(new Option('--status <status>', 'the status').choices(statuses))
    .addOption(new Option('--priority <priority>', 'the priority').choices(priorities))
    .option('--expiry <time>', 'when they expire: seconds from now, or days such as 30d', readSeconds)
    .option(
      '--available-from <instant>',
      'when customers see them first, such as 2026-12-01T08:00:00Z',
      readInstant,
    )
    .option('--test', 'as test interactions: they work in every way, and count nowhere')
    .option('--dry-run', 'check the file, and send nothing')
    .addHelpText('after', example);
  apiCommand<CreateOptions>(command, shell, async ({ options, open, print }) => {
    const { file, bot, status, priority, expiry, availableFrom, test: isTest } = options;
    const format = formatOf(file);
    const api = await open({ retries });
    const text = await readText(file, shell, fileBytesMax);
    const defaults = definedIn({ botKey: bot, status, priority, expiry, availableFrom, isTest });
    const { lines, separator = '' } = await readLines({ name: file, format, text }, defaults, api);
    if (options.dryRun) {
      const calls = chunksOf(lines).length;
      const counts = `${counted(lines.length, 'line')} without a fault, for ${counted(calls, 'call')}`;
      const summary = `${file}: ${counts}; nothing was sent`;
      return print({ lines: lines.length, calls }, summary);
    }
    await createAll(api, numbered(lines, text), writerOf(options.json, format, separator, shell));
  });
}

/** A line with its number in the file, from 1. */
type NumberedLine = Line & { number: number };

function numbered(lines: readonly Line[], text: string): NumberedLine[] {
  let [counted, number] = [0, 1];
  return lines.map((line) => {
    number += text.slice(counted, line.offset).split(/\r\n|\n|\r/).length - 1;
    counted = line.offset;
    return { ...line, number };
  });
}

async function createAll({ workspace }: Api, lines: NumberedLine[], writer: Writer): Promise<void> {
  writer.begin();
  let [sent, rejected] = [0, 0];
  for (const chunk of chunksOf(lines)) {
    const body = { interactions: chunk.map(({ item }) => item) };
    const idempotencyKey = keyOf(chunk);
    const { data } = await called(workspace.interactions.createBulk(body, { idempotencyKey }));
    const results = resultsOf(chunk, data).map(({ line: { number, item }, ...result }) => {
      return { line: number, customerId: item.customerId, ...result };
    });
    sent += chunk.length;
    rejected += results.filter(({ error }) => error !== undefined).length;
    writer.write(results, `${sent} of ${counted(lines.length, 'line')} sent, ${rejected} rejected`);
  }
  writer.end();
  if (rejected === 0) return;
  const message = `${rejected} of ${counted(lines.length, 'line')} rejected: see the errors in the output`;
  throw new Failure(message, { type: 'rejected-lines' });
}

/**
 * Returns the idempotency key of a call, which derives from its body and the places of its lines: a second run of the
 * file repeats each call with its key, so it creates nothing twice.
 */
function keyOf(chunk: readonly NumberedLine[]): string {
  return `parley-cli-${hash('sha256', JSON.stringify(chunk.map(({ number, item }) => [number, item])))}`;
}

/** Writes results to standard output and the progress to standard error. */
interface Writer {
  begin(): void;
  write(results: LineResult[], progress: string): void;
  end(): void;
}

function writerOf(
  json: boolean | undefined,
  format: BulkFile['format'],
  separator: string,
  shell: Shell,
): Writer {
  const all: LineResult[] = [];
  const rowOf = (result: LineResult): string =>
    format === 'csv' ? csvRow(result, separator) : jsonText(result);
  return {
    begin: () => void (json || format !== 'csv' || shell.stdout.write(csvHeader(separator))),
    write: (results, progress) => {
      if (json) return void all.push(...results);
      shell.stdout.write(results.map(rowOf).join(''));
      shell.stderr.write(`${progress}\n`);
    },
    end: () => void (json && print(shell, json, all, '')),
  };
}

function formatOf(file: string): BulkFile['format'] {
  const extension = extname(file).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  throw usageFailure(`--file: ${file} must end in .csv, .ndjson or .jsonl`);
}

function readSeconds(text: string): number {
  const seconds = expirySeconds(text);
  if (seconds !== undefined) return seconds;
  throw usageFailure(`--expiry: ${text} is neither a number of seconds nor of days, such as 30d`);
}

function readInstant(text: string): string {
  const fault = instantRule(text);
  if (!fault) return text;
  throw usageFailure(`${text} is no instant: ${faultText(fault)}`);
}

function definedIn(fields: { [Name in keyof Defaults]: Defaults[Name] | undefined }): Defaults {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function addAvailable(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('available')
    .description('say from when customers see an interaction, or let them see it now')
    .argument('<id>', 'the interaction')
    .addOption(new Option('--from <instant>', 'from when').argParser(readInstant))
    .addOption(new Option('--now', 'at once').conflicts('from'))
    .addHelpText(
      'after',
      `
Examples:
  parley interaction available ${someId} --from 2026-12-01T08:00:00Z
  parley interaction available ${someId} --now`,
    );
  apiCommand<{ from?: string; now?: true }>(command, shell, async ({ options, open, print }, id: string) => {
    if (options.from === undefined && !options.now) throw usageFailure('pass --from <instant> or --now');
    const { workspace } = await open();
    const change = workspace.interactions.update(id, { availableFrom: options.from ?? null });
    const { availableFrom } = await called(change, `interaction ${id}`);
    const text = availableFrom === undefined ? 'available at once' : `available from ${utc(availableFrom)}`;
    print({ id, availableFrom: availableFrom ?? null }, `interaction ${id} is ${text}`);
  });
}

function addDelete(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('delete')
    .description('delete an interaction with its conversation for ever')
    .argument('<id>', 'the interaction')
    .addHelpText('after', `\nExample:\n  parley interaction delete ${someId} --yes`);
  const why = 'a deleted interaction cannot come back: pass --yes to delete it';
  apiCommand(needsYes(command, why), shell, async ({ open, print }, id: string) => {
    const { workspace } = await open();
    await called(workspace.interactions.delete(id), `interaction ${id}`);
    print({ id }, `interaction ${id} is deleted`);
  });
}

function addDeleteTests(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('delete-tests')
    .description('delete all test interactions of the workspace for ever')
    .addHelpText('after', '\nExample:\n  parley interaction delete-tests --yes');
  const why = 'deleted interactions cannot come back: pass --yes to delete them';
  apiCommand(needsYes(command, why), shell, async ({ open, print }) => {
    const { workspace } = await open();
    let deleted = 0;
    for (let hasMore = true; hasMore; ) {
      const part = await called(workspace.interactions.deleteTests({ isTest: true }));
      deleted += part.deleted;
      hasMore = part.hasMore;
      if (hasMore) shell.stderr.write(`${counted(deleted, 'test interaction')} deleted so far\n`);
    }
    print({ deleted }, `${counted(deleted, 'test interaction')} deleted`);
  });
}

function addInteractionDeliveries(interaction: Command, shell: Shell): void {
  const command = interaction
    .command('deliveries')
    .description('list the newest deliveries of its events, to all webhooks')
    .argument('<id>', 'the interaction')
    .option('--limit <n>', 'how many (default: 20)', readLimit)
    .addHelpText('after', `\nExample:\n  parley interaction deliveries ${someId}`);
  apiCommand<{ limit?: number }>(command, shell, async ({ options, open, print }, id: string) => {
    const { workspace } = await open();
    const { data } = await called(
      workspace.interactions.listDeliveries(id, { limit: options.limit ?? 20 }),
      `interaction ${id}`,
    );
    const rows = data.map((one) => [
      one.webhookId,
      utc(one.createdAt),
      one.event ?? '-',
      one.state,
      String(one.attempts),
      one.lastError ?? '-',
    ]);
    const heading = ['WEBHOOK', 'CREATED', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ERROR'];
    print(data, table(heading, rows, 'There are no deliveries.'));
  });
}
