import { changeOf, createConversation, pick, randomFrom } from './conversations.ts';
import type { Interactions } from './system.ts';

/** Creates 20 conversations in each round, changes up to 40, and deletes one of a hundred. */
export async function converse(interactions: Interactions, seed: number, rounds: number): Promise<void> {
  const random = randomFrom(seed);
  const { facts, change, remove } = interactions;
  for (let round = 0; round < rounds; round += 1) {
    await change(Array.from({ length: 20 }, () => createConversation(random)));
    const all = [...facts.values()];
    const chosen = new Set(Array.from({ length: 40 }, () => pick(random, all)));
    await change([...chosen].flatMap((one) => changeOf(one, random) ?? []));
    await remove([...facts.values()].filter(() => random() < 0.01));
  }
}
