import { isUtf8 } from 'node:buffer';

/**
 * A body such that claims can read it as text, which all JSON is (RFC 8259, 8.1): one that is not would hold up the deliveries
 * of everybody.
 */
export function storedBody(body: Buffer): Buffer {
  const isText = isUtf8(body) && !body.includes(0);
  return isText ? body : Buffer.from(body.toString().replaceAll('\0', ''));
}
