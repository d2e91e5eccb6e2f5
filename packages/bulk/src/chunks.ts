import { bulkLimits } from '@parley/contracts/limits';
import { countJson } from '@parley/runtime/json/json-scan';
import { bytesOf } from './fields.ts';
import type { Line } from './lines.ts';

const { bodyBytesMax, bodyValuesMax } = bulkLimits;

/** The object around the items. */
const frame = { bytes: '{"interactions":[]}'.length, values: 2 };

/** Splits lines into as few calls as the limits of a bulk call allow, each of at most `itemsMax` lines. */
export function chunksOf<One extends Line>(
  lines: readonly One[],
  itemsMax: number = bulkLimits.itemsMax,
): One[][] {
  const chunks: One[][] = [];
  let [bytesLeft, valuesLeft] = [0, 0];
  for (const line of lines) {
    const text = JSON.stringify(line.item);
    const bytes = bytesOf(text) + 1;
    const { values } = countJson(text, { values: bodyValuesMax, depth: Infinity });
    const last = chunks.at(-1);
    if (last && last.length < itemsMax && bytes <= bytesLeft && values <= valuesLeft) last.push(line);
    else {
      chunks.push([line]);
      [bytesLeft, valuesLeft] = [bodyBytesMax - frame.bytes, bodyValuesMax - frame.values];
    }
    bytesLeft -= bytes;
    valuesLeft -= values;
  }
  return chunks;
}
