import type { Texts } from '../texts.tsx';

export const invitations: Texts['invitations'] = {
  about:
    'Aus jeder Zeile der Datei wird eine Interaktion, die dem Kunden angeboten wird. Sie bekommen für jede einen Link, der das Gespräch öffnet.',
  column: 'Spalte',
  columns: 'Spalten der Datei, die erste ist nötig:',
  columnsAbout:
    'expiry sind Sekunden ab jetzt, etwa 86400 für einen Tag. priority ist Low, Medium oder High. Spalten, die Sie nicht brauchen, können fehlen.',
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
    badExpiry: 'Sekunden ab jetzt, höchstens zehn Jahre, etwa 86400 für einen Tag.',
    badId: 'Eine Id hat 1 bis 255 Zeichen, keine Steuerzeichen, und ist nicht . oder ..',
    badPriority: 'Low, Medium oder High.',
    cellCount: 'Die Zeile hat nicht so viele Zellen wie die Kopfzeile.',
    empty: 'Die Datei braucht eine Zeile mit den Namen der Spalten und eine Zeile je Kunde.',
    missingColumn: 'Diese Spalte fehlt.',
    repeatedColumn: 'Es gibt zwei Spalten dieses Namens.',
    tooLong: 'Das ist zu lang.',
    unknownColumn: 'Diese Spalte nimmt der Bot nicht.',
  },
  line: 'Zeile',
  noLinks: 'Es wurde keine Einladung erstellt.',
  onlyFirst: (count) => `Das sind die ersten ${count}.`,
  progress: 'Fortschritt',
  ready: (count) =>
    count === 1
      ? 'Die Datei hat 1 Kunden und keine Fehler.'
      : `Die Datei hat ${count} Kunden und keine Fehler.`,
  rejected: (count) => (count === 1 ? '1 Zeile wurde abgelehnt' : `${count} Zeilen wurden abgelehnt`),
  saveLinks: 'Links als CSV speichern',
  saveTemplate: 'Leere Datei speichern',
  title: 'Einladungen aus einer CSV-Datei',
  toList: 'Wartende Interaktionen zeigen',
};
