import { escapeAt, nextSign } from './escape.ts';

/** A text of bytes, and where in the text that it was made of they begin: one place a byte, and that of the end. */
export interface Layer {
  text: Uint8Array;
  starts: Int32Array;
}

/** A text that is nothing but itself. */
export function firstLayer(text: Uint8Array): Layer {
  const starts = new Int32Array(text.length + 1);
  for (let index = 0; index < starts.length; index += 1) starts[index] = index;
  return { text, starts };
}

/**
 * A text with each escape in it replaced by what it stands for, once; characters become UTF-8. Where `isCut`, an escape that
 * the text ends in the middle of is left out. Undefined when there is nothing to replace.
 */
export function unescaped({ text, starts }: Layer, isCut: boolean): Layer | undefined {
  let index = nextSign(text, 0);
  if (index === text.length) return undefined;
  // No escape is shorter than what it stands for.
  const to = Buffer.from(text);
  const toStarts = starts.slice();
  let size = index;
  let hasChanged = false;
  while (index < text.length) {
    const escape = escapeAt(text, index, isCut);
    const plainUntil = escape ? index : nextSign(text, index + 1);
    for (; index < plainUntil; index += 1) {
      to[size] = text[index] ?? 0;
      toStarts[size] = starts[index] ?? 0;
      size += 1;
    }
    if (!escape) continue;
    const { length, kind, value } = escape;
    const before = size;
    if (kind === 'character') size += to.write(String.fromCodePoint(value), size);
    if (kind === 'byte') to[size++] = value;
    toStarts.fill(starts[index] ?? 0, before, size);
    index += length;
    hasChanged = true;
  }
  toStarts[size] = starts[text.length] ?? 0;
  return hasChanged ? { text: to.subarray(0, size), starts: toStarts.subarray(0, size + 1) } : undefined;
}
