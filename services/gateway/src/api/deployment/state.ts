import { deploymentOf } from '@parley/contracts/deployment';
import { stateMetrics } from '@parley/contracts/deployment-limits';
import type { Deployment } from '@parley/contracts/deployment-resource';
import type { StreamState } from '@parley/nats/stream-state';
import { ownState } from '@parley/rpc/own-state';
import type { Peers } from '../../peers.ts';
import { canServe, neededForAny } from './health-routes.ts';

/** How long an answer is used again: any number of operators may look. */
const keptMs = 1_000;

interface Sources extends Pick<Peers, 'replicaStates' | 'unready'> {
  streamState(): Promise<StreamState | undefined>;
  now(): number;
}

/**
 * Returns a function that asks all replicas for the state of the deployment, at most once a second. It never asks twice
 * at a time: a silent replica delays the answer.
 */
export function createDeploymentState(sources: Sources): () => Promise<Deployment> {
  let latest: { atMs: number; state: Promise<Deployment>; isReading: boolean } | undefined;
  return () => {
    const atMs = sources.now();
    if (latest && (latest.isReading || atMs - latest.atMs <= keptMs)) return latest.state;
    const state = readState(sources).finally(() => (begun.isReading = false));
    const begun = { atMs, state, isReading: true };
    latest = begun;
    return state;
  };
}

async function readState({ replicaStates, streamState, unready }: Sources): Promise<Deployment> {
  const [answers, own, stream, missing] = await Promise.all([
    replicaStates(stateMetrics),
    ownState(stateMetrics),
    streamState(),
    unready(neededForAny),
  ]);
  // As `/readyz` answers.
  const state = { ...own, isReady: canServe(neededForAny, missing) };
  // Gateways do not know each other, and the process does not know its address.
  const gateway = { address: state.host, state, isAnswering: true, unreachableSince: undefined };
  const all = new Map([['gateway', [gateway]], ...answers]);
  return deploymentOf(all, { now: new Date(), leader: stream?.leader ?? null });
}
