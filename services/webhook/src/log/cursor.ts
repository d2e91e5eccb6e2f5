import { validate as isUuid } from 'uuid';
import type { AttemptPlace } from './log-store.ts';

/** A number of four bytes and a time of eight. */
const attemptBytes = 12;

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
export function attemptCursor({ number, startedAt }: AttemptPlace): string {
  const bytes = Buffer.alloc(attemptBytes);
  bytes.writeInt32BE(number);
  bytes.writeDoubleBE(Number(startedAt), 4);
  return bytes.toString('base64url');
}

/** The place of the attempt; undefined for what is no cursor of such a list. */
export function readAttemptCursor(cursor: string): AttemptPlace | undefined {
  const bytes = bytesOf(cursor, attemptBytes);
  if (!bytes) return undefined;
  const number = bytes.readInt32BE();
  const startedAt = new Date(bytes.readDoubleBE(4));
  // An invalid date is not a number.
  return number > 0 && Number(startedAt) >= 0 ? { number, startedAt } : undefined;
}

/** What has another spelling than ours is none. */
function bytesOf(cursor: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === cursor ? bytes : undefined;
}
