import type { Texts } from '../texts.tsx';

export const invitations: Texts['invitations'] = {
  about:
    'Aus jeder Zeile der Datei wird eine Interaktion, die dem Kunden angeboten wird. Sie bekommen für jede einen Link, der das Gespräch öffnet.',
  column: 'Spalte',
  columns: 'Spalten der Datei, die erste ist nötig:',
  columnsAbout:
    'expiry sind Sekunden ab jetzt, etwa 86400 für einen Tag, oder Tage, etwa 30d. priority ist Low, Medium oder High. Spalten, die Sie nicht brauchen, können fehlen.',
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
    badExpiry: 'Sekunden ab jetzt in Ziffern, etwa 86400, oder Tage, etwa 30d. Höchstens zehn Jahre.',
    badId: 'Eine Id hat 1 bis 255 Zeichen, keine Steuerzeichen, und ist nicht . oder ..',
    badPriority: 'Low, Medium oder High.',
    cellCount: 'Die Zeile hat nicht so viele Zellen wie die Kopfzeile.',
    empty: 'Die Datei braucht eine Zeile mit den Namen der Spalten und eine Zeile je Kunde.',
    lostCharacter:
      'Beim Speichern der Datei ging ein Zeichen verloren (\uFFFD). Speichern Sie sie neu aus ihrer Quelle.',
    missingColumn: 'Diese Spalte fehlt.',
    repeatedColumn: 'Es gibt zwei Spalten dieses Namens.',
    strayQuote:
      'Ein Anführungszeichen steht an falscher Stelle. Setzen Sie die Zelle in Anführungszeichen, und verdoppeln Sie die darin.',
    tooLong: 'Das ist zu lang.',
    unclosedQuote: 'Ein Anführungszeichen in dieser Zeile ist nicht geschlossen.',
    unknownColumn: 'Diese Spalte nimmt der Bot nicht.',
  },
  noLinks: 'Es wurde keine Einladung erstellt.',
  onlyFirst: (count) => `Das sind die ersten ${count}.`,
  otherValue: (row) => `Zeile ${row} hat für diesen Kunden einen anderen Wert.`,
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
