import type { Snapshot } from '@parley/client/public';
import type { Settlement } from './delivery.ts';
import type { Stage, TalkState } from './model.ts';

/** A talk of which nothing is known yet, but perhaps what its bot is called. */
export function unknownTalk(botName = ''): TalkState {
  return { stage: 'loading', botName, snapshot: undefined, outgoing: undefined, isOffline: false };
}

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
    botName: newer.botName,
    stage: stageOf(newer.status, isTakenUp),
    ...(isPast ? { outgoing: undefined } : {}),
  };
}

/** What changes when an answer has come to the end of its way. */
export function settled(
  state: TalkState,
  { snapshot, outgoing }: Settlement,
  isTakenUp: boolean,
): Partial<TalkState> {
  return { ...(snapshot && adopted(state, snapshot, isTakenUp)), outgoing, isOffline: false };
}

/** What a call changes that was refused for good, with that status: 410 is said of what has ended. */
export function refused(status: number | undefined): Partial<TalkState> {
  return { stage: status === 410 ? 'expired' : 'unavailable', isOffline: false };
}

/** The question that an answer may be sent to now; undefined when there is none, or one is on its way. */
export function questionOf(state: TalkState): { seq: number; stepId: string } | undefined {
  const { snapshot, stage } = state;
  if (!snapshot?.input || stage !== 'talking' || isOnItsWay(state)) return undefined;
  return { seq: snapshot.seq, stepId: snapshot.input.stepId };
}

/** Whether an answer has still to reach the server. */
export function isOnItsWay({ outgoing }: TalkState): boolean {
  return outgoing !== undefined && outgoing.state !== 'refused';
}

/** Whether nothing more can happen in the talk; not where there is none (undefined). */
export function isEnded(stage: Stage | undefined): boolean {
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
