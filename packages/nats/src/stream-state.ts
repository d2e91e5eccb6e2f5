/** What is true of a stream now. */
export interface StreamState {
  /** The replicas that it has by its configuration. */
  replicas: number;
  /** The replicas that are up to date; 0 without a leader, as when a quorum is missing. */
  online: number;
}

/** The part of the broker's answer about a stream. A server without a cluster has no `cluster`. */
interface Info {
  config: { num_replicas: number };
  cluster?: { leader?: string; replicas?: readonly { current: boolean; offline?: boolean }[] };
}

/** Reads the state from the broker's answer about a stream. */
export function streamStateOf({ config, cluster }: Info): StreamState {
  // Such a server accepts any number, and has one.
  if (!cluster) return { replicas: 1, online: 1 };
  const replicas = config.num_replicas;
  if (!cluster.leader) return { replicas, online: 0 };
  const followers = cluster.replicas ?? [];
  return { replicas, online: 1 + followers.filter(({ current, offline }) => current && !offline).length };
}
