import { expect, test } from 'vitest';
import { decodeText } from './decode.ts';

const utf16 = Buffer.from('\uFEFFJörg €', 'utf16le');

test.each([
  ['UTF-8', Buffer.from('Jörg €')],
  ['UTF-8', Buffer.from('\uFEFFJörg €')],
  ['UTF-16', utf16],
  ['UTF-16', Buffer.from(utf16).swap16()],
  ['Windows-1252', Buffer.from([0x4a, 0xf6, 0x72, 0x67, 0x20, 0x80])],
])('%s is recognised and decoded', (encoding, bytes) => {
  expect(decodeText(bytes)).toEqual({ text: 'Jörg €', encoding });
});

test('one byte that is not UTF-8 makes no character that stands for many', () => {
  const [one, other] = [0xf6, 0xfc].map((byte) => decodeText(Buffer.from([0x63, byte])).text);
  expect([one, other]).toEqual(['cö', 'cü']);
});
