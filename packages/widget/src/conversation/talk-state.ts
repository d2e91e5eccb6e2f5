import type { Snapshot } from '@parley/client/public';
import { asParleyError, serverFaultOf } from '../customer/failure.ts';
import type { SubmissionResult } from './submission.ts';
import type { Stage, TalkState } from '../model.ts';

export function initialTalk(botName = ''): TalkState {
  return { stage: 'loading', botName, snapshot: undefined, outgoing: undefined, isOffline: false };
}

/** Returns the newer snapshot with all known entries by number, the newest version of each. */
export function mergeSnapshots(known: Snapshot | undefined, newer: Snapshot): Snapshot {
  const entries = new Map(known?.entries.map((entry) => [entry.seq, entry]));
  for (const entry of newer.entries) entries.set(entry.seq, entry);
  return { ...newer, entries: [...entries.values()].sort((one, other) => one.seq - other.seq) };
}

/**
 * Returns the changes by a snapshot; none for an older one, because responses may overtake each other. Removes a
 * rejected answer whose question is no longer current.
 */
export function withSnapshot(state: TalkState, newer: Snapshot, isResumed: boolean): Partial<TalkState> {
  if (state.snapshot && newer.seq < state.snapshot.seq) return {};
  const { outgoing } = state;
  const asked = state.revising ?? newer.input;
  const isPast = outgoing?.state === 'refused' && asked?.stepId !== outgoing.stepId;
  return {
    snapshot: mergeSnapshots(state.snapshot, newer),
    botName: newer.botName,
    stage: newer.availableFrom === undefined ? stageOf(newer.status, isResumed) : 'later',
    ...(isPast ? { outgoing: undefined } : {}),
  };
}

export function withResult(
  state: TalkState,
  { snapshot, outgoing, fault }: SubmissionResult,
  isResumed: boolean,
): Partial<TalkState> {
  const changes = snapshot && withSnapshot(state, snapshot, isResumed);
  return {
    ...changes,
    outgoing,
    ...(outgoing ? {} : { revising: undefined }),
    isOffline: false,
    serverFault: serverFaultOf(fault),
  };
}

/** Returns the changes by a call that was rejected for good; 410 means that the conversation has ended. */
export function withRefusal(error: unknown): Partial<TalkState> {
  const status = asParleyError(error)?.status;
  const isKnown = status === 404 || status === 410;
  const serverFault = isKnown ? undefined : serverFaultOf(error);
  return { stage: status === 410 ? 'expired' : 'unavailable', isOffline: false, serverFault };
}

/** Returns the question that accepts an answer; undefined without one, or with a pending answer. */
export function questionOf(state: TalkState): { seq: number; stepId: string } | undefined {
  const { snapshot, stage, revising } = state;
  const input = revising ?? snapshot?.input;
  if (!snapshot || !input || stage !== 'talking' || isPending(state)) return undefined;
  return { seq: snapshot.seq, stepId: input.stepId };
}

export function isPending({ outgoing }: TalkState): boolean {
  return outgoing !== undefined && outgoing.state !== 'refused';
}

export function isEnded(stage: Stage | undefined): boolean {
  return stage === 'completed' || stage === 'expired';
}

const stages: Partial<Record<Snapshot['status'], Stage>> = {
  Draft: 'unavailable',
  Pending: 'ready',
  Completed: 'completed',
  Expired: 'expired',
};

function stageOf(status: Snapshot['status'], isResumed: boolean): Stage {
  if (status === 'InProgress') return isResumed ? 'talking' : 'resumable';
  // A page that was loaded before an update may meet a status that it does not know.
  return stages[status] ?? 'unavailable';
}
