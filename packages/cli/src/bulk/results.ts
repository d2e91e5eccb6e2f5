import { csvFile, csvRecord } from '@parley/bulk/csv';
import type { Result } from '@parley/bulk/results';

/** What has become of a line, for programs. */
export interface LineResult extends Omit<Result, 'line'> {
  /** Where it begins in the file, from 1. */
  line: number;
  customerId: string;
}

const columns = [
  'line',
  'customerId',
  'interactionId',
  'link',
  'error',
] as const satisfies (keyof LineResult)[];

/** Returns the header row of results as CSV, below a line with an unusual separator. */
export function csvHeader(separator: string): string {
  return csvFile([columns], { separator, lineEnd: '\n' });
}

/** Returns a result as a row of CSV (RFC 4180) without formulas, as in an export. */
export function csvRow(result: LineResult, separator: string): string {
  return `${csvRecord(
    columns.map((column) => result[column] ?? ''),
    separator,
  )}\n`;
}
