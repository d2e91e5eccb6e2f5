import { deploymentOf } from '@parley/contracts/deployment';
import { stateMetrics } from '@parley/contracts/deployment-limits';
import type { Deployment } from '@parley/contracts/deployment-resource';
import type { StreamState } from '@parley/nats/stream-state';
import { ownState } from '@parley/rpc/own-state';
import type { Peers } from './peers.ts';

/** How long an answer is used again: any number of operators may look. */
const keptMs = 1_000;

interface Sources extends Pick<Peers, 'replicaStates'> {
  streamState(): Promise<StreamState | undefined>;
  now(): number;
}

/** Returns a function that asks all replicas for the state of the deployment, at most once a second. */
export function createDeploymentState(sources: Sources): () => Promise<Deployment> {
  let latest: { atMs: number; state: Promise<Deployment> } | undefined;
  return () => {
    const atMs = sources.now();
    if (!latest || atMs - latest.atMs > keptMs) latest = { atMs, state: readState(sources) };
    return latest.state;
  };
}

async function readState({ replicaStates, streamState }: Sources): Promise<Deployment> {
  const [answers, state, stream] = await Promise.all([
    replicaStates(stateMetrics),
    ownState(stateMetrics),
    streamState(),
  ]);
  // Gateways do not know each other, and the process does not know its address.
  const own = { address: state.host, state, isAnswering: true, unreachableSince: undefined };
  const all = new Map([['gateway', [own]], ...answers]);
  return deploymentOf(all, { now: new Date(), leader: stream?.leader ?? null });
}
