import { validate as isUuid } from 'uuid';

/** The place behind a delivery in the list of deliveries. */
export function deliveryCursor(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The id of the delivery; undefined for what is no cursor of such a list. */
export function readDeliveryCursor(cursor: string): string | undefined {
  const hex = bytesOf(cursor, 16)?.toString('hex');
  const id = hex?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return isUuid(id) ? id : undefined;
}

/** The place behind an attempt in the list of a delivery's attempts. */
export function attemptCursor(number: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes.toString('base64url');
}

/** The number of the attempt; undefined for what is no cursor of such a list. */
export function readAttemptCursor(cursor: string): number | undefined {
  const number = bytesOf(cursor, 4)?.readInt32BE();
  return number !== undefined && number > 0 ? number : undefined;
}

/** What has another spelling than ours is none. */
function bytesOf(cursor: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === cursor ? bytes : undefined;
}
