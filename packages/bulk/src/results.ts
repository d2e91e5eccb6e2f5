import type { CreatedItem, ItemError, RejectedItem } from '@parley/client';
import { csvFile } from './csv.ts';
import type { CsvLine, CsvLines } from './csv-lines.ts';
import type { Line } from './lines.ts';

export interface Result<One extends Line = Line> {
  line: One;
  interactionId?: string;
  link?: string;
  /** Why the API has rejected it. */
  error?: string;
}

/** Returns the results of the lines of a bulk call, whose answer has an item for each. */
export function resultsOf<One extends Line>(
  lines: readonly One[],
  answer: readonly (CreatedItem | RejectedItem)[],
): Result<One>[] {
  return lines.map((line, index) => {
    const item = answer[index];
    if (item && 'interaction' in item) {
      const { id, link } = item.interaction;
      return { line, interactionId: id, link };
    }
    return { line, error: item ? errorText(item.error) : 'The API returned no result for this line' };
  });
}

function errorText({ type, detail, errors = [] }: ItemError): string {
  return [`${type}: ${detail}`, ...errors.map((one) => `${one.pointer}: ${one.detail}`)].join('; ');
}

/** Returns the links as a CSV file: the lines that have one, with the columns and the separator of their file. */
export function linksFile(
  results: readonly Result<CsvLine>[],
  { separator, header }: Pick<CsvLines, 'separator' | 'header'>,
): string {
  const rows = results.flatMap(({ line, link }) => (link === undefined ? [] : [[...line.cells, link]]));
  return csvFile([[...header, 'link'], ...rows], { separator });
}
