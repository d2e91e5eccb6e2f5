import type { System } from '@parley/local/system';
import { api, basic, createWorkspace } from '@parley/testing/api';
import { repeatedly } from '@parley/testing/repeatedly';
import { expect } from 'vitest';

/** The limit for caches. A lease lasts three seconds; the rest is for a busy machine. */
const cacheLifetimeMsMax = 10_000;
/** From a call of a client to its next one: more load would only slow the changes down. */
const paceMs = 30;
/** What was measured, by the situation. */
export const keyFigures = new Map<string, { tookMs: number[]; accepted: number; refused: number }>();

/** A key under load, with valid and old secrets, at each gateway. */
export async function startKey(system: System) {
  const { gateways } = system.local();
  const { id, apiKey, apiSecret } = await createWorkspace(String(gateways[0]), system.operator);
  const path = `/v1/workspaces/${id}`;
  let secret = apiSecret;
  let deadSecret: string | undefined;
  /** When the change that ended a secret had answered. */
  const deadAt = new Map<string, number>();
  /** Incremented when a change starts, and when it has answered: even means that none is in progress. */
  let changes = 0;
  const faults: string[] = [];
  const counts = { accepted: 0, refused: 0, tookMs: [] as number[] };

  const isAccepted = async (gateway: string, withSecret: string): Promise<boolean> => {
    const begunAt = performance.now();
    const changesAtBegin = changes;
    const { status } = await api(gateway + path, basic(apiKey, withSecret)).get('/customers');
    if (status === 200) {
      counts.accepted += 1;
      if (begunAt > (deadAt.get(withSecret) ?? Infinity)) faults.push(`${gateway} accepted an old secret`);
    } else if (status === 401 || status === 429) {
      counts.refused += 1;
      const wasLive = withSecret === secret && changes === changesAtBegin && changes % 2 === 0;
      if (wasLive && !deadAt.has(withSecret)) faults.push(`${gateway} rejected a valid secret`);
    } else faults.push(`${gateway} answered ${status}`);
    return status === 200;
  };

  const load = gateways.flatMap((gateway) =>
    [() => secret, () => secret, () => deadSecret].map((choose) =>
      repeatedly(
        async () => {
          const chosen = choose();
          if (chosen) await isAccepted(gateway, chosen);
        },
        { pauseMs: paceMs },
      ),
    ),
  );
  const stopLoad = () => Promise.all(load.map(({ stop }) => stop()));

  /** Makes a change that ends the secret, and calls every gateway in `probed` after its answer. */
  const end = async (change: () => Promise<string | undefined>, probed = gateways): Promise<void> => {
    const ended = secret;
    const begunAt = performance.now();
    changes += 1;
    const next = await change();
    const answeredAt = performance.now();
    deadAt.set(ended, answeredAt);
    deadSecret = ended;
    secret = next ?? secret;
    changes += 1;
    counts.tookMs.push(answeredAt - begunAt);
    const [dead, live] = await Promise.all([
      Promise.all(probed.map((gateway) => isAccepted(gateway, ended))),
      next === undefined ? [] : Promise.all(probed.map((gateway) => isAccepted(gateway, next))),
    ]);
    if (dead.some(Boolean)) faults.push('an old secret was accepted right after');
    if (!live.every(Boolean)) faults.push('the new secret was rejected right after');
  };

  return {
    apiKey,
    isAccepted: (gateway: string) => isAccepted(gateway, secret),
    deadIsAccepted: (gateway: string) => isAccepted(gateway, String(deadSecret)),
    rotate: (by: number, probed?: string[]) =>
      end(async () => {
        const caller = api(gateways[by % gateways.length] + path, basic(apiKey, secret));
        const { status, body } = await caller.post<{ secret: string }>('/apikeys/rotate');
        expect(status).toBe(200);
        return body.data.secret;
      }, probed),
    end,
    /** Waits until all gateways have accepted the valid secret, so that they cache it. */
    warm: async () => {
      for (const gateway of gateways) await isAccepted(gateway, secret);
    },
    [Symbol.asyncDispose]: async () => void (await stopLoad()),
    /** Ends the load; throws for each wrong acceptance or rejection. */
    stop: async (situation: string): Promise<void> => {
      await stopLoad();
      const { accepted, refused, tookMs } = counts;
      const sum = keyFigures.get(situation) ?? { tookMs: [], accepted: 0, refused: 0 };
      keyFigures.set(situation, {
        tookMs: [...sum.tookMs, ...tookMs],
        accepted: sum.accepted + accepted,
        refused: sum.refused + refused,
      });
      expect(faults).toEqual([]);
      expect(accepted).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
      expect(Math.max(...tookMs)).toBeLessThan(cacheLifetimeMsMax);
    },
  };
}
