import { JsonError, type JsonFault, locateJson, readJson, spanOf } from '@parley/runtime/json/json';
import { Failure, type FaultInFile } from '../failure.ts';
import { placeIn } from '../place.ts';
import type { Shell } from '../shell.ts';
import { readText } from './text-file.ts';

export interface JsonFile {
  file: string;
  /** The JSON. */
  text: string;
  value: unknown;
  /** Names that an object has twice. `JSON.parse` accepts them. */
  repeated: FaultInFile[];
  /** Adds the place in the file to a fault. A missing value has the place of its object. */
  place(fault: { pointer: string; detail: string }): FaultInFile;
}

const repeatedMax = 20;

/**
 * Reads a JSON file of at most `bytesMax` bytes, by default 1 MiB. Throws a `Failure` when it cannot be read or is
 * empty, or with the first place that is not JSON.
 */
export async function readJsonFile(file: string, shell: Shell, bytesMax?: number): Promise<JsonFile> {
  const text = await readText(file, shell, bytesMax);
  if (text.trim() === '') throw new Failure(`${file} is empty`, { type: 'invalid-json' });
  const inFile = ({ pointer, detail, offset, length }: JsonFault): FaultInFile => {
    return { pointer, detail, place: placeIn(file, text, offset, length) };
  };
  try {
    const { value, repeated } = readJson(text, { repeatedMax });
    const located = locateJson(text);
    const place: JsonFile['place'] = (fault) => inFile({ ...fault, ...spanOf(text, located, fault) });
    return { file, text, value, repeated: repeated.map(inFile), place };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const faults = [inFile(error.fault)];
    throw new Failure(`${file} is not JSON`, { type: 'invalid-json', faults, cause: error });
  }
}
