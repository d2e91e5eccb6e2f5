/** How many lanes of a class one claim sees. */
export const lanesSeenMax = 64;
/** How many prompt ones it takes of while few are enough for all slots: of each a dozen deliveries and more. */
const lanesMin = 12;
/** All that are seen to be ready have their turn within so many claims. */
const claimsMax = 3;

/**
 * How many prompt lanes the next claim takes of, after one that took of `lanes` and saw so many that were ready. A lane that
 * is served costs as much as some deliveries, now and when their results come: so of few, one after the other, while they
 * have much due, and of more where they have little. Of as many as may be where there are more than a claim sees.
 */
export function nextLanes(
  lanes: number,
  { slots, taken, ready, isMore }: { slots: number; taken: number; ready: number; isMore: boolean },
): number {
  if (ready >= lanesSeenMax) return lanesSeenMax;
  const least = Math.max(lanesMin, Math.ceil(ready / claimsMax));
  if (taken >= slots) return Math.max(least, Math.floor(lanes / 2));
  return Math.max(least, isMore ? Math.min(lanesSeenMax, 2 * lanes) : lanes);
}
