import type { Connection } from './connection.ts';

export interface StreamState {
  /** The replicas that it has by its configuration. */
  replicas: number;
  /** The replicas that are up to date; 0 without a leader, as when a quorum is missing. */
  online: number;
  /** The server that leads it. Null: none, or the server is in no cluster. */
  leader: string | null;
}

/** How long a read of the state waits for the broker. */
const readMsMax = 1_000;

/** The part of the broker's answer about a stream. A server without a cluster has no `cluster`. */
interface Info {
  config: { num_replicas: number };
  cluster?: { leader?: string; replicas?: readonly { current: boolean; offline?: boolean }[] };
}

/** Asks the broker for the state of a stream. Undefined while it does not answer, or has no such stream. */
export async function readStreamState(
  connection: Pick<Connection, 'request' | 'isConnected'>,
  name: string,
): Promise<StreamState | undefined> {
  if (!connection.isConnected()) return undefined;
  try {
    const answer = await connection.request(`$JS.API.STREAM.INFO.${name}`, '', readMsMax);
    const info = JSON.parse(answer) as Partial<Info>;
    return info.config && streamStateOf({ ...info, config: info.config });
  } catch {
    return undefined;
  }
}

export function streamStateOf({ config, cluster }: Info): StreamState {
  // Such a server accepts any number, and has one.
  if (!cluster) return { replicas: 1, online: 1, leader: null };
  const replicas = config.num_replicas;
  if (!cluster.leader) return { replicas, online: 0, leader: null };
  const followers = cluster.replicas ?? [];
  const online = 1 + followers.filter(({ current, offline }) => current && !offline).length;
  return { replicas, online, leader: cluster.leader };
}
