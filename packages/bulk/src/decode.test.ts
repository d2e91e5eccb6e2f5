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
  expect(decodeText(bytes)).toEqual({ text: 'Jörg €', encoding, isDamaged: false });
});

test('one byte that is not UTF-8 makes no character that stands for many', () => {
  const [one, other] = [0xf6, 0xfc].map((byte) => decodeText(Buffer.from([0x63, byte])).text);
  expect([one, other]).toEqual(['cö', 'cü']);
});

test('letters of Windows-1252 that are UTF-8 by chance keep the file in Windows-1252', () => {
  const bytes = Buffer.from([0x84, 0x53, 0x70, 0x61, 0xdf, 0x93]);
  expect(decodeText(bytes)).toMatchObject({ text: '„Spaß“', encoding: 'Windows-1252' });
});

const jörg = Buffer.from('Jörg;');
const half = Buffer.from('ü').subarray(0, 1);

test.each([
  ['UTF-8 with a byte of another character set', 'UTF-8', Buffer.concat([jörg, Buffer.from([0xfc])])],
  ['UTF-8 that ends within a character', 'UTF-8', Buffer.concat([jörg, half])],
  ['UTF-8 with a mark', 'UTF-8', Buffer.from([0xef, 0xbb, 0xbf, 0x4a, 0xf6])],
  ['UTF-16 that ends within a character', 'UTF-16', utf16.subarray(0, 5)],
  ['UTF-16 with half of a pair', 'UTF-16', Buffer.from('\uFEFFJ\uD83D', 'utf16le')],
  ['the character set of DOS', 'Windows-1252', Buffer.from([0x4a, 0x81, 0x72, 0x67])],
])('%s is no other text: the lost characters are marked', (_what, encoding, bytes) => {
  const { text, ...what } = decodeText(bytes);
  expect(what).toEqual({ encoding, isDamaged: true });
  expect(text).toContain('\uFFFD');
});
