import { isUtf8 } from 'node:buffer';

/** Returns a body as text without NUL, as JSON is (RFC 8259, 8.1). Any other would fail the reads of every lane. */
export function storedBody(body: Buffer): Buffer {
  const isText = isUtf8(body) && !body.includes(0);
  return isText ? body : Buffer.from(body.toString().replaceAll('\0', ''));
}
