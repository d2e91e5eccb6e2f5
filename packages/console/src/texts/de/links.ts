import type { Texts } from '../texts.tsx';

export const links: Texts['links'] = {
  copyUrl: 'Adresse kopieren',
  print: 'Drucken',
  qr: 'QR-Code',
  qrOf: (name) => `QR-Code: ${name}`,
};
