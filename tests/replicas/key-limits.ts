import type { System } from '@parley/local/system';
import { type Api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, test } from 'vitest';
import { callsIn, type CreatedKey, createKey } from '../people/limited-keys.ts';
import { loadWith } from './load.ts';
import type { Replicated } from './system.ts';

/** The long form has KEY_CHANGES=1000. */
const changes = Number(process.env['KEY_CHANGES'] ?? 20);

let system: System;
let gateways: string[];
let workspace: TestWorkspace;

export function keyLimitTests(replicated: () => Replicated): void {
  beforeAll(async () => {
    ({ system } = replicated());
    ({ gateways } = system.local());
    workspace = await createWorkspace(String(gateways[0]), system.operator);
  });
  const loadOf = (key: CreatedKey) =>
    loadWith(
      gateways.map((gateway) => callsIn(gateway, workspace.id, key)),
      '/customers',
    );
  /** The calls of the workspace's key at one gateway after the other. */
  const adminAt = (round: number): Api =>
    callsIn(gateways[round % gateways.length] ?? '', workspace.id, {
      apiKey: workspace.apiKey,
      secret: workspace.apiSecret,
    });

  describe('after a change of a key has answered, no gateway uses its former limits', () => {
    test('its scopes, narrowed and widened', async () => {
      const key = await createKey(workspace, ['customers:read']);
      await using load = loadOf(key);
      for (let round = 0; round < changes; round += 1) {
        const scopes = [round % 2 ? 'customers:read' : 'bots:read'];
        const change = () => adminAt(round).patch(`/apikeys/${key.apiKey}`, { scopes });
        await load.change(round % 2 ? 200 : 403, change);
      }
      await load.stop(200, 403);
    }, 600_000);

    test('its expiry, set while gateways have cached it', async () => {
      for (let round = 0; round < changes / 10; round += 1) {
        const key = await createKey(workspace, ['customers:read']);
        await using load = loadOf(key);
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
        await using load = loadOf(key);
        await load.change(401, () => adminAt(round).delete(`/apikeys/${key.apiKey}`));
        await load.stop(200, 401);
      }
    }, 600_000);
  });
}
