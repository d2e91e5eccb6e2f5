import { setTimeout } from 'node:timers/promises';
import type { Api } from '@parley/testing/api';
import { repeatedly } from '@parley/testing/repeatedly';
import { expect } from 'vitest';

/** From a call of a client to its next one: more load would only slow the changes down. */
const paceMs = 30;

/**
 * Puts a credential under load, with callers at each gateway. A call that begins and ends between two changes must get
 * their status.
 */
export function loadWith(callers: readonly Api[], path: string) {
  // Undefined while a change is in progress.
  let wanted: number | undefined = 200;
  let change = 0;
  const faults: string[] = [];
  const statuses = new Set<number>();

  const probe = async (calls: Api): Promise<void> => {
    const [wantedAtBegin, changeAtBegin] = [wanted, change];
    const { status } = await calls.get(path);
    statuses.add(status);
    if (wantedAtBegin === undefined || change !== changeAtBegin || status === wantedAtBegin) return;
    faults.push(`after change ${change}: ${status} instead of ${wantedAtBegin}`);
  };
  const probeAll = () => Promise.all(callers.map(probe));
  const load = repeatedly(probeAll, { parallel: 2, pauseMs: paceMs });
  const begin = (next?: number): void => {
    wanted = next;
    change += 1;
  };
  return {
    probeAll,
    /** Makes a change. All calls that begin after its answer must get the status. */
    change: async (status: number, make: () => Promise<{ status: number }>): Promise<void> => {
      await probeAll();
      begin();
      expect((await make()).status).toBe(200);
      begin(status);
      await probeAll();
    },
    /** From this instant on, calls must get 401. */
    expireAt: async (expiresAt: Date): Promise<void> => {
      begin();
      // Timers can be early by a millisecond.
      while (Date.now() <= expiresAt.getTime()) await setTimeout(expiresAt.getTime() - Date.now() + 1);
      begin(401);
      await probeAll();
    },
    [Symbol.asyncDispose]: load.stop,
    /** Ends the load. Throws for each wrong status, and unless there were exactly these. */
    stop: async (...expected: number[]): Promise<void> => {
      await load.stop();
      expect(faults).toEqual([]);
      expect(statuses).toEqual(new Set(expected));
    },
  };
}
