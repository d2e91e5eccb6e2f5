/** A cell, and where it is in the text, with its quotation marks. */
export interface CsvCell {
  text: string;
  offset: number;
  length: number;
}

/** A row that has content. */
export interface CsvRow {
  /** The number that a spreadsheet shows for it, from 1: a cell with line breaks is in one row. */
  row: number;
  cells: CsvCell[];
}

/** Why a file is no CSV, and where: the cell that begins in `row`. */
export interface CsvFault extends Omit<CsvCell, 'text'> {
  row: number;
  kind: 'lostCharacter' | 'strayQuote' | 'unclosedQuote';
}

/** A CSV file. What is behind a fault is not read. */
export interface CsvFile {
  separator: string;
  rows: CsvRow[];
  fault?: CsvFault;
}

// A line of Excel, which it shows in no row.
const separatorLine = /^\uFEFF?"?sep=([^"\r\n])"?[ \t]*(?:\r\n|\n|\r|$)/i;

/**
 * Returns the separator of a CSV file: from a first line `sep=`, else the one of comma, semicolon and TAB that the
 * first line with content has most of.
 */
export function separatorOf(text: string): string {
  const stated = separatorLine.exec(text)?.[1];
  if (stated !== undefined) return stated;
  const header = (/^.*[^\s\uFEFF,;"].*$/m.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (separator: string): number => header.split(separator).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/**
 * Reads a CSV file (RFC 4180), also with a byte order mark or a first line `sep=;`. Rows without content are left out,
 * but counted. A quotation mark that is not closed, or that is neither around a cell nor doubled, is a fault: it could
 * hide rows. So is U+FFFD, which stands for a character that an earlier program has lost.
 */
export function readCsv(text: string): CsvFile {
  const separator = separatorOf(text);
  const escaped = separator.replace(/[\\\]^-]/, '\\$&');
  // A cell with or without quotation marks, blanks around them, and what ends it.
  const cells = new RegExp(
    `(?:[ ]*"([^"]*(?:""[^"]*)*)"[ ]*(?=[${escaped}\\r\\n]|$)|([^${escaped}"\\r\\n]*))([${escaped}]|\\r\\n|\\n|\\r|$)`,
    'y',
  );
  const rows: CsvRow[] = [];
  let row: CsvRow = { row: 1, cells: [] };
  for (let at = separatorLine.exec(text)?.[0].length ?? (text.startsWith('\uFEFF') ? 1 : 0); ; ) {
    cells.lastIndex = at;
    const found = cells.exec(text);
    if (!found) return { separator, rows, fault: quoteFault(text, at, row.row) };
    const [all, inQuotes, bare = '', end = ''] = found;
    const cell = {
      text: inQuotes?.replaceAll('""', '"') ?? bare,
      offset: at,
      length: all.length - end.length,
    };
    if (cell.text.includes('\uFFFD')) {
      const { offset, length } = cell;
      return { separator, rows, fault: { row: row.row, kind: 'lostCharacter', offset, length } };
    }
    row.cells.push(cell);
    at = cells.lastIndex;
    if (end === separator) continue;
    if (row.cells.some((one) => one.text.trim() !== '')) rows.push(row);
    if (end === '') return { separator, rows };
    row = { row: row.row + 1, cells: [] };
  }
}

function quoteFault(text: string, offset: number, row: number): CsvFault {
  const rest = text.slice(offset);
  const isUnclosed = /^[ ]*"[^"]*(?:""[^"]*)*$/.test(rest);
  const length = rest.search(/[\r\n]|$/);
  return { row, kind: isUnclosed ? 'unclosedQuote' : 'strayQuote', offset, length };
}
