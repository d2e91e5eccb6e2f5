import { JsonError, type JsonFault, locateJson, readJson } from '@parley/runtime/json';
import { Failure, type FaultInFile } from './failure.ts';
import { placeIn } from './place.ts';
import { readText } from './text-file.ts';

/** A file of JSON, read. */
export interface JsonFile {
  file: string;
  text: string;
  value: unknown;
  /** Names that an object has twice: JSON allows them, and nobody means them. */
  repeated: FaultInFile[];
  /** The fault with its place in the file: that of the object where what is missing should be. */
  place(fault: { pointer: string; detail: string }): FaultInFile;
}

/** How many repeated names are shown. */
const repeatedMax = 20;

/** Reads a file of JSON. Throws a `Failure` when it cannot be read, or with the first place that is no JSON. */
export async function readJsonFile(file: string): Promise<JsonFile> {
  return parseJson(file, await readText(file));
}

function parseJson(file: string, text: string): JsonFile {
  const inFile = ({ pointer, detail, offset, length }: JsonFault): FaultInFile => {
    return { pointer, detail, place: placeIn(file, text, offset, length) };
  };
  try {
    const { value, repeated } = readJson(text, repeatedMax);
    const { values, names } = locateJson(text);
    return {
      file,
      text,
      value,
      repeated: repeated.map(inFile),
      place: ({ pointer, detail }) => {
        const name = names.get(pointer);
        // Faults of a name, not of its value, begin with it.
        const isOfName = name && detail.startsWith(text.slice(name.offset, name.offset + name.length));
        let at = pointer;
        while (at !== '' && !values.has(at)) at = at.slice(0, at.lastIndexOf('/'));
        const { offset, length } = (isOfName ? name : values.get(at)) ?? { offset: 0, length: 1 };
        return inFile({ pointer, detail, offset, length });
      },
    };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const faults = [inFile(error.fault)];
    throw new Failure(`${file} is not JSON`, { type: 'invalid-json', faults, cause: error });
  }
}
