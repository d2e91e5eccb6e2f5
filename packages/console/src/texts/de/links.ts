import type { Texts } from '../texts.tsx';

export const links: Texts['links'] = {
  close: 'Schließen',
  closed: 'geschlossen',
  context: (keys) => `Übernimmt aus der Adresse: ${keys}`,
  contextKeys: 'Parameter der Adresse, die zu Kontext werden',
  copyUrl: 'Adresse kopieren',
  create: 'Neuer offener Link',
  createAbout:
    'Wer die Adresse hat, kann ohne Konto ein Gespräch mit dem Bot führen. Drucken Sie sie als QR-Code, oder setzen Sie sie auf eine Seite.',
  deleteAbout:
    'Seine Seite sagt dann, dass der Link geschlossen ist. Gespräche, die er begonnen hat, bleiben und gehen weiter.',
  deleteTitle: (name) => `Den Link „${name}“ löschen?`,
  copyFormatted: 'Für eine E-Mail kopieren',
  copyHtml: 'HTML kopieren',
  email: 'E-Mail-Block',
  emailAbout:
    'Die erste Frage mit einem Link je Antwort. Fügen Sie sie in eine E-Mail an diesen Kunden ein. Das Öffnen eines Links sendet nichts: Dafür hat seine Seite einen Knopf.',
  emailText: 'Der Block als Text',
  emailLook: 'Farben',
  emailLooks: { light: 'Hell', dark: 'Dunkel', text: 'Ohne Gestaltung' },
  emailLooksAbout: {
    light: 'In einer E-Mail ist jede Antwort ein Link.',
    dark: 'Programme mit dunkler Ansicht kehren die Farben um, wie hier, oder lassen den Block hell.',
    text: 'Das zeigen Programme ohne Gestaltung und solche für reinen Text.',
  },
  emailPreview: 'Der Block, wie er aussieht',
  expires: 'Läuft ab',
  isTest: 'Für Tests',
  isTestAbout: 'Seine Gespräche sind Tests, die keine Zahl mitzählt.',
  lastDay: 'Letzter Tag (optional)',
  most: 'Höchstens so viele Antworten (optional)',
  name: 'Wofür er ist',
  none: 'Es gibt noch keine offenen Links',
  noneHow:
    'Wer die Adresse hat, kann ein Gespräch mit diesem Bot führen: von einem QR-Code, einer Seite oder einem Beitrag aus.',
  print: 'Drucken',
  qr: 'QR-Code',
  qrOf: (name) => `QR-Code: ${name}`,
  reopen: 'Wieder öffnen',
  responses: (count) => (count === 1 ? '1 Antwort' : `${count} Antworten`),
  responsesOf: (count, most) => `${count} von ${most} Antworten`,
  title: 'Offene Links',
};
