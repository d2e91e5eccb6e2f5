import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { interactionCompleted } from '@parley/contracts/events';
import { startConsumer } from '@parley/events/consumer';
import { openBroker } from '@parley/events/nats';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/nats';
import { quietLogger } from '@parley/testing/quiet';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from './definitions.ts';
import { type Interactions, startInteractions, workspaceOf, type Workspace } from './fixture.ts';

let nats: PrivateNats;
let system: Interactions;
const received = new Map<string, InteractionCompleted[]>();
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  nats = stack.use(await startPrivateNats());
  system = stack.use(await startInteractions({ natsUrl: nats.url }));
  const broker = stack.use(await openBroker({ url: nats.url, logger: quietLogger }));
  stack.use(
    startConsumer({
      broker,
      logger: quietLogger,
      type: interactionCompleted,
      durable: 'webhook',
      handle: async (events) => {
        for (const { message } of events) {
          received.set(message.interactionId, [...(received.get(message.interactionId) ?? []), message]);
          system.held.add(message.interactionId);
        }
      },
    }),
  );
});
afterAll(() => stack.disposeAsync());

let workspace: Workspace;
let botId: string;
beforeEach(async () => {
  workspace = workspaceOf(system);
  botId = await workspace.publish(survey);
});

const arrived = async (id: string): Promise<InteractionCompleted> => {
  await eventually(async () => expect(received.get(id)).toHaveLength(1), { timeoutMs: 15_000 });
  const [event] = received.get(id) ?? [];
  if (!event) throw new Error('no event');
  return event;
};

describe('a completion', () => {
  it('arrives with the very bytes of the history', async () => {
    const { id } = await workspace.create({ botId, status: 'InProgress' });
    const { data } = await workspace.update(id, { status: 'Completed' });
    const event = await arrived(id);
    expect(event).toMatchObject({ workspaceId: workspace.workspaceId, customerId: 'ada', interactionId: id });
    expect(event.body.toString()).toBe(data);
    expect(event.completedAt).toBeInstanceOf(Date);
  });

  it('of one that was never started has an empty history', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const { data } = await workspace.update(id, { status: 'Completed' });
    const empty = { customer_id: 'ada', interaction_id: id, evaluation: {}, transcript: [] };
    expect(JSON.parse(data ?? '')).toEqual(empty);
    expect(JSON.parse((await arrived(id)).body.toString())).toEqual(empty);
  });

  it('by a bot that ends at once arrives too', async () => {
    const made = await workspace.create({ botId: await workspace.publish(notice), status: 'InProgress' });
    expect((await arrived(made.id)).body.toString()).toBe(made.data);
  });

  it('that ten clients ask for at the same time raises one event', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => workspace.update(id, { status: 'Completed' })),
    );
    expect(new Set(answers.map((answer) => answer.version))).toEqual(new Set([2]));
    expect(await workspace.events(id)).toHaveLength(1);
    await arrived(id);
  });

  it('leaves the outbox when the webhook service holds it', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await workspace.update(id, { status: 'Completed' });
    await arrived(id);
    // As if it had been sent a while ago: younger ones are not asked for.
    await system.db
      .updateTable('outbox')
      .set({ publishedAt: new Date(Date.now() - 60_000) })
      .where('eventId', '=', id)
      .execute();
    await eventually(async () => expect(await workspace.events(id)).toEqual([]), { timeoutMs: 15_000 });
    expect(received.get(id)).toHaveLength(1);
  });

  it('is answered while the broker is away, and arrives when it is back', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await nats.stop();
    expect((await workspace.update(id, { status: 'Completed' })).status).toBe('Completed');
    await nats.start();
    await arrived(id);
  });
});
