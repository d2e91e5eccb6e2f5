import { JsonError, locateJson, readJson, spanOf } from '@parley/runtime/json/json';
import type { FaultInFile } from '../failure.ts';
import { placeIn } from '../place.ts';
import type { Line, Lines } from './line.ts';

/** The largest number of repeated names of a line in the output. */
const repeatedMax = 20;

/** Reads a file with a JSON value in each line. Empty lines are skipped. Returns the faults of all lines. */
export function readNdjson(file: string, text: string): Lines {
  const lines: Line[] = [];
  const faults: FaultInFile[] = [];
  let offset = 0;
  for (const [index, json] of text.split('\n').entries()) {
    const begin = offset;
    offset += json.length + 1;
    if (json.trim() === '') continue;
    const at = ({
      pointer,
      detail,
      ...span
    }: {
      pointer: string;
      detail: string;
      offset: number;
      length: number;
    }) => ({
      pointer,
      detail,
      place: placeIn(file, text, begin + span.offset, span.length),
    });
    try {
      const { value, repeated } = readJson(json, { repeatedMax });
      faults.push(...repeated.map(at));
      const place: Line['place'] = (fault) => at({ ...fault, ...spanOf(json, locateJson(json), fault) });
      lines.push({ number: index + 1, value, place });
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      faults.push(at(error.fault));
    }
  }
  return faults.length > 0 ? { faults } : { lines };
}
