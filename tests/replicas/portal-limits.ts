import type { System } from '@parley/local/system';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, expect, test } from 'vitest';
import { callsIn, createKey } from '../people/limited-keys.ts';
import { callsOfPortal, type CreatedLink, enterPortal } from '../people/portal-sessions.ts';
import type { Replicated } from './system.ts';

const links = '/webhooks/portal-links';
const rounds = 6;

let system: System;
let gateways: string[];
let workspace: TestWorkspace;

/** Tests that end sessions of the portal at three gateways that have cached them. */
export function portalLimitTests(replicated: () => Replicated): void {
  beforeAll(async () => {
    ({ system } = replicated());
    ({ gateways } = system.local());
    workspace = await createWorkspace(String(gateways[0]), system.operator);
  });

  test('after a portal link or its key was revoked, or its session ended, no gateway accepts it', async () => {
    const path = `/workspaces/${workspace.id}/webhooks`;
    for (let round = 0; round < rounds; round += 1) {
      const at = String(gateways[round % gateways.length]);
      const key = await createKey(workspace, ['webhooks:read', 'webhooks:write']);
      const maker = callsIn(String(gateways[0]), workspace.id, key);
      const { body } = await maker.post<CreatedLink>(links);
      const { cookie } = await enterPortal(at, body.data);
      const statuses = () =>
        Promise.all(gateways.map(async (gateway) => (await callsOfPortal(gateway, cookie).get(path)).status));
      expect(await statuses()).toEqual(gateways.map(() => 200));
      const { apiKey, apiSecret } = workspace;
      const admin = callsIn(at, workspace.id, { apiKey, secret: apiSecret });
      const ways = [
        () => admin.delete(`${links}/${body.data.id}`),
        () => callsOfPortal(at, cookie).delete('/session'),
        () => admin.delete(`/apikeys/${key.apiKey}`),
      ];
      const ended = await ways[round % ways.length]?.();
      expect(ended?.status).toBe(200);
      expect(await statuses()).toEqual(gateways.map(() => 401));
    }
  }, 120_000);
}
