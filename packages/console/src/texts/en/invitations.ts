import type { Encoding } from '@parley/bulk/decode';
import { type FaultWords, faultWords } from '@parley/bulk/faults';

export const invitations = {
  about:
    'Each row of the file becomes an interaction that is offered to its customer. You get a link for each, which opens the conversation.',
  column: 'Column',
  columns: 'Columns of the file, the first one required:',
  columnsAbout:
    'expiry is in seconds from now, such as 86400 for a day, or in days, such as 30d. availableFrom is an instant such as 2026-12-01T08:00:00Z. priority is Low, Medium or High. status is Pending unless the file says otherwise. botKey or botId names another bot for a row. Columns that you do not need can be left out.',
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
  kinds: faultWords as FaultWords,
  noLinks: 'No invitation was created.',
  onlyFirst: (count: number) => `These are the first ${count}.`,
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
