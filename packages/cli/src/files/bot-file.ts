import { type BotDefinition, validateDefinition } from '@parley/bot/definition';
import { counted } from '../counted.ts';
import { Failure, type FaultInFile } from '../failure.ts';
import type { JsonFile } from './json-file.ts';
import type { Shell } from '../shell.ts';
import { readDataFile } from './yaml-file.ts';

/** A valid bot definition from a file of JSON or YAML, with the text to publish. */
export type BotFile = JsonFile & { definition: BotDefinition; warnings: FaultInFile[] };

/** Reads a valid bot definition. Throws a `Failure` with all its faults, in the order of the file. */
export async function readBot(file: string, shell: Shell): Promise<BotFile> {
  const json = await readDataFile(file, shell);
  const result = validateDefinition(json.value);
  const faults = [...json.repeated, ...('faults' in result ? result.faults.map(json.place) : [])];
  if (faults.length > 0 || 'faults' in result) throw invalidBot(file, faults);
  const { definition, warnings } = result;
  return { ...json, definition, warnings: warnings.map(json.place) };
}

/** Returns the failure of a definition that the server rejects, with the places of the faults. */
export function rejectedBot({ file, place }: BotFile, { faults = [] }: Failure): Failure {
  return invalidBot(file, faults.map(place));
}

function invalidBot(file: string, faults: FaultInFile[]): Failure {
  const message = `${file} is not a valid bot definition: ${counted(faults.length, 'fault')}`;
  const sorted = faults.toSorted(
    ({ place: left }, { place: right }) => left.line - right.line || left.column - right.column,
  );
  return new Failure(message, { type: 'invalid-definition', faults: sorted });
}
