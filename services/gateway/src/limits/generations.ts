/** The limit of clients in memory: some 20 MB of numbers. */
const holdersMaxDefault = 100_000;

/** What a limit knows of each client. */
export interface Generations<State> {
  get(client: string): State | undefined;
  set(client: string, state: State, at: number): void;
}

/**
 * Keeps a state per client for at least `keptMs` after it was set, and for at most three times as long. Beyond
 * `holdersMax` the least recent are evicted, so made-up clients cannot fill the memory.
 */
export function createGenerations<State>(
  keptMs: number,
  startedAt: number,
  holdersMax = holdersMaxDefault,
): Generations<State> {
  // Clients that were set since `recentSince`, and earlier. Eviction is O(1).
  // `lru-cache` would allocate the memory of `holdersMax` at once.
  let recent = new Map<string, State>();
  let earlier = new Map<string, State>();
  let recentSince = startedAt;

  const rotate = (at: number): void => {
    if (recent.size < holdersMax / 2 && at - recentSince < keptMs) return;
    earlier = at - recentSince < 2 * keptMs ? recent : new Map();
    recent = new Map();
    recentSince = at;
  };
  return {
    get: (client) => recent.get(client) ?? earlier.get(client),
    set: (client, state, at) => {
      rotate(at);
      recent.set(client, state);
    },
  };
}
