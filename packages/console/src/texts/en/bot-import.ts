export const botImport = {
  about:
    'A bot of Typebot, a form of Typeform or a survey of Formbricks becomes a draft. You see what becomes of it first. Customers see nothing until you publish it.',
  botTooLarge: 'The bot would be too large.',
  counts: (of: { steps: number; converted: number; changed: number; dropped: number }) =>
    `${of.steps} steps. Of the file, ${of.converted} parts are converted, ${of.changed} changed and ${of.dropped} dropped.`,
  create: 'Create the draft',
  damaged: 'The file has characters of another character set. Save it in UTF-8.',
  drop: 'Or drop it here.',
  faults: (count: number) =>
    count === 1
      ? 'The draft has 1 fault. The editor shows it.'
      : `The draft has ${count} faults. The editor shows them.`,
  file: 'Exported JSON file',
  fileTooLarge: (mebibytes: number) => `The file has more than ${mebibytes} MiB.`,
  fromFile: 'Import a file…',
  key: 'Key, for programs',
  made: 'The bot exists, but without its steps. Press the button again to save them.',
  name: 'Name, for customers',
  notJson: (line: number) => `The file is not JSON. The first fault is in line ${line}.`,
  nothingLost: 'Everything is in the bot as it was.',
  outcomes: { converted: 'Converted', changed: 'Changed', dropped: 'Dropped', ignored: 'Not needed' },
  places: (count: number) => `${count} places`,
  report: 'What became of the file',
  title: 'Import a bot',
  unknownFormat: 'The file is no export of Typebot, Typeform or Formbricks.',
};
