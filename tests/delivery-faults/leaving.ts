import type { TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { dieInStatement } from './deaths.ts';
import { completeOne, insist } from './load.ts';
import { addWebhook, type World } from './world.ts';

// Deaths during the deactivation of a webhook with open deliveries. Each has its own workspace.

interface Leaving {
  workspace: TestWorkspace;
  id: string;
  path: string;
}

const customers = ['a', 'b', 'c'];

/** A webhook with three deliveries: one is in flight until its receiver is released, and the others wait. */
async function startLeaving(world: World): Promise<Leaving> {
  const { receivers } = world;
  const { workspace, botId } = await world.createWorkspace();
  const path = `/leaving/${workspace.id}`;
  const id = await addWebhook(workspace, receivers.url + path);
  const held = receivers.hold(path);
  const completing = customers.map((customer) => completeOne(workspace, botId, customer));
  await Promise.all([held, ...completing]);
  const leaving = { workspace, id, path };
  await eventually(
    async () => {
      const states = await statesOf(leaving);
      if (states.length < customers.length) throw new Error(`only ${states.length} events have arrived`);
    },
    { everyMs: 50 },
  );
  return leaving;
}

async function statesOf({ workspace: { api }, id }: Leaving): Promise<string[]> {
  const rows = await insist(() => api.get<{ state: string }[]>(`/webhooks/${id}/deliveries`));
  return rows.map(({ state }) => state);
}

/** The receiver has just answered 410, or has failed for days. */
export async function dieWhileDisabling(world: World, reason: 'gone' | 'auto'): Promise<void> {
  const { id, path } = await startLeaving(world);
  world.leaving.push({ id, reason });
  await using sql = await world.openSql();
  const longAgo = `update webhook.lane set failing_since = now() - interval '6 days',
    failing_again_at = now() - interval '5 days', revision = revision + 1 where webhook_id = $1`;
  await dieInStatement(world, {
    lock: { text: 'select from webhook.webhook where id = $1 for update', values: [id] },
    outcome: 'undone',
    onLocked: async () => {
      // Five days are longer than any run.
      if (reason === 'auto') await sql.query(longAgo, [id]);
      world.receivers.release(path, reason === 'gone' ? 410 : 500);
    },
  });
}

/** A recovery after a short outage of the receiver is in progress. */
export async function dieWhileRecovering(world: World): Promise<void> {
  const leaving = await startLeaving(world);
  const { workspace, id, path } = leaving;
  const { api } = workspace;
  world.leaving.push({ id, reason: 'gone' });
  world.receivers.release(path, 410);
  await eventually(
    async () => {
      const states = await statesOf(leaving);
      if (states.includes('pending')) throw new Error(`it is not deactivated: ${states.join(', ')}`);
    },
    { everyMs: 100 },
  );
  world.receivers.release(path, 200);
  await insist(() => api.patch(`/webhooks/${id}`, { isActive: true }));
  const aWhileAgo = new Date(Date.now() - 60 * 60_000).toISOString();
  // From now on all of its deliveries must succeed.
  world.leaving.pop();
  await dieInStatement(world, {
    // The page locks the events of its deliveries.
    lock: {
      text: `select from webhook.event where id = any(array(
        select event_id from webhook.finished_delivery where webhook_id = $1)) for update`,
      values: [id],
    },
    outcome: 'undone',
    onLocked: async () => {
      await insist(() => api.post(`/webhooks/${id}/recover`, { since: aWhileAgo }));
    },
  });
}
