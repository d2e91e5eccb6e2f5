import type { NpsFigures } from '@parley/contracts/insight/v1/insight';

/** Returns the score, its margin and its groups for answers that were counted by their value. */
export function npsOf(counts: ReadonlyMap<string, number>): Omit<NpsFigures, 'distribution'> {
  const groups = { promoters: 0, passives: 0, detractors: 0 };
  for (const [value, n] of counts) groups[groupOf(Number(value))] += n;
  const { promoters, passives, detractors } = groups;
  const n = promoters + passives + detractors;
  if (n === 0) return groups;
  const difference = (promoters - detractors) / n;
  const variance = (promoters + detractors) / n - difference ** 2;
  // Rounding can make it negative when all answers are of one group.
  const margin = 196 * Math.sqrt(Math.max(0, variance) / n);
  return { ...groups, score: 100 * difference, margin };
}

function groupOf(value: number): 'promoters' | 'passives' | 'detractors' {
  if (value >= 9) return 'promoters';
  return value >= 7 ? 'passives' : 'detractors';
}
