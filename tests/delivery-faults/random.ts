import { createHash } from 'node:crypto';

/** Returns numbers in [0, 1) derived from the seed. */
export function createRandom(seed: number): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return share(`${seed} ${drawn}`);
  };
}

/** Returns a number in [0, 1) derived from the text. */
export function share(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE() / 2 ** 32;
}

export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
