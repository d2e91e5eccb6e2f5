/** Returns a record of CSV (RFC 4180) with its line end. Spreadsheets take no cell for a formula. */
export function csvRecord(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => quoted(withoutFormula(String(cell)))).join(',')}\r\n`;
}

const number = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

// Spreadsheets run a cell that begins with one of these as a formula, and show a leading apostrophe not at all, or as
// text.
function withoutFormula(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) && !number.test(cell) ? `'${cell}` : cell;
}

// Spreadsheets would change these numbers: they have zeros in front, or more digits than a spreadsheet keeps. Quotation
// marks let an import take them for text.
const identifier = /^[-+]?(?:0\d+|\d{16,})$/;

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) || identifier.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
