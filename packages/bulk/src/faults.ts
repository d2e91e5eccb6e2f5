/** Values that the words of a fault name, such as a limit. */
type Values = readonly (string | number)[];

/** The words of a fault, in one sentence without its full stop. */
type Words = string | ((...values: Values) => string);

/** The words of each kind of fault, as the API has them where it knows the kind. */
export const faultWords = {
  badEmail: 'Must be an email address',
  badExpiry: 'Must be a number of seconds, or in a CSV file of days, such as 30d',
  badInstant: 'Must be an instant with its zone, such as 2026-12-01T08:00:00Z',
  badKey: 'Must be the key of a bot, such as nps-follow-up',
  badId: (detail) => String(detail),
  cellCount: (cells, columns) => `The row has ${cells} cells, and the header has ${columns}`,
  contextTooLong: (kibibytes) => `Must be at most ${kibibytes} KiB in all`,
  empty: 'The file is empty',
  /** Of a schema. */
  invalid: (detail) => String(detail),
  longExpiry: 'Must be at most ten years, in seconds from now',
  lostCharacter: 'Has U+FFFD: a character was lost when the file was saved',
  lostDigits:
    'Is a number whose last digits a spreadsheet has lost: make the column text, and save the file again',
  malformed: 'Must be well-formed Unicode without U+0000',
  missingColumn: 'The column is missing',
  noContext: 'This bot takes no context',
  noName: 'The column has no name',
  noRows: 'The file has no row below its header',
  notOneBot: 'Exactly one of botKey and botId is required',
  notOneOf: (known) => `Must be one of: ${known}`,
  otherValue: (row) => `Row ${row} has another value for this customer`,
  repeatedColumn: 'There are two columns of this name',
  required: 'Is required',
  strayQuote: 'Has a quotation mark that is neither around the cell nor doubled',
  tooLong: (characters) => `Must have at most ${characters} characters`,
  unclosedQuote: 'The quotation mark is not closed',
  unknownBot: 'There is no such bot',
  unknownColumn: (known) => `Is not a known column; known: ${known}`,
  valueTooLong: (kibibytes) => `Must be at most ${kibibytes} KiB in UTF-8`,
} as const satisfies Record<string, Words>;

export type FaultKind = keyof typeof faultWords;

export type FaultWords = Record<FaultKind, Words>;

export interface ValueFault {
  kind: FaultKind;
  values: Values;
}

/** Where a fault is in the text of a file, in UTF-16 units. */
export interface FilePlace {
  /** The column of CSV, or the pointer (RFC 6901) of NDJSON. Empty: the whole row, or the file. */
  column: string;
  offset: number;
  length: number;
}

export interface FileFault extends ValueFault, FilePlace {
  /** The row that a spreadsheet shows, from 1; in NDJSON the line. */
  row: number;
}

export function faultOf(kind: FaultKind, ...values: Values): ValueFault {
  return { kind, values };
}

export function faultText({ kind, values }: ValueFault, language: FaultWords = faultWords): string {
  const words = language[kind];
  return typeof words === 'string' ? words : words(...values);
}

/** Returns faults in the order of the file. */
export function faultsInOrder(faults: readonly FileFault[]): FileFault[] {
  return faults.toSorted((one, other) => one.offset - other.offset);
}
