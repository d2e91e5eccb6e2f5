import { type BotDefinition, validateDefinition } from '@parley/bot/definition';
import { Failure, faultCount, type FaultInFile } from './failure.ts';
import { type JsonFile, readJsonFile } from './json-file.ts';

/** A bot definition as it stands in a file: valid, with the text to publish. */
export type BotFile = JsonFile & { definition: BotDefinition; warnings: FaultInFile[] };

/** Reads a valid bot definition. Throws a `Failure` with every fault of it, in the order of the file. */
export async function readBot(file: string): Promise<BotFile> {
  const json = await readJsonFile(file);
  const result = validateDefinition(json.value);
  const faults = [...json.repeated, ...('faults' in result ? result.faults.map(json.place) : [])];
  if (faults.length > 0 || 'faults' in result) throw invalidBot(file, faults);
  const { definition, warnings } = result;
  return { ...json, definition, warnings: warnings.map(json.place) };
}

/** A definition that the server has found faults in. */
export function refusedBot({ file, place }: BotFile, { faults = [] }: Failure): Failure {
  return invalidBot(file, faults.map(place));
}

function invalidBot(file: string, faults: FaultInFile[]): Failure {
  const message = `${file} is not a valid bot definition: ${faultCount(faults.length)}`;
  return new Failure(message, { type: 'invalid-definition', faults: faults.toSorted(inOrder) });
}

function inOrder({ place: left }: FaultInFile, { place: right }: FaultInFile): number {
  return left.line - right.line || left.column - right.column;
}
