import { hash } from 'node:crypto';

export type LogoType = 'png' | 'jpg' | 'webp';

/** The header of an image. Sides are in pixels. */
export interface LogoHeader {
  type: LogoType;
  width: number;
  height: number;
}

/** Reads the header of a PNG, JPEG or WebP image; undefined for anything else. */
export function readLogoHeader(bytes: Buffer): LogoHeader | undefined {
  try {
    const header = pngHeader(bytes) ?? jpegHeader(bytes) ?? webpHeader(bytes);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // The image ends inside its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the file name of a logo: half of its SHA-256, and its type. Other content has another name. */
export function logoName(bytes: Buffer): string {
  return `${hash('sha256', bytes, 'hex').slice(0, 32)}.${readLogoHeader(bytes)?.type}`;
}

// PNG, section 11.2.1: the chunk IHDR comes first.
function pngHeader(bytes: Buffer): LogoHeader | undefined {
  const start = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
  if (bytes.toString('latin1', 0, start.length) !== start) return undefined;
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

// ITU T.81, section B.2: segments up to the start of frame (SOF). A marker without a segment is not accepted, since
// decoders differ in what they skip after it.
function jpegHeader(bytes: Buffer): LogoHeader | undefined {
  if (bytes.toString('latin1', 0, 2) !== '\xff\xd8') return undefined;
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      // Any number of fill bytes may precede a marker.
      at += 1;
    } else if (/[\xc4\xcc\xdb-\xef\xfe]/.test(String.fromCharCode(marker))) {
      at += 2 + bytes.readUInt16BE(at + 2);
    } else {
      const isFrame = marker >= 0xc0 && marker <= 0xcf;
      return isFrame
        ? { type: 'jpg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
        : undefined;
    }
  }
  return undefined;
}

// RFC 9649, sections 2.5 to 2.7: the first chunk is one of three, each of which has the size of the canvas.
function webpHeader(bytes: Buffer): LogoHeader | undefined {
  const start = bytes.toString('latin1', 0, 16);
  if (!/^RIFF[^]{4}WEBPVP8[ LX]$/.test(start)) return undefined;
  const type = 'webp';
  if (start.endsWith(' ')) {
    return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  }
  if (start.endsWith('L')) {
    const sides = bytes.readUInt32LE(21);
    return { type, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  }
  return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
}
