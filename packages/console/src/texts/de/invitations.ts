import type { Texts } from '../texts.tsx';

export const invitations: Texts['invitations'] = {
  about:
    'Aus jeder Zeile der Datei wird eine Interaktion, die dem Kunden angeboten wird. Sie bekommen für jede einen Link, der das Gespräch öffnet.',
  column: 'Spalte',
  columns: 'Spalten der Datei, die erste ist nötig:',
  columnsAbout:
    'expiry sind Sekunden ab jetzt, etwa 86400 für einen Tag, oder Tage, etwa 30d. availableFrom ist ein Zeitpunkt wie 2026-12-01T08:00:00Z. priority ist Low, Medium oder High. status ist Pending, wenn die Datei nichts anderes sagt. botKey oder botId nennt einen anderen Bot für eine Zeile. Spalten, die Sie nicht brauchen, können fehlen.',
  create: (count) => (count === 1 ? '1 Einladung erstellen' : `${count} Einladungen erstellen`),
  created: (count) => (count === 1 ? '1 Einladung ist erstellt.' : `${count} Einladungen sind erstellt.`),
  doneOf: (done, all) => `${done} von ${all}`,
  fault: 'Was nicht stimmt',
  faults: (count) => `${count} Fehler in der Datei`,
  faultsAbout: 'Es wurde nichts erstellt. Berichtigen Sie die Datei, dann wählen Sie sie noch einmal.',
  file: 'CSV-Datei: mit Kommas, Semikolons oder Tabulatoren',
  fileTitle: 'Datei',
  formulas:
    'In der Datei beginnt ein Wert, den eine Tabellenkalkulation für eine Formel hielte, mit einem Apostroph.',
  fromCsv: 'Aus CSV…',
  goOn: 'Fortsetzen',
  invite: 'Einladungen',
  kinds: {
    badEmail: 'Das ist keine E-Mail-Adresse.',
    badInstant: 'Ein Zeitpunkt mit seiner Zone, etwa 2026-12-01T08:00:00Z.',
    badExpiry: 'Sekunden ab jetzt in Ziffern, etwa 86400, oder Tage, etwa 30d.',
    badId: 'Eine Id hat 1 bis 255 Zeichen, keine Steuerzeichen, und ist nicht . oder ..',
    badKey: 'Das ist kein Schlüssel eines Bots, etwa nps-follow-up.',
    cellCount: (cells, columns) => `Die Zeile hat ${cells} Zellen, und die Kopfzeile hat ${columns}.`,
    contextTooLong: (kibibytes) => `Höchstens ${kibibytes} KiB im Ganzen.`,
    empty: 'Die Datei ist leer.',
    invalid: (detail) => `Nicht gültig: ${detail}`,
    longExpiry: 'Höchstens zehn Jahre, in Sekunden ab jetzt.',
    lostCharacter:
      'Beim Speichern der Datei ging ein Zeichen verloren (\uFFFD). Speichern Sie sie neu aus ihrer Quelle.',
    lostDigits:
      'Eine Tabelle hat die letzten Ziffern dieser Zahl verloren. Machen Sie die Spalte zu Text, und speichern Sie neu.',
    malformed: 'Kein gültiges Unicode, oder mit U+0000.',
    missingColumn: 'Diese Spalte fehlt.',
    noContext: 'Dieser Bot nimmt keinen Kontext.',
    noName: 'Die Spalte hat keinen Namen.',
    noRows: 'Die Datei hat keine Zeile unter der Kopfzeile.',
    notOneBot: 'Nötig ist entweder botKey oder botId.',
    notOneOf: (known) => `Möglich ist: ${known}.`,
    otherValue: (row) => `Zeile ${row} hat für diesen Kunden einen anderen Wert.`,
    repeatedColumn: 'Es gibt zwei Spalten dieses Namens.',
    required: 'Hier muss etwas stehen.',
    strayQuote:
      'Ein Anführungszeichen steht an falscher Stelle. Setzen Sie die Zelle in Anführungszeichen, und verdoppeln Sie die darin.',
    tooLong: (characters) => `Höchstens ${characters} Zeichen.`,
    unclosedQuote: 'Ein Anführungszeichen in dieser Zeile ist nicht geschlossen.',
    unknownBot: 'Diesen Bot gibt es nicht.',
    unknownColumn: (known) => `Diese Spalte ist nicht bekannt; bekannt: ${known}`,
    valueTooLong: (kibibytes) => `Höchstens ${kibibytes} KiB in UTF-8.`,
  },
  noLinks: 'Es wurde keine Einladung erstellt.',
  onlyFirst: (count) => `Das sind die ersten ${count}.`,
  progress: 'Fortschritt',
  readAs: (encoding) =>
    encoding === 'Windows-1252'
      ? 'Die Datei ist nicht UTF-8 und wurde als Windows-1252 gelesen. Prüfen Sie Umlaute und Akzente.'
      : `Die Datei wurde als ${encoding} gelesen.`,
  ready: (count) =>
    count === 1
      ? 'Die Datei hat 1 Kunden und keine Fehler.'
      : `Die Datei hat ${count} Kunden und keine Fehler.`,
  rejected: (count) => (count === 1 ? '1 Zeile wurde abgelehnt' : `${count} Zeilen wurden abgelehnt`),
  row: 'Zeile',
  saveLinks: 'Links als CSV speichern',
  saveTemplate: 'Leere Datei speichern',
  title: 'Einladungen aus einer CSV-Datei',
  toList: 'Wartende Interaktionen zeigen',
};
