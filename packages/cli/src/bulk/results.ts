import type { CreatedItem, ItemError, RejectedItem } from '@parley/client';
import { csvRecord, separatorRecord } from '@parley/runtime/csv';
import type { CheckedLine } from './chunks.ts';

/** What has become of a line. */
export interface LineResult {
  line: number;
  customerId: string;
  interactionId?: string;
  link?: string;
  error?: string;
}

/** Returns the result of a line. */
export function resultOf(
  { number, item }: CheckedLine,
  answer: CreatedItem | RejectedItem | undefined,
): LineResult {
  const about = { line: number, customerId: item.customerId };
  if (answer && 'interaction' in answer) {
    const { id, link } = answer.interaction;
    return { ...about, interactionId: id, link };
  }
  return { ...about, error: answer ? errorText(answer.error) : 'The API returned no result for this line' };
}

function errorText({ type, detail, errors = [] }: ItemError): string {
  return [`${type}: ${detail}`, ...errors.map((one) => `${one.pointer}: ${one.detail}`)].join('; ');
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
  const lines = [separatorRecord(separator) ?? [], csvRecord(columns, separator)].flat();
  return `${lines.join('\n')}\n`;
}

/** Returns a result as a row of CSV (RFC 4180) without formulas, as in an export. */
export function csvRow(result: LineResult, separator: string): string {
  return `${csvRecord(
    columns.map((column) => result[column] ?? ''),
    separator,
  )}\n`;
}
