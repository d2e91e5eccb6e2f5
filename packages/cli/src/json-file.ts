import type { Fault } from '@parley/runtime/errors';
import { JsonError, type JsonFault, locateJson, readJson } from '@parley/runtime/json';
import { Failure, type FaultInFile } from './failure.ts';
import { placeIn } from './place.ts';
import type { Shell } from './shell.ts';
import { readText } from './text-file.ts';

/** The content of a JSON file. */
export interface JsonFile {
  file: string;
  text: string;
  value: unknown;
  /** Names that an object has twice. `JSON.parse` accepts them. */
  repeated: FaultInFile[];
  /** Adds the place in the file to a fault. A missing value has the place of its object. */
  place(fault: { pointer: string; detail: string }): FaultInFile;
}

/** Returns where a fault is in a JSON text. A missing value has the place of its object. */
export function spanOf(
  text: string,
  { values, names }: ReturnType<typeof locateJson>,
  { pointer, detail }: Fault,
): { offset: number; length: number } {
  const name = names.get(pointer);
  // A fault of a name, not of its value, begins with the name.
  const isOfName = name && detail.startsWith(text.slice(name.offset, name.offset + name.length));
  let at = pointer;
  while (at !== '' && !values.has(at)) at = at.slice(0, at.lastIndexOf('/'));
  const { offset, length } = (isOfName ? name : values.get(at)) ?? { offset: 0, length: 1 };
  return { offset, length };
}

/** The largest number of repeated names in the output. */
const repeatedMax = 20;

/**
 * Reads a JSON file. Throws a `Failure` when it cannot be read or is empty, or with the first place that is not JSON.
 */
export async function readJsonFile(file: string, shell: Shell): Promise<JsonFile> {
  const text = await readText(file, shell);
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
