export const translations = {
  add: 'Add',
  adds: (names: string) => `The source does not name ${names}.`,
  done: (
    language: string,
    all: number,
    { done = 0, stale = 0, faulty = 0 }: Partial<Record<'done' | 'stale' | 'faulty', number>>,
  ) =>
    [
      `${language}: ${done} of ${all} translated`,
      ...(stale > 0 ? [`${stale} stale`] : []),
      ...(faulty > 0 ? [`${faulty} faulty`] : []),
    ].join(', '),
  entries: { choices: 'Choice', rows: 'Row', columns: 'Column' } as Record<string, string>,
  faultKinds: {
    'not-a-language': 'This is not a language tag, such as de or pt-BR.',
    'own-language': 'This is the language of the bot itself.',
    'unknown-key': 'The bot has no such text.',
  },
  fileFaults: {
    damaged: 'The file has characters of another character set. Save it in UTF-8.',
    notRead: 'The file is neither CSV with a column “key” nor XLIFF 2.',
    otherBot: 'No text of the file is a text of this bot. It may be the file of another bot.',
    tooLarge: 'The file has more than 4 MiB.',
  },
  lacks: (names: string) => `It lacks ${names}.`,
  language: 'Language',
  moreFaults: (count: number) => (count === 1 ? 'and 1 more' : `and ${count} more`),
  newLanguage: 'New language, such as fr',
  noLanguage: 'All texts are in one language. Add a language to translate them.',
  onlyOpen: 'Only missing, stale and faulty ones',
  progress: 'Progress of the languages',
  saveCsv: 'Save as CSV',
  saveXliff: 'Save as XLIFF',
  states: { done: 'Translated', missing: 'Missing', stale: 'Source has changed', faulty: 'Faulty' },
  taken: (count: number) =>
    count === 1
      ? '1 translation was taken from the file.'
      : `${count} translations were taken from the file.`,
  takeFile: 'Take translations from a file: CSV or XLIFF',
  texts: (language: string) => `Texts and their translations into ${language}`,
  tooLong: (max: number) => `It has more than ${max} characters.`,
  unreadable: 'There are no texts to translate: the definition is not valid JSON, or says nothing.',
  view: 'Translations',
};
