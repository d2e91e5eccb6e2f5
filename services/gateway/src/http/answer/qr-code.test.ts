import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { qrCode } from './qr-code.ts';

const url = `https://talk.shop.example/interactions/${'0123456789aZ'.repeat(4)}`;

/** Returns the pixels of a PNG that has one bit a pixel and no filters. */
function pixelsOf(png: Buffer): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const at = png.indexOf('IDAT');
  const lines = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const bytesOfLine = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = lines[y * bytesOfLine + 1 + (x >> 3)] ?? 0;
      data.fill(byte & (0x80 >> (x & 7)) ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 4);
    }
  }
  return { width, height, data };
}

test('a reader of QR codes reads the URL from the PNG', () => {
  const { type, content } = qrCode(url, 'png');
  expect(type).toBe('image/png');
  expect(decodeQR(pixelsOf(Buffer.from(content)))).toBe(url);
});

test('the SVG has the same code on a white ground, with a quiet zone of four modules, and no scripts', () => {
  const svg = String(qrCode(url, 'svg').content);
  expect(svg).not.toMatch(/script|href|style/i);
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    data.fill(0, (Number(y) * size + Number(x)) * 4, (Number(y) * size + Number(x) + Number(width)) * 4);
  }
  const scale = 4;
  const enlarged = new Uint8Array(data.length * scale * scale);
  for (let y = 0; y < size * scale; y += 1) {
    for (let x = 0; x < size * scale; x += 1) {
      const from = (Math.floor(y / scale) * size + Math.floor(x / scale)) * 4;
      enlarged.set(data.subarray(from, from + 4), (y * size * scale + x) * 4);
    }
  }
  expect(decodeQR({ width: size * scale, height: size * scale, data: enlarged })).toBe(url);
  expect(data.indexOf(0) / 4).toBe(4 * size + 4);
});
