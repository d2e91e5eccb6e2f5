import { setTimeout } from 'node:timers/promises';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import type { System } from '@parley/local/system';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Processes } from '../system/processes.ts';
import { keyFigures, startKey } from './key-load.ts';
import type { Replicated } from './system.ts';

const usualRotations = 20;
/** The long form prints the durations. */
const rotations = longForm(usualRotations);
let system: System;
let processes: Processes;
let gateways: string[];

function printFigures(): void {
  if (rotations <= usualRotations) return;
  for (const [situation, { tookMs, accepted, refused }] of keyFigures) {
    tookMs.sort((a, b) => a - b);
    const [p50, max] = [tookMs[Math.floor(tookMs.length / 2)], tookMs.at(-1)].map((ms = 0) => Math.round(ms));
    const calls = `${accepted} calls accepted, ${refused} refused`;
    console.error(`${situation}: ${tookMs.length} changes of a key, p50 ${p50} ms, max ${max} ms; ${calls}`);
  }
}

export function revocationTests(replicated: () => Replicated): void {
  beforeAll(() => {
    ({ system, processes } = replicated());
    ({ gateways } = system.local());
  });
  afterAll(printFigures);

  describe('after a rotation has answered, no gateway accepts the old secret and all accept the new one', () => {
    test('under load', async () => {
      await using key = await startKey(system);
      for (let round = 0; round < rotations; round += 1) await key.rotate(round);
      await key.stop('under load');
    }, 600_000);

    test('while NATS is frozen', async () => {
      await using key = await startKey(system);
      await key.rotate(0);
      const nats = processes.pidOf('nats');
      processes.freeze(nats);
      for (let round = 0; round < rotations / 100; round += 1) await key.rotate(round);
      processes.thaw(nats);
      await key.rotate(0);
      await key.stop('NATS frozen');
    }, 600_000);

    test('while NATS is killed', async () => {
      await using key = await startKey(system);
      for (let round = 0; round < rotations / 100; round += 1) {
        await key.warm();
        await Promise.all([processes.end('nats', 'SIGKILL'), key.rotate(round)]);
      }
      await key.stop('NATS killed');
    }, 600_000);

    test('while a gateway is frozen, also when it resumes', async () => {
      await using key = await startKey(system);
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
      await using key = await startKey(system);
      await key.warm();
      await key.end(async () => {
        await admin.revokeKey({ apiKey: key.apiKey }, { requestId: 'test', timeoutMs: 10_000 });
        return undefined;
      });
      await key.stop('revoked');
    }
  }, 600_000);

  test('a valid key needs no call to identity: calls of other services succeed while identity is frozen', async () => {
    await using key = await startKey(system);
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
