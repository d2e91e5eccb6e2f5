import type { Encoding } from '@parley/runtime/csv-reader';

export const invitations = {
  about:
    'Each row of the file becomes an interaction that is offered to its customer. You get a link for each, which opens the conversation.',
  column: 'Column',
  columns: 'Columns of the file, the first one required:',
  columnsAbout:
    'expiry is in seconds from now, such as 86400 for a day, or in days, such as 30d. priority is Low, Medium or High. Columns that you do not need can be left out.',
  create: (count: number) => (count === 1 ? 'Create 1 invitation' : `Create ${count} invitations`),
  created: (count: number) =>
    count === 1 ? '1 invitation is created.' : `${count} invitations are created.`,
  doneOf: (done: number, all: number) => `${done} of ${all}`,
  fault: 'What is wrong',
  faults: (count: number) => (count === 1 ? '1 fault in the file' : `${count} faults in the file`),
  faultsAbout: 'Nothing was created. Correct the file, then choose it again.',
  file: 'CSV file: with commas, semicolons or tabs',
  fileTitle: 'File',
  formulas: 'In the file, a value that a spreadsheet would take for a formula begins with an apostrophe.',
  fromCsv: 'From CSV…',
  goOn: 'Continue',
  invite: 'Invitations',
  kinds: {
    badEmail: 'This is not an e-mail address.',
    badExpiry: 'Seconds from now in digits, such as 86400, or days, such as 30d. At most ten years.',
    badId: 'An id has 1 to 255 characters, no control characters, and is not . or ..',
    badPriority: 'Low, Medium or High.',
    cellCount: 'The row does not have as many cells as the header.',
    empty: 'The file needs a row with the names of the columns, and a row for each customer.',
    lostCharacter: 'A character was lost (\uFFFD) when the file was saved. Save it again from its source.',
    missingColumn: 'This column is missing.',
    repeatedColumn: 'There are two columns of this name.',
    strayQuote:
      'A quotation mark is in the wrong place. Put the cell in quotation marks, and double those inside.',
    tooLong: 'This is too long.',
    unclosedQuote: 'A quotation mark in this row is not closed.',
    unknownColumn: 'The bot does not take this column.',
  },
  noLinks: 'No invitation was created.',
  onlyFirst: (count: number) => `These are the first ${count}.`,
  otherValue: (row: number) => `Row ${row} has another value for this customer.`,
  progress: 'Progress',
  readAs: (encoding: Encoding) =>
    encoding === 'Windows-1252'
      ? 'The file is not UTF-8 and was read as Windows-1252. Make sure that letters with accents are right.'
      : `The file was read as ${encoding}.`,
  ready: (count: number) =>
    count === 1 ? 'The file has 1 customer and no faults.' : `The file has ${count} customers and no faults.`,
  rejected: (count: number) => (count === 1 ? '1 row was rejected' : `${count} rows were rejected`),
  row: 'Row',
  saveLinks: 'Save the links as CSV',
  saveTemplate: 'Save an empty file',
  title: 'Invitations from a CSV file',
  toList: 'Show pending interactions',
};
