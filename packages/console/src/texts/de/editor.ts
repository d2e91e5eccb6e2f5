import type { Texts } from '../texts.tsx';

export const editor: Texts['editor'] = {
  anotherEnd: 'anderes Ende',
  anotherWay: 'andere Fragen',
  changed: 'geändert',
  closed: 'wegen der Größe beendet',
  compareWith: (version) => `Mit Version ${version} vergleichen`,
  conversation: (id) => `Gespräch ${id}`,
  differences: 'Gespräche, die anders verlaufen',
  differing: (count) => (count === 1 ? '1 verläuft anders' : `${count} verlaufen anders`),
  edit: 'Bearbeiten',
  evaluation: (key) => `${key} hat einen anderen Wert`,
  faultList: 'Fehler',
  faults: (count) => (count === 0 ? 'keine Fehler' : `${count} Fehler`),
  hasFaults: 'Die Definition hat Fehler. Beheben Sie diese zuerst.',
  incomplete: (count) => `${count} sind nicht vollständig aufgezeichnet.`,
  label: 'Definition des Bots als JSON',
  leave: 'Ohne Veröffentlichen verlassen? Ihre Änderungen gehen verloren.',
  hidePreview: 'Vorschau ausblenden',
  note: 'Notiz: Warum die Änderung?',
  onlyFirst: (count) => `Das sind die neuesten ${count}.`,
  onlyTry: 'Sie können hier Änderungen ausprobieren. Zum Veröffentlichen fehlt das Recht bots:write.',
  outdated: 'Die Definition wurde seitdem geändert.',
  overtaken: (version) =>
    `Version ${version} ist jetzt live. Ihr Text bleibt erhalten. Sehen Sie den Unterschied an, dann veröffentlichen Sie.`,
  preview: 'Vorschau',
  previewAbout:
    'So sehen es Ihre Kunden, mit der Definition im Editor. Sie läuft in dieser Seite: Nichts wird gespeichert oder gezählt. Bei einer Änderung bleiben die Antworten, die noch passen.',
  previewContext: 'Kontext des Gesprächs',
  previewFailed: 'Die Vorschau konnte nicht geladen werden.',
  previewFaulty: 'Sie erscheint, sobald die Definition keine Fehler hat.',
  previewFrame: 'Vorschau des Gesprächs',
  previewNotes: 'Schritte für ein Modell schlagen hier fehl',
  proof: 'Beweis',
  proofAbout:
    'Die letzten 500 abgeschlossenen Gespräche laufen noch einmal mit der Definition im Editor: dieselben Antworten auf dieselben Fragen. Nichts wird geändert.',
  proofFirst: 'Lassen Sie zuerst die abgeschlossenen Gespräche noch einmal laufen.',
  prove: 'Gespräche noch einmal laufen lassen',
  proving: 'Die Gespräche laufen noch einmal',
  publish: 'Veröffentlichen',
  publishAbout: (base) =>
    `Neue Gespräche beginnen damit, laufende behalten ihre Version. Sie folgt auf Version ${base}. Veröffentlicht vorher jemand anders, geschieht nichts.`,
  publishTitle: 'Veröffentlichen',
  published: (version) => `Version ${version} ist live`,
  replayed: (count) =>
    count === 1
      ? '1 abgeschlossenes Gespräch lief noch einmal.'
      : `${count} abgeschlossene Gespräche liefen noch einmal.`,
  restart: 'Neu beginnen',
  severities: { error: 'Fehler', warning: 'Warnung' },
  showPreview: 'Vorschau zeigen',
  showDifference: (base) => `Unterschied zu Version ${base} zeigen`,
  stopped: {
    'no-answer': 'hält an: keine Antwort auf diese Frage',
    refused: 'hält an: Die Antwort wird abgelehnt',
  },
  state: 'Zustand',
  states: { status: 'Status', step: 'Aktueller Schritt', answers: 'Antworten', evaluation: 'Auswertung' },
  title: (version) => `Definition, aus Version ${version}`,
  toPublish: 'Prüfen und veröffentlichen…',
  unchanged: 'Die Definition ist dieselbe wie die der Live-Version.',
};
