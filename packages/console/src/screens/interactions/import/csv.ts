/** A row of a CSV file. */
export interface CsvRow {
  /** The line in which it begins, from 1. */
  line: number;
  cells: string[];
}

/** Returns the delimiter of a CSV file: the one of comma, semicolon and TAB that its first line has most of. */
export function delimiterOf(text: string): string {
  const header = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** Reads a CSV file (RFC 4180). Rows without content are left out. A quote that is not closed ends with the file. */
export function readCsv(given: string): CsvRow[] {
  const text = given.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(text);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let line = 1;
  // A cell in quotes, or up to the next delimiter; then what ends it.
  const cells = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${delimiter}\\r\\n]*)(${delimiter}|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  for (let at = 0; at <= text.length; at = cells.lastIndex) {
    cells.lastIndex = at;
    const [all, quoted, bare = '', end = ''] = cells.exec(text) ?? [''];
    row.cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"') + bare);
    line += all.split(/\r\n|\n|\r/).length - 1;
    if (end === delimiter) continue;
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
    row = { line, cells: [] };
    if (end === '') break;
  }
  return rows;
}

/**
 * Writes a CSV file (RFC 4180) that spreadsheets open. A cell that one would take for a formula begins with an
 * apostrophe.
 */
export function writeCsv(rows: string[][]): string {
  const lines = rows.map((cells) => cells.map(cellOf).join(','));
  // Without the mark, spreadsheets do not read UTF-8.
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cellOf(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
