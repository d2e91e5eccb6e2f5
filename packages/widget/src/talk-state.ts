import type { Snapshot } from '@parley/client/public';
import type { Stage, TalkState } from './model.ts';

/** A snapshot as it joins what is known: each entry once, in the order of the talk, the newest wording of each. */
export function merged(known: Snapshot | undefined, newer: Snapshot): Snapshot {
  const entries = new Map(known?.entries.map((entry) => [entry.seq, entry]));
  for (const entry of newer.entries) entries.set(entry.seq, entry);
  return { ...newer, entries: [...entries.values()].sort((one, other) => one.seq - other.seq) };
}

/**
 * What a snapshot changes. Nothing when it is from before what is known: answers may overtake each other.
 * A refused answer goes when its question is not asked any more.
 */
export function adopted(state: TalkState, newer: Snapshot, isTakenUp: boolean): Partial<TalkState> {
  if (state.snapshot && newer.seq < state.snapshot.seq) return {};
  const { outgoing } = state;
  const isPast = outgoing?.state === 'refused' && newer.input?.stepId !== outgoing.stepId;
  return {
    snapshot: merged(state.snapshot, newer),
    stage: stageOf(newer.status, isTakenUp),
    ...(isPast ? { outgoing: undefined } : {}),
  };
}

/** Whether an answer has still to reach the server. */
export function isOnItsWay({ outgoing }: TalkState): boolean {
  return outgoing !== undefined && outgoing.state !== 'refused';
}

/** Whether nothing more can happen in the talk. */
export function isEnded(stage: Stage): boolean {
  return stage === 'completed' || stage === 'expired';
}

const stages = {
  Draft: 'unavailable',
  Pending: 'ready',
  Completed: 'completed',
  Expired: 'expired',
} as const;

function stageOf(status: Snapshot['status'], isTakenUp: boolean): Stage {
  if (status === 'InProgress') return isTakenUp ? 'talking' : 'resumable';
  return stages[status];
}
