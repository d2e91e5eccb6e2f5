import { createHash } from 'node:crypto';
import type { NewInteraction } from '@parley/client';
import { bulkLimits } from '@parley/contracts/limits';
import { depthMax } from '@parley/runtime/json/json';
import { countJson } from '@parley/runtime/json/json-scan';

const { itemsMax, bodyBytesMax, bodyValuesMax } = bulkLimits;

/** A checked line of the file. */
export interface CheckedLine {
  /** From 1. */
  number: number;
  item: NewInteraction;
}

/** The lines of one bulk call. */
export interface Chunk {
  lines: CheckedLine[];
  /** The same for the same lines of the file with the same options. */
  idempotencyKey: string;
}

/** The object around the items. */
const frame = { bytes: '{"interactions":[]}'.length, values: 2 };

/**
 * Splits lines into as few calls as their limits allow. The idempotency key of a call derives from its body and the
 * places of its lines: a second run of the file repeats each call with its key, so it creates nothing twice.
 */
export function chunksOf(lines: readonly CheckedLine[]): Chunk[] {
  const chunks: CheckedLine[][] = [];
  let [bytesLeft, valuesLeft] = [0, 0];
  for (const line of lines) {
    const text = JSON.stringify(line.item);
    const bytes = Buffer.byteLength(text) + 1;
    const { values } = countJson(text, { values: bodyValuesMax, depth: depthMax });
    const last = chunks.at(-1);
    if (last && last.length < itemsMax && bytes <= bytesLeft && values <= valuesLeft) last.push(line);
    else {
      chunks.push([line]);
      [bytesLeft, valuesLeft] = [bodyBytesMax - frame.bytes, bodyValuesMax - frame.values];
    }
    bytesLeft -= bytes;
    valuesLeft -= values;
  }
  return chunks.map((chunk) => ({ lines: chunk, idempotencyKey: keyOf(chunk) }));
}

function keyOf(chunk: readonly CheckedLine[]): string {
  const content = JSON.stringify(chunk.map(({ number, item }) => [number, item]));
  return `parley-cli-${createHash('sha256').update(content).digest('hex')}`;
}
