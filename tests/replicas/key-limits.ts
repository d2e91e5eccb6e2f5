import { setTimeout } from 'node:timers/promises';
import type { System } from '@parley/local/system';
import { type Api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { repeatedly } from '@parley/testing/repeatedly';
import { beforeAll, describe, expect, test } from 'vitest';
import { callsIn, type CreatedKey, createKey } from '../people/limited-keys.ts';
import type { Replicated } from './system.ts';

/** The long form has KEY_CHANGES=1000. */
const changes = Number(process.env['KEY_CHANGES'] ?? 20);
/** From a call of a client to its next one: more load would only slow the changes down. */
const paceMs = 30;

let system: System;
let gateways: string[];
let workspace: TestWorkspace;

/** Puts a key under load at each gateway. A call that begins and ends between two changes must get their status. */
function loadWith(key: CreatedKey) {
  const callers = gateways.map((gateway) => callsIn(gateway, workspace.id, key));
  // Undefined while a change is in progress.
  let wanted: number | undefined = 200;
  let change = 0;
  const faults: string[] = [];
  const counts: Record<number, number> = {};

  const probe = async (calls: Api): Promise<void> => {
    const [wantedAtBegin, changeAtBegin] = [wanted, change];
    const { status } = await calls.get('/customers');
    counts[status] = (counts[status] ?? 0) + 1;
    const isSettled = wantedAtBegin !== undefined && change === changeAtBegin;
    if (isSettled && status !== wantedAtBegin) {
      faults.push(`after change ${change}: ${status} instead of ${wantedAtBegin}`);
    }
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
    stop: async (...statuses: number[]): Promise<void> => {
      await load.stop();
      expect(faults).toEqual([]);
      expect(Object.keys(counts).map(Number)).toEqual(statuses);
    },
  };
}

export function keyLimitTests(replicated: () => Replicated): void {
  beforeAll(async () => {
    ({ system } = replicated());
    ({ gateways } = system.local());
    workspace = await createWorkspace(String(gateways[0]), system.operator);
  });
  /** The calls of the workspace's key at one gateway after the other. */
  const adminAt = (round: number): Api =>
    callsIn(gateways[round % gateways.length] ?? '', workspace.id, {
      apiKey: workspace.apiKey,
      secret: workspace.apiSecret,
    });

  describe('after a change of a key has answered, no gateway uses its former limits', () => {
    test('its scopes, narrowed and widened', async () => {
      const key = await createKey(workspace, ['customers:read']);
      await using load = loadWith(key);
      for (let round = 0; round < changes; round += 1) {
        await load.probeAll();
        const scopes = [round % 2 ? 'customers:read' : 'bots:read'];
        const change = () => adminAt(round).patch(`/apikeys/${key.apiKey}`, { scopes });
        await load.change(round % 2 ? 200 : 403, change);
      }
      await load.stop(200, 403);
    }, 600_000);

    test('its expiry, set while gateways have cached it', async () => {
      for (let round = 0; round < changes / 10; round += 1) {
        const key = await createKey(workspace, ['customers:read']);
        await using load = loadWith(key);
        await load.probeAll();
        const expiresAt = new Date(Date.now() + 1_500);
        const answer = await adminAt(round).patch(`/apikeys/${key.apiKey}`, { expiresAt });
        expect(answer.status).toBe(200);
        await load.expireAt(expiresAt);
        await load.stop(200, 401);
      }
    }, 600_000);

    test('a revocation', async () => {
      for (let round = 0; round < changes / 10; round += 1) {
        const key = await createKey(workspace, ['customers:read']);
        await using load = loadWith(key);
        await load.probeAll();
        await load.change(401, () => adminAt(round).delete(`/apikeys/${key.apiKey}`));
        await load.stop(200, 401);
      }
    }, 600_000);
  });
}
