/** The character sets that `decodeText` tells apart. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

interface Decoded {
  text: string;
  encoding: Encoding;
  /** Whether bytes were not of the character set. U+FFFD stands for each of them. */
  isDamaged: boolean;
}

/**
 * Decodes a file whose character set is not known. A file that is neither UTF-16 with a byte order mark nor UTF-8 is
 * read as Windows-1252, in which spreadsheets save in Western languages.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded('utf-16le', 'UTF-16', bytes);
  if (first === 0xfe && second === 0xff) return decoded('utf-16be', 'UTF-16', bytes);
  const asUtf8 = decoded('utf-8', 'UTF-8', bytes);
  if (!asUtf8.isDamaged || hasMark(bytes) || isMostlyUtf8(asUtf8)) return asUtf8;
  const text = new TextDecoder('windows-1252').decode(bytes);
  // This character set has none of these: the file is in an older one.
  const known = text.replaceAll(/[\x80-\x9f]/g, '\uFFFD');
  return { text: known, encoding: 'Windows-1252', isDamaged: known !== text };
}

/**
 * Returns whether most of the bytes beyond ASCII are of UTF-8, which they rarely are by chance: a sharp s before a
 * quotation mark of Windows-1252 is a letter of N'Ko.
 */
function isMostlyUtf8({ text }: Decoded): boolean {
  const valid = text.match(/[^\0-\x7f\u07c0-\u07ff\uFFFD]/g)?.length ?? 0;
  return valid > 0 && valid >= text.split('\uFFFD').length - 1;
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function decoded(label: string, encoding: Encoding, bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder(label, { fatal: true }).decode(bytes), encoding, isDamaged: false };
  } catch {
    return { text: new TextDecoder(label).decode(bytes), encoding, isDamaged: true };
  }
}
