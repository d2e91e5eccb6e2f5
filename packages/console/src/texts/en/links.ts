export const links = {
  copyUrl: 'Copy the address',
  print: 'Print',
  qr: 'QR code',
  qrOf: (name: string) => `QR code: ${name}`,
};
