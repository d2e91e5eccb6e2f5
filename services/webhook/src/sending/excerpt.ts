import { createTextSearch } from './text-search.ts';
import { firstLayer, type Layer, unescaped } from './unescape.ts';

/** How much of an answer is kept. */
export const excerptBytesMax = 16 * 1024;
const removed = Buffer.from('[removed]');
/** What is shorter would be found in all kinds of words: characters of a secret, bytes of the beginning of one. */
const secretLengthMin = 6;
/** Enough for what was percent-encoded twice, and that in JSON in JSON. */
const roundsMax = 3;

/**
 * An excerpt of an answer without what was secret in the request: receivers echo what they were sent, and whoever reads
 * the log need not know how they are reached. A secret is found as it is, and where it appears when the escapes of the excerpt
 * are replaced (`unescaped`), and those that appear then, three times in all. Escapes of all kinds are replaced together: of a
 * secret with a backslash before what another kind escapes, written in two kinds one after the other, not every way is known.
 * Where `isCut`, the answer did not come whole, and the beginning of a secret is taken out from its end as well. The work is
 * proportional to the bytes of both, whatever they are.
 */
export function withoutSecrets(excerpt: Buffer, secrets: readonly string[], isCut: boolean): Buffer {
  const sought = secrets.filter((secret) => secret.length >= secretLengthMin);
  const lengthMin = isCut ? secretLengthMin : Math.min(...sought.map(({ length }) => length));
  // Most answers are an "ok".
  if (sought.length === 0 || excerpt.length < lengthMin) return excerpt;
  const search = createTextSearch(sought.flatMap(formsOf));
  /** How many secret stretches begin at a place of the excerpt, less those that end there. */
  const changes = new Int32Array(excerpt.length + 1);
  let layer: Layer | undefined = firstLayer(excerpt);
  for (let round = 0; layer; round += 1) {
    const { text, starts } = layer;
    const hide = (start: number, end: number): void => {
      add(changes, starts[start] ?? 0, 1);
      add(changes, starts[end] ?? 0, -1);
    };
    const begun = search.read(text, hide);
    if (isCut && begun >= secretLengthMin) hide(text.length - begun, text.length);
    layer = round < roundsMax ? unescaped(layer, isCut) : undefined;
  }
  return withoutStretches(excerpt, changes);
}

/**
 * How a secret may appear: as it is, and, where it has what looks like an escape, with that replaced, since it is replaced
 * together with those around it.
 */
function formsOf(secret: string): Uint8Array[] {
  const bytes = Buffer.from(secret);
  const other = unescaped(firstLayer(bytes), false)?.text;
  return other && other.length >= secretLengthMin ? [bytes, other] : [bytes];
}

function add(numbers: Int32Array, index: number, change: number): void {
  numbers[index] = (numbers[index] ?? 0) + change;
}

function withoutStretches(excerpt: Buffer, changes: Int32Array): Buffer {
  const kept: Uint8Array[] = [];
  let depth = 0;
  let from = 0;
  for (let place = 0; place < changes.length; place += 1) {
    const wasHidden = depth > 0;
    depth += changes[place] ?? 0;
    if (wasHidden === depth > 0) continue;
    if (wasHidden) from = place;
    else kept.push(excerpt.subarray(from, place), removed);
  }
  return kept.length === 0 ? excerpt : Buffer.concat([...kept, excerpt.subarray(from)]);
}
