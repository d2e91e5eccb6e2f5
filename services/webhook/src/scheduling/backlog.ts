import { capacity, type Lane, type StoredLane } from './lane.ts';

/** A lane with open deliveries, and when the first one without a claim becomes due, by the database clock. */
export interface DueLane
  extends Pick<StoredLane, 'webhookId' | 'workspaceId' | 'revision' | 'openings' | 'pausedUntilMs'> {
  dueAtMs: number;
  isActive: boolean;
}

export interface Backlog {
  /** Seconds since the oldest delivery that could be sent became due. 0 if there is none. */
  oldestDueSeconds: number;
  /** Lanes with open deliveries whose breaker is open. */
  openBreakers: number;
  /** Paused lanes with open deliveries. */
  pausedLanes: number;
}

/** `laneOf` returns a lane that is in memory. */
export function backlogOf(
  due: readonly DueLane[],
  laneOf: (webhookId: string) => Lane | undefined,
  nowMs: number,
): Backlog {
  const isPaused = ({ pausedUntilMs }: DueLane) => pausedUntilMs !== null && pausedUntilMs > nowMs;
  const isSendable = (one: DueLane): boolean => {
    const lane = laneOf(one.webhookId);
    return one.openings === 0 && !isPaused(one) && (!lane || capacity(lane, nowMs) > 0);
  };
  const agesMs = due.map((one) => (isSendable(one) ? nowMs - one.dueAtMs : 0));
  return {
    oldestDueSeconds: agesMs.reduce((oldest, age) => Math.max(oldest, age), 0) / 1_000,
    openBreakers: due.filter(({ openings }) => openings > 0).length,
    pausedLanes: due.filter(isPaused).length,
  };
}
