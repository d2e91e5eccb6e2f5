import type { Texts } from '../texts.tsx';

export const portal: Texts['portal'] = {
  allWebhooks: 'Alle Webhooks, auch spätere',
  create: 'Link erstellen',
  createAbout:
    'Wer den Link öffnet, sieht die Webhook-Seiten ohne Konto, einmal und in einem Browser: Zustellungen, Versuche, Geheimnisse und Einstellungen. Senden Sie ihn nur an die Leute, die den Empfänger betreiben.',
  goOn: 'Mit dem neuen Link fortfahren',
  hours: 'Stunden bis zum Ende',
  link: 'Link',
  links: 'Links für Empfänger',
  name: 'Für wen',
  noLinks: 'Es gibt keinen Link.',
  once: 'Kopieren Sie ihn jetzt: Er wird nur einmal gezeigt.',
  opened: 'geöffnet',
  revoke: 'Widerrufen',
  revokeAbout: 'Der Link und die Seiten, die er geöffnet hat, funktionieren sofort nicht mehr.',
  revoked: 'widerrufen',
  share: 'Mit dem Empfänger teilen',
  unopened: 'noch nicht geöffnet',
  untilEnd: 'Endet',
  otherLink: 'In diesem Browser wurde ein anderer Link geöffnet',
  otherLinkHow: 'Was Sie ab jetzt auf dieser Seite tun, geschieht mit dem neuen Link.',
  incomplete: 'Dieser Link ist unvollständig',
  incompleteHow: 'Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn ganz.',
  over: 'Dieser Link gilt nicht mehr',
  overHow: 'Bitten Sie die Absender um einen neuen.',
  overWhy:
    'Ein Link öffnet diese Seite einmal, in einem Browser und für begrenzte Zeit. Er kann auch widerrufen werden.',
};
