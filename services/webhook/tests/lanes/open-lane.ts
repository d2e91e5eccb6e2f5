import { type Lane, openLane } from '../../src/scheduling/lane.ts';

/** Returns a lane as it is opened, without a database, with these changes. */
export function laneOf(of: Partial<Lane> = {}): Lane {
  const read = {
    webhookId: 'w',
    workspaceId: 'a',
    target: { url: '', event: '', secretToken: '', headers: null, secrets: [] },
    revision: 1,
    epoch: 1,
    openings: 0,
    pausedUntilMs: null,
    pauseReason: null,
    lastSuccessAtMs: null,
    failingSinceMs: null,
    failingAgainAtMs: null,
    warnedForMs: null,
    bucket: null,
  };
  return Object.assign(openLane(read, 0), of);
}
