import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { expect, test } from 'vitest';
import { completed, startSystem } from '../system.ts';

/** Counts the saves of lanes by this process until disposed. */
function countSaves() {
  let saves = 0;
  const onStatement = (statement: unknown): void => {
    saves += Number((statement as { text: string }).text.includes('update lane set (openings'));
  };
  subscribe('parley.postgres.statement', onStatement);
  return {
    number: () => saves,
    [Symbol.dispose]: () => unsubscribe('parley.postgres.statement', onStatement),
  };
}

test('the lane of a webhook is saved after its first result, and then a few times a second', async () => {
  await using system = await startSystem();
  await using receiver = await startReceiver(() => ({ status: 200 }));
  const workspaceId = randomUUID();
  const webhook = await system.createWebhook({ workspaceId, url: receiver.url });
  using saves = countSaves();
  const startedAtMs = performance.now();
  const results = 40;
  for (let sent = 1; sent <= results; sent += 1) {
    await system.raise([completed({ workspaceId })]);
    await eventually(() => expect(receiver.requests).toHaveLength(sent));
  }
  // The last results are saved with the next round.
  await eventually(async () => {
    const hours = await system.db
      .selectFrom('laneHour')
      .select('attempts')
      .where('webhookId', '=', webhook.id)
      .execute();
    expect(hours.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(results);
  });
  const quarterSeconds = (performance.now() - startedAtMs) / 250;
  expect(saves.number()).toBeLessThan(2 * quarterSeconds + 2);
});
