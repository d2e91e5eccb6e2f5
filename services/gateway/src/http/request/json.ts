import { AppError, type Fault } from '@parley/runtime/errors';
import { JsonError, type JsonFault, readJson } from '@parley/runtime/json/json';
import { faultsMax } from '@parley/runtime/zod-faults';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses unambiguous JSON in UTF-8. 400 (`malformed-json`) with the places for invalid JSON, for more than 64 levels or
 * `valuesMax` values, and for a repeated name in an object, which readers treat differently.
 */
export function parseJson(bytes: Buffer, valuesMax: number): unknown {
  const text = decode(bytes);
  const { value, repeated } = read(text, valuesMax);
  if (repeated.length > 0) throw malformed(repeated.map(({ pointer, detail }) => ({ pointer, detail })));
  return value;
}

/** Returns the text of a body, without a byte order mark. 400 if it is not UTF-8. */
export function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw malformed([{ pointer: '', detail: 'Is not UTF-8' }], cause);
  }
}

function read(text: string, valuesMax: number): ReturnType<typeof readJson> {
  try {
    return readJson(text, { repeatedMax: faultsMax, valuesMax });
  } catch (error) {
    if (error instanceof JsonError) throw malformed([withLine(text, error.fault)], error);
    throw error;
  }
}

function withLine(text: string, { pointer, detail, offset }: JsonFault): Fault {
  const before = text.slice(0, offset);
  let line = 1;
  let begin = 0;
  for (let end = before.indexOf('\n'); end >= 0; end = before.indexOf('\n', begin)) {
    line += 1;
    begin = end + 1;
  }
  return { pointer, detail: `Line ${line}, column ${offset - begin + 1}: ${detail}` };
}

function malformed(faults: Fault[], cause?: unknown): AppError {
  return new AppError('invalid_argument', 'malformed-json', 'The body is not valid JSON', { faults, cause });
}
