import { type CsvLines, readCsvLines } from '@parley/bulk/csv-lines';
import { faultWords, type FileFault, inOrder, wordsOf } from '@parley/bulk/faults';
import {
  botFaults,
  type Defaults,
  faultsBetween,
  type Lines,
  nameBots,
  readContexts,
} from '@parley/bulk/lines';
import { readNdjson } from '@parley/bulk/ndjson';
import { type Api, called } from '../api.ts';
import { counted } from '../counted.ts';
import { Failure, type FaultInFile } from '../failure.ts';
import { placeIn } from '../place.ts';

/** A file, and the format that its name tells. */
export interface BulkFile {
  name: string;
  format: 'csv' | 'ndjson';
  text: string;
}

const shownMax = 100;

/**
 * Reads and checks all lines as the API would, before any is sent: their fields, that their bots exist, and that these
 * take their context. Throws a `Failure` with the places of the faults, the first hundred of them.
 */
export async function readLines(
  file: BulkFile,
  defaults: Defaults,
  api: Pick<Api, 'workspace' | 'botId'>,
): Promise<Lines & Partial<Pick<CsvLines, 'separator'>>> {
  const { name, text } = file;
  const read = file.format === 'csv' ? readCsvLines(text, defaults) : readNdjson(text, defaults);
  const { lines, faults } = read;
  if (lines.length === 0 && faults.every(({ kind }) => kind === 'noRows'))
    throw new Failure(`${name} has no lines`, { type: 'empty-file' });
  const namesBots = nameBots(lines);
  const between = faultsBetween(lines).filter(({ kind }) => namesBots || kind !== 'notOneBot');
  rejectFaults(file, [...faults, ...between]);
  if (!namesBots)
    throw new Failure(`${name} names no bot: pass --bot KEY, or name it in the file`, { type: 'no-bot' });
  // A fault of the option is no fault of each line.
  if (defaults.botKey !== undefined) await api.botId(defaults.botKey);
  const list = async (query: { key?: string }) => (await called(api.workspace.bots.list(query))).data;
  rejectFaults(file, botFaults(lines, await readContexts(lines, list)));
  return read;
}

function rejectFaults(file: BulkFile, faults: readonly FileFault[]): void {
  if (faults.length === 0) return;
  const first = faults.length > shownMax ? `, of which the first ${shownMax} follow` : '';
  const message = `${file.name} has ${counted(faults.length, 'fault')}${first}; nothing was sent`;
  const shown = inOrder(faults).slice(0, shownMax);
  throw new Failure(message, { type: 'invalid-file', faults: shown.map((fault) => faultIn(file, fault)) });
}

function faultIn({ name, text }: BulkFile, { column, offset, length, ...fault }: FileFault): FaultInFile {
  // Faults have the places that editors know.
  const words = {
    ...faultWords,
    notOneBot: `${faultWords.notOneBot}: name the bot in the file, or with --bot`,
    otherValue: (_: unknown, at: unknown) =>
      `Line ${placeIn(name, text, Number(at), 1).line} has another value for this customer`,
  };
  return { pointer: column, detail: wordsOf(fault, words), place: placeIn(name, text, offset, length) };
}
