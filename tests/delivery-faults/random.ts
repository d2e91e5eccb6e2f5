import { createHash } from 'node:crypto';

/** Numbers in [0, 1) that follow from the seed. */
export function createRandom(seed: number): () => number {
  let drawn = 0;
  return () => {
    drawn += 1;
    return share(`${seed} ${drawn}`);
  };
}

/** A number in [0, 1) that follows from the text. */
export function share(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** The same in another order. */
export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}
