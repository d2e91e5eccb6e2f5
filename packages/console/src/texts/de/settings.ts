import type { Texts } from '../texts.tsx';

export const settings: Texts['settings'] = {
  accentColor: 'Farbe der Schaltflächen',
  asCustomers: 'Wie Kunden es sehen',
  branding: 'Erscheinungsbild',
  brandingAbout:
    'Link-Seiten zeigen eine Änderung sofort, Widgets ab ihrer nächsten Sitzung. Text auf der Farbe ist schwarz oder weiß, je nachdem, was lesbar ist.',
  chooseColour: 'Farbe wählen',
  days: {
    completedDays: 'Tage, nach denen abgeschlossene gelöscht werden',
    endedDays: 'Tage, nach denen abgelaufene gelöscht werden',
    draftDays: 'Tage, nach denen Entwürfe und wartende gelöscht werden',
  },
  displayName: 'Name, den Kunden sehen',
  domains: 'Seiten, die Parley zeigen dürfen',
  domainsAbout:
    'Nur Seiten dieser Domains können das Widget haben und das Portal in einem Frame zeigen. Eine Änderung gilt nach spätestens zehn Sekunden.',
  domainsField: 'Domains, eine je Zeile; https://*.shop.example ist jeder Host unter shop.example',
  endLabel: 'Worte des Links nach dem Ende',
  endText: 'Text nach dem Ende',
  endUrl: 'Adresse des Links nach dem Ende',
  forEver: 'bleiben',
  logo: (kib) => `Logo: PNG, JPEG oder WebP, höchstens ${kib} KiB`,
  logoTooLarge: (kib) => `Die Datei hat mehr als ${kib} KiB.`,
  privacyText: 'Zeile zum Datenschutz vor dem Beginn',
  removeLogo: 'Logo entfernen',
  contactPolicy: 'Wie oft Kunden gefragt werden',
  contactPolicyAbout:
    'Gespräche über einer Grenze werden abgelehnt, einzeln, gesammelt und aus Dateien. Testläufe zählen nicht.',
  contactLimits: { anyBot: 'Von allen Bots zusammen', sameBot: 'Von jedem Bot' },
  contactParts: { count: 'Gespräche', days: 'In so vielen Tagen' },
  noLimit: 'Keine Grenze',
  retention: 'Wie lange Interaktionen bleiben',
  retentionAbout:
    'Die Tage zählen ab der letzten Änderung einer Interaktion. Ein leeres Feld behält sie für immer. Bevor sich etwas ändert, sehen Sie, wie viele gelöscht würden.',
  retentionTitle: 'Ändern, wie lange Interaktionen bleiben?',
  sampleName: 'Kurze Umfrage',
  sampleQuestion: 'Wie hat Ihnen Ihr Besuch gefallen?',
  saved: 'Die Einstellungen sind gespeichert',
  title: 'Einstellungen',
  unchanged: 'Nichts wurde geändert.',
  wouldDelete: (count) =>
    count === 0
      ? 'Jetzt wird nichts gelöscht. Interaktionen, deren Zeit später um ist, werden dann gelöscht.'
      : `${count === 1 ? '1 Interaktion wird' : `${count} Interaktionen werden`} bald gelöscht, und weitere, wenn ihre Zeit um ist. Das ist endgültig.`,
};
