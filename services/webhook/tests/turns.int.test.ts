import { randomUUID } from 'node:crypto';
import { eventExamples } from '@parley/contracts/event-examples';
import { interactionCompleted } from '@parley/contracts/events';
import { newEvent } from '@parley/events/log';
import { acrossWorkspaces } from '@parley/postgres/scope';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type System, startSystem } from './system.ts';

// What events of one workspace cost delays that workspace, and no other.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

/** Nine searches in one of the longest answers. */
const costlyFilter = (n: number): string =>
  Array.from({ length: 9 }, (_, at) => `evaluation.why.lowerAscii().contains('${n}-${at}')`).join(' || ');

/** A workspace with webhooks at one receiver, and an interaction about which events can be raised. */
async function tenant(webhooks: number, filterOf: (n: number) => string | undefined = () => undefined) {
  const workspaceId = randomUUID();
  const receiver = await startReceiver();
  for (let n = 0; n < webhooks; n += 1) {
    const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
    const filter = filterOf(n);
    if (filter === undefined) continue;
    const change = { workspaceId, id, headers: null, rateLimit: null, events: [], filter: { filter } };
    await system.deliveries.updateWebhookOptions(change, call);
  }
  const interactionId = randomUUID();
  system.interactions.bodies.set(interactionId, {
    body: Buffer.from(JSON.stringify({ interaction_id: interactionId })),
    customerVersion: 0,
    interaction: { ...eventExamples.InteractionCreated, id: interactionId },
    evaluation: { why: 'The delivery came late, and nobody had an answer. '.repeat(80) },
  });
  const completed = () =>
    newEvent(interactionCompleted, {
      workspaceId,
      interactionId,
      customerId: 'c-1',
      completedAt: new Date(),
    });
  return {
    workspaceId,
    events: (count: number) => Array.from({ length: count }, completed),
    received: () => receiver.requests.map(({ headers }) => String(headers['webhook-id'])),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function filteredOf(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ filtered: number }>`
    ${acrossWorkspaces('a test')}
    select coalesce(sum(filtered + errors), 0)::int as filtered from filter_result where workspace_id = ${workspaceId}`.execute(
    system.db,
  );
  return rows[0]?.filtered ?? 0;
}

test('costly filters of a workspace delay no event of another, and no event is lost', async () => {
  await using costly = await tenant(50, costlyFilter);
  await using other = await tenant(1);
  const many = costly.events(300);
  for (let part = 0; part < 3; part += 1) {
    const own = other.events(1);
    await system.raiseAny([...many.slice(100 * part, 100 * (part + 1)), ...own]);
    await eventually(() => expect(other.received()).toContain(own[0]?.id));
  }
  const decisions = 50 * many.length;
  expect(await filteredOf(costly.workspaceId)).toBeLessThan(decisions);
  const t = performance.now();
  await eventually(async () => expect(await filteredOf(costly.workspaceId)).toBe(decisions));
  console.log('rest', performance.now() - t);
  expect(costly.received()).toEqual([]);
});
