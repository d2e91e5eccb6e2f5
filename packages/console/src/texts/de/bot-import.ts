import type { Texts } from '../texts.tsx';

export const botImport: Texts['botImport'] = {
  about:
    'Aus einem Bot von Typebot, einem Formular von Typeform oder einer Umfrage von Formbricks wird ein Entwurf. Sie sehen zuerst, was daraus wird. Kunden sehen nichts, bis Sie ihn veröffentlichen.',
  botTooLarge: 'Der Bot würde zu groß.',
  counts: (of) =>
    `${of.steps} Schritte. Von der Datei sind ${of.converted} Teile übernommen, ${of.changed} geändert und ${of.dropped} weggelassen.`,
  create: 'Entwurf erstellen',
  damaged: 'Die Datei hat Zeichen eines anderen Zeichensatzes. Speichern Sie sie in UTF-8.',
  drop: 'Oder hier ablegen.',
  faults: (count) => `Der Entwurf hat ${count} Fehler. Der Editor zeigt sie.`,
  file: 'Exportierte JSON-Datei',
  fileTooLarge: (mebibytes) => `Die Datei hat mehr als ${mebibytes} MiB.`,
  fromFile: 'Datei importieren…',
  key: 'Schlüssel, für Programme',
  made: 'Den Bot gibt es schon, aber ohne seine Schritte. Drücken Sie noch einmal, um sie zu speichern.',
  name: 'Name, für Kunden',
  notJson: (line) => `Die Datei ist kein JSON. Der erste Fehler ist in Zeile ${line}.`,
  nothingLost: 'Alles ist im Bot, wie es war.',
  outcomes: { converted: 'Übernommen', changed: 'Geändert', dropped: 'Weggelassen', ignored: 'Nicht nötig' },
  places: (count) => `${count} Stellen`,
  report: 'Was aus der Datei wurde',
  title: 'Bot importieren',
  unknownFormat: 'Die Datei ist kein Export von Typebot, Typeform oder Formbricks.',
};
