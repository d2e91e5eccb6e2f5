import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';
import type { FileAnswer } from './stream.ts';

export type QrFormat = 'svg' | 'png';

/** In modules, as ISO/IEC 18004 requires. */
const quietZone = 4;
/** A printer or screen enlarges without loss, but programs smooth what is small. */
const pngPixelsPerModule = 12;

/** Returns a QR code of a URL as a file. A quarter of its area may be covered or worn off. */
export function qrCode(url: string, format: QrFormat): FileAnswer {
  const options = { ecc: 'quartile', border: quietZone } as const;
  if (format === 'svg') {
    return { type: 'image/svg+xml', name: 'qr.svg', content: svg(encodeQR(url, 'raw', options)) };
  }
  const rows = encodeQR(url, 'raw', { ...options, scale: pngPixelsPerModule });
  return { type: 'image/png', name: 'qr.png', content: png(rows) };
}

/** Returns an SVG with a background of its own: a code is not readable on a dark page. */
function svg(rows: readonly (readonly boolean[])[]): string {
  const size = rows.length;
  const dark = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/>
<path d="${dark.join('')}"/>
</svg>
`;
}

/** Returns the beginnings and lengths of the dark parts of a row. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  for (const [x, isDark] of row.entries()) {
    if (!isDark) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  }
  return runs;
}

/** Returns a PNG (ISO/IEC 15948) in black and white. */
function png(rows: readonly (readonly boolean[])[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(rows[0]?.length ?? 0, 0);
  header.writeUInt32BE(rows.length, 4);
  // One bit a pixel, greyscale; no interlacing.
  header[8] = 1;
  const content = Buffer.concat(rows.map(lineOf));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(content)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

/** Returns a row of pixels behind the byte of its filter. A bit that is set is white. */
function lineOf(row: readonly boolean[]): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(row.length / 8));
  for (const [at, isDark] of row.entries()) {
    if (!isDark) line[1 + (at >> 3)] = (line[1 + (at >> 3)] ?? 0) | (0x80 >> (at & 7));
  }
  return line;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const bytes = Buffer.alloc(content.length + 12);
  bytes.writeUInt32BE(content.length, 0);
  named.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(named), bytes.length - 4);
  return bytes;
}
