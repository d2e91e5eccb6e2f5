/** A replica is dead if its heartbeats have not changed for this time, by the clock of the replica that observes it. */
export const leaseMs = 5_000;

/** The last observed count of a replica's heartbeats, and since when it has not changed. */
export interface Observed {
  heartbeats: number;
  sinceMs: number;
}

/** Omits replicas that no longer exist. */
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
