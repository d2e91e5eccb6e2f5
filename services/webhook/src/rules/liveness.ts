/** A replica is dead when its heartbeats have not changed for this long, by the clock of whoever watches it. */
export const leaseMs = 5_000;

/** What a replica has observed of another one: the count of its heartbeats, and since when it has stood still. */
export interface Observed {
  heartbeats: number;
  sinceMs: number;
}

/** Returns what is known of each replica after another look at their heartbeats. Replicas that are gone are forgotten. */
export function observe(
  known: ReadonlyMap<string, Observed>,
  replicas: readonly { id: string; heartbeats: number }[],
  nowMs: number,
): Map<string, Observed> {
  return new Map(
    replicas.map(({ id, heartbeats }) => {
      const before = known.get(id);
      return [id, before?.heartbeats === heartbeats ? before : { heartbeats, sinceMs: nowMs }];
    }),
  );
}

export function isDead({ sinceMs }: Observed, nowMs: number): boolean {
  return nowMs - sinceMs > leaseMs;
}
