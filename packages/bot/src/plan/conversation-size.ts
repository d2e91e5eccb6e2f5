import type { ConversationState } from './conversation.ts';

const entriesMax = 500;
/** The largest conversation. Each turn reads and writes all of it. */
export const conversationBytesMax = 256 * 1024;
/** The largest size of an entry of 4,000 characters of any kind that is also stored as an answer. */
export const entryBytesMax = 24 * 1024;

type Size = Pick<ConversationState, 'seq' | 'bytes'>;

/**
 * Returns whether `entries` more entries of any length and values of `valueBytes` bytes fit into the
 * conversation.
 */
export function hasRoomFor({ seq, bytes }: Size, entries: number, valueBytes = 0): boolean {
  return seq + entries <= entriesMax && bytes + valueBytes + entries * entryBytesMax <= conversationBytesMax;
}

/** Returns the bytes of a value as JSON; 0 for undefined. */
export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : new TextEncoder().encode(JSON.stringify(value)).length;
}
