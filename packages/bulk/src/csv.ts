/**
 * Returns a record of CSV (RFC 4180) without its line end. Spreadsheets take no cell for a formula, also where they
 * split at another separator or at the line breaks of a cell.
 */
export function csvRecord(cells: readonly (string | number)[], separator = ','): string {
  return cells.map((cell) => quoted(withoutFormulas(String(cell)), separator)).join(separator);
}

/**
 * Returns a file of such records. Its first line has the separator where spreadsheets and imports do not find it by
 * themselves.
 */
export function csvFile(
  rows: readonly (readonly (string | number)[])[],
  { separator = ',', lineEnd = '\r\n' } = {},
): string {
  const first = [',', ';', '\t'].includes(separator) ? [] : [`sep=${separator}`];
  const records = rows.map((cells) => csvRecord(cells, separator));
  return [...first, ...records].map((line) => `${line}${lineEnd}`).join('');
}

const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

// Spreadsheets run a cell that begins with one of these as a formula, and show a leading apostrophe not at all, or as
// text. Some take the full-width signs for the others.
const formulas = /^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t].*$/gm;

// Each line, because a program that misreads the quotation marks begins a row there.
function withoutFormulas(cell: string): string {
  return cell
    .replaceAll(formulas, (line) => (number.test(line) ? line : `'${line}`))
    .replace(/^[\r\n]/, "'$&");
}

// Spreadsheets would change these numbers: they have zeros in front, or more digits than a spreadsheet keeps. Quotation
// marks let an import take them for text.
const identifier = /^[-+]?(?:0\d+|\d{16,})$/;

// All separators: a spreadsheet splits at its language's separator, or at several.
function quoted(cell: string, separator: string): string {
  const splits = /[",;\t\r\n]/.test(cell) || cell.includes(separator);
  return splits || identifier.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
