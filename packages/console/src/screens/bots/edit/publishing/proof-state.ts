import type { Replays, Scope } from '@parley/client';

const needed = ['interactions:read', 'personal-data:read'] as const satisfies Scope[];

/** Returns the scope that the person lacks for a proof: it shows what customers have said. */
export function missingForProof(can: (scope: Scope) => boolean): Scope | undefined {
  return needed.find((scope) => !can(scope));
}

/** Whether the groups are only the most frequent ones of those that differ. */
export function hasMoreGroups({ differing, groups }: Pick<Replays, 'differing' | 'groups'>): boolean {
  return differing > groups.reduce((sum, { count }) => sum + count, 0);
}
