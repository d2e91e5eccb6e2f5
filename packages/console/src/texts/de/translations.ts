import type { Texts } from '../texts.tsx';

export const translations: Texts['translations'] = {
  add: 'Hinzufügen',
  adds: (names) => `Die Vorlage nennt ${names} nicht.`,
  done: (language, all, { done = 0, stale = 0, faulty = 0 }) =>
    [
      `${language}: ${done} von ${all} übersetzt`,
      ...(stale > 0 ? [`${stale} veraltet`] : []),
      ...(faulty > 0 ? [`${faulty} fehlerhaft`] : []),
    ].join(', '),
  entries: { choices: 'Auswahl', rows: 'Zeile', columns: 'Spalte' },
  faultKinds: {
    'not-a-language': 'Das ist kein Sprachkürzel wie de oder pt-BR.',
    'own-language': 'Das ist die Sprache des Bots selbst.',
    'unknown-key': 'Diesen Text hat der Bot nicht.',
  },
  fileFaults: {
    damaged: 'Die Datei hat Zeichen eines anderen Zeichensatzes. Speichern Sie sie in UTF-8.',
    notRead: 'Die Datei ist weder CSV mit einer Spalte „key“ noch XLIFF 2.',
    otherBot: 'Kein Text der Datei ist ein Text dieses Bots. Vielleicht ist es die Datei eines anderen.',
    tooLarge: 'Die Datei hat mehr als 4 MiB.',
  },
  lacks: (names) => `Es fehlt ${names}.`,
  language: 'Sprache',
  moreFaults: (count) => (count === 1 ? 'und 1 weitere' : `und ${count} weitere`),
  newLanguage: 'Neue Sprache, etwa fr',
  noLanguage: 'Alle Texte sind in einer Sprache. Fügen Sie eine hinzu, um sie zu übersetzen.',
  onlyOpen: 'Nur fehlende, veraltete und fehlerhafte',
  progress: 'Fortschritt der Sprachen',
  saveCsv: 'Als CSV speichern',
  saveXliff: 'Als XLIFF speichern',
  states: { done: 'Übersetzt', missing: 'Fehlt', stale: 'Vorlage geändert', faulty: 'Fehlerhaft' },
  taken: (count) =>
    count === 1
      ? '1 Übersetzung wurde aus der Datei übernommen.'
      : `${count} Übersetzungen wurden aus der Datei übernommen.`,
  takeFile: 'Übersetzungen aus einer Datei übernehmen: CSV oder XLIFF',
  texts: (language) => `Texte und ihre Übersetzungen in ${language}`,
  tooLong: (max) => `Sie hat mehr als ${max} Zeichen.`,
  unreadable: 'Es gibt keine Texte zu übersetzen: Die Definition ist kein gültiges JSON oder sagt nichts.',
  view: 'Übersetzungen',
};
