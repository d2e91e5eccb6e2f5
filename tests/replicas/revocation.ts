import { setTimeout } from 'node:timers/promises';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { api, basic, createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Processes } from '../processes.ts';
import type { Replicated } from './system.ts';

/** The long form has REVOCATION_ROTATIONS=1000, and prints the durations. */
const rotations = Number(process.env['REVOCATION_ROTATIONS'] ?? 20);
/** The limit for caches. A lease lasts three seconds; the rest is for a busy machine. */
const cacheLifetimeMsMax = 5_000;
/** From a call of a client to its next one: more load would only slow the changes down. */
const paceMs = 30;
const figures = new Map<string, { tookMs: number[]; accepted: number; refused: number }>();

let system: System;
let processes: Processes;
let gateways: string[];

function printFigures(): void {
  if (rotations <= 20) return;
  for (const [situation, { tookMs, accepted, refused }] of figures) {
    tookMs.sort((a, b) => a - b);
    const [p50, max] = [tookMs[Math.floor(tookMs.length / 2)], tookMs.at(-1)].map((ms = 0) => Math.round(ms));
    const calls = `${accepted} calls accepted, ${refused} refused`;
    console.error(`${situation}: ${tookMs.length} changes of a key, p50 ${p50} ms, max ${max} ms; ${calls}`);
  }
}

/** A key under load, with valid and old secrets, at each gateway. */
async function startKey() {
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

  let isOver = false;
  const load = gateways.flatMap((gateway) =>
    [() => secret, () => secret, () => deadSecret].map(async (choose) => {
      while (!isOver) {
        const chosen = choose();
        if (chosen) await isAccepted(gateway, chosen);
        await setTimeout(paceMs);
      }
    }),
  );

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
    [Symbol.dispose]: () => {
      isOver = true;
    },
    /** Ends the load; throws for each wrong acceptance or rejection. */
    stop: async (situation: string): Promise<void> => {
      isOver = true;
      await Promise.all(load);
      const { accepted, refused, tookMs } = counts;
      const sum = figures.get(situation) ?? { tookMs: [], accepted: 0, refused: 0 };
      figures.set(situation, {
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

/** Tests that attack the change of a key at three gateways. */
export function revocationTests(replicated: () => Replicated): void {
  beforeAll(() => {
    ({ system, processes } = replicated());
    ({ gateways } = system.local());
  });
  afterAll(printFigures);

  describe('after a rotation has answered, no gateway accepts the old secret and all accept the new one', () => {
    test('under load', async () => {
      using key = await startKey();
      for (let round = 0; round < rotations; round += 1) await key.rotate(round);
      await key.stop('under load');
    }, 600_000);

    test('while NATS is frozen', async () => {
      using key = await startKey();
      await key.rotate(0);
      const nats = processes.pidOf('nats');
      processes.freeze(nats);
      for (let round = 0; round < rotations / 100; round += 1) await key.rotate(round);
      processes.thaw(nats);
      await key.rotate(0);
      await key.stop('NATS frozen');
    }, 600_000);

    test('while NATS is killed', async () => {
      using key = await startKey();
      for (let round = 0; round < rotations / 100; round += 1) {
        await key.warm();
        await Promise.all([processes.end('nats', 'SIGKILL'), key.rotate(round)]);
      }
      await key.stop('NATS killed');
    }, 600_000);

    test('while a gateway is frozen, also when it resumes', async () => {
      using key = await startKey();
      const [first, second, third] = gateways as [string, string, string];
      for (let round = 0; round < rotations / 100; round += 1) {
        await key.warm();
        const pid = processes.pidOf('gateway-2');
        processes.freeze(pid);
        await key.rotate(0, [first, third]);
        // Sent to a process that has received no notification.
        const sent = Promise.all(Array.from({ length: 5 }, () => key.deadIsAccepted(second)));
        processes.thaw(pid);
        expect(await sent).toEqual([false, false, false, false, false]);
        expect(await key.isAccepted(second)).toBe(true);
      }
      await key.stop('gateway frozen');
    }, 600_000);
  });

  test('after a revocation has answered, no gateway accepts the key', async () => {
    using identity = connect(system.operator.identity, { token: system.operator.operatorToken });
    const admin = identity.client(IdentityAdminServiceService);
    for (let round = 0; round < rotations / 20; round += 1) {
      using key = await startKey();
      await key.warm();
      await key.end(async () => {
        await admin.revokeKey({ apiKey: key.apiKey }, { requestId: 'test', timeoutMs: 10_000 });
        return undefined;
      });
      await key.stop('revoked');
    }
  }, 600_000);

  test('a valid key needs no call to identity: calls of other services succeed while identity is frozen', async () => {
    using key = await startKey();
    const goOnWithout = async (): Promise<void> => {
      // Makes the gateways verify the key, so that its lease is as long as possible.
      await key.rotate(0);
      await key.warm();
      for (const name of ['identity-1', 'identity-2']) processes.freeze(processes.pidOf(name));
      const calls = gateways.flatMap((gateway) => Array.from({ length: 20 }, () => key.isAccepted(gateway)));
      // Within the 2.7 s for which a gateway caches a key. Later it must call identity, and waits.
      const inTime = Promise.race([Promise.all(calls), setTimeout(1_500, [false])]);
      const accepted = await inTime.finally(() => processes.thawAll());
      await Promise.all(calls);
      expect(accepted).toEqual(Array.from({ length: 60 }, () => true));
    };
    await eventually(goOnWithout);
    await key.stop('identity frozen');
  });
}
