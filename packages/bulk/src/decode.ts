/** The character sets that `decodeText` tells apart. */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/**
 * Decodes a file whose character set is not known. A file that is neither UTF-16 with a byte order mark nor valid UTF-8
 * is read as Windows-1252, in which spreadsheets save in Western languages.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const [first, second] = bytes;
  const candidates: [label: string, encoding: Encoding][] = [['utf-8', 'UTF-8']];
  if (first === 0xff && second === 0xfe) candidates.push(['utf-16le', 'UTF-16']);
  if (first === 0xfe && second === 0xff) candidates.push(['utf-16be', 'UTF-16']);
  for (const [label, encoding] of candidates) {
    try {
      return { text: new TextDecoder(label, { fatal: true }).decode(bytes), encoding };
    } catch {
      // The next one.
    }
  }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' };
}
