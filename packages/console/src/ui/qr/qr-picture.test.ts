import { expect, test } from 'vitest';
import { readQr } from './qr-picture.ts';

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 49 49" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h49v49H0z"/>
<path d="M4 4h7v1h-7zM13 4h1v1h-1z"/>
</svg>`;

test('the dark parts of a QR code and its size are read', () => {
  expect(readQr(svg)).toEqual({ size: 49, dark: 'M4 4h7v1h-7zM13 4h1v1h-1z' });
});

test('anything else is no QR code', () => {
  expect(() => readQr('<html></html>')).toThrow('no QR code');
});
