import type { Texts } from '../texts.tsx';

export const common: Texts['common'] = {
  add: 'Hinzufügen',
  any: 'Alle',
  asTable: 'Als Tabelle zeigen',
  automatic: 'automatisch',
  cancel: 'Abbrechen',
  chooseRow: 'Zeile auswählen; mit der Umschalttaste alle ab der letzten',
  close: 'Schließen',
  copied: 'Kopiert',
  copy: 'Kopieren',
  delete: 'Löschen',
  from: 'Von',
  fromTo: 'Von … bis …',
  help: 'Tastenkürzel',
  hidden: 'verborgen',
  hiddenWhy: 'Personenbezogen. Zum Ansehen fehlt das Recht personal-data:read.',
  joined: 'Mit dieser Anmeldung sind Sie beigetreten:',
  joinedHow: 'Dort, unter Mitglieder, können Sie einen Workspace verlassen.',
  language: 'Sprache',
  last7: 'Letzte 7 Tage',
  last30: 'Letzte 30 Tage',
  loading: 'Wird geladen',
  missingScope: (scope) => `Dazu fehlt das Recht ${scope}.`,
  more: 'Mehr zeigen',
  never: 'Nie',
  nextRow: 'Nächste oder vorige Zeile einer Liste',
  noWorkspace: 'Sie sind in keinem Workspace Mitglied',
  noWorkspaceHow: 'Bitten Sie jemanden, dem der Workspace gehört, um eine Einladung.',
  notFound: 'Diese Seite gibt es nicht',
  openRow: 'Zeile öffnen',
  pauseUpdates: 'Aktualisierung anhalten',
  resumeUpdates: 'Aktualisierung fortsetzen',
  save: 'Speichern',
  select: (name) => `${name} auswählen`,
  selectAll: 'Alle sichtbaren Zeilen auswählen',
  signOut: 'Abmelden',
  skip: 'Zum Inhalt springen',
  theme: 'Farben',
  themes: { system: 'wie das System', light: 'hell', dark: 'dunkel' },
  to: 'Bis',
  toStart: 'Zur Startseite',
  today: 'Heute',
  typeToConfirm: (text) => `Zur Bestätigung ${text} eingeben`,
  unknownWorkspace: 'Diesen Workspace gibt es nicht, oder Sie sind dort nicht Mitglied',
  widthHow: 'Ziehen, oder mit den Pfeiltasten. Die Eingabetaste oder ein Doppelklick macht sie automatisch.',
  widthOf: (column) => `Breite von ${column}`,
  working: 'Einen Moment…',
  workspace: 'Workspace',
};

export const navigation: Texts['navigation'] = {
  label: 'Bereiche',
  overview: 'Übersicht',
  interactions: 'Interaktionen',
  customers: 'Kunden',
  bots: 'Bots',
  webhooks: 'Webhooks',
  access: 'Zugang',
  settings: 'Einstellungen',
};

export const overview: Texts['overview'] = {
  bots: 'Bots',
  webhooks: 'Webhooks',
  week: 'Interaktionen der letzten 7 Tage',
};

export const search: Texts['search'] = {
  label: 'Kunden finden',
  nothing: 'Kein Kunde beginnt so.',
  placeholder: 'Kunden finden: Id, Name, E-Mail  ( / )',
};

export const problems: Texts['problems'] = {
  requestId: 'Id der Anfrage, für den Support:',
  retry: 'Noch einmal versuchen',
  unexpected: 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
  byType: {
    'invalid-credentials': 'Sie sind abgemeldet. Melden Sie sich wieder an.',
    'invalid-request': 'Das nimmt die API nicht an. Prüfen Sie die genannten Werte.',
    'missing-scope': 'Das dürfen Sie nicht. Die Zeile darunter nennt das fehlende Recht.',
    'no-answer': 'Der Server antwortet nicht. Prüfen Sie die Verbindung, und versuchen Sie es noch einmal.',
    'operator-only':
      'Das sehen nur Betreiber. Melden Sie sich mit einem Link von parley console link --operator an.',
    'not-found': 'Das gibt es nicht, oder es wurde gelöscht.',
    'rate-limited': 'Das waren zu viele Aufrufe auf einmal. Warten Sie einige Sekunden.',
    'precondition-failed': 'Jemand anders hat das inzwischen geändert. Laden Sie es neu.',
    'unexpected-bot-version':
      'Jemand anders hat inzwischen eine Version veröffentlicht. Sehen Sie sie zuerst an.',
    'webhook-inactive': 'Der Webhook ist aus. Schalten Sie ihn zuerst ein.',
    'no-insight': 'Diese Installation hat keinen Insight-Dienst, also keine Zahlen.',
    unavailable: 'Ein Teil des Dienstes ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    overloaded: 'Der Dienst ist gerade ausgelastet. Versuchen Sie es gleich noch einmal.',
    timeout: 'Die Antwort hat zu lange gedauert. Versuchen Sie es gleich noch einmal.',
    internal: 'Der Dienst hat einen Fehler. Geben Sie die Id darunter dem Support.',
  },
};
