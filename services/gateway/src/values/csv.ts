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

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
