import type { InteractionCompleted } from '@parley/contracts/events/v1/interaction_completed';
import { interactionCompleted } from '@parley/contracts/events';
import { startConsumer } from '@parley/events/consumer';
import { createInbox, extendInbox } from '@parley/events/inbox';
import { openBroker } from '@parley/events/nats';
import { openDatabase } from '@parley/postgres/connecting/open';
import { createDatabase } from '@parley/testing/database/database';
import { eventually } from '@parley/testing/eventually';
import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger } from '@parley/testing/quiet';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notice, survey } from './definitions.ts';
import { call, type Interactions, startInteractions, workspaceOf, type Workspace } from './fixture.ts';

let nats: PrivateNats;
let system: Interactions;
const received = new Map<string, InteractionCompleted[]>();
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  nats = stack.use(await startPrivateNats());
  system = stack.use(await startInteractions({ natsUrl: nats.url }));
  const broker = stack.use(await openBroker({ url: nats.url, logger: quietLogger }));
  const database = stack.use(await createDatabase('webhook'));
  const { db } = stack.use(openDatabase<object>({ url: database.testUrl, logger: quietLogger }));
  await createInbox(db);
  await extendInbox(db, { hasPartitionFunctions: false });
  stack.use(
    startConsumer({
      broker,
      logger: quietLogger,
      db,
      types: [interactionCompleted],
      sources: [{ name: 'interaction', log: system.log }],
      from: 'beginning',
      durable: 'test',
      handle: async (events) => {
        for (const { message } of events) {
          received.set(message.interactionId, [...(received.get(message.interactionId) ?? []), message]);
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
  await eventually(async () => expect(received.get(id)).toHaveLength(1));
  const [event] = received.get(id) ?? [];
  if (!event) throw new Error('no event');
  return event;
};

/** Returns the histories for webhooks. */
async function bodiesOf(...ids: string[]): Promise<string[]> {
  const { workspaceId } = workspace;
  const events = ids.map((interactionId) => ({ workspaceId, interactionId, status: 'Completed' as const }));
  const { bodies } = await system.interactions.listEventBodies({ events }, call);
  return bodies.map(({ result }) => result.toString());
}

describe('a completion', () => {
  it('arrives without the transcript, whose exact bytes can be read', async () => {
    const { id } = await workspace.create({ botId, status: 'InProgress' });
    const { data } = await workspace.update(id, { status: 'Completed' });
    const { workspaceId } = workspace;
    expect(await arrived(id)).toEqual({
      workspaceId,
      customerId: 'ada',
      interactionId: id,
      completedAt: expect.any(Date),
      botId,
      isTest: null,
    });
    expect(await bodiesOf(id)).toEqual([data]);
  });

  it('of an interaction that was never started has an empty history', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const { data } = await workspace.update(id, { status: 'Completed' });
    const empty = { customer_id: 'ada', interaction_id: id, evaluation: {}, transcript: [] };
    expect(JSON.parse(data ?? '')).toEqual(empty);
    await arrived(id);
    expect(await bodiesOf(id)).toEqual([data]);
  });

  it('by a bot that ends at once arrives too', async () => {
    const made = await workspace.create({ botId: await workspace.publish(notice), status: 'InProgress' });
    await arrived(made.id);
    expect(await bodiesOf(made.id)).toEqual([made.data]);
  });

  it('by ten concurrent calls raises one event', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => workspace.update(id, { status: 'Completed' })),
    );
    expect(new Set(answers.map((answer) => answer.version))).toEqual(new Set([2]));
    expect(await workspace.completions(id)).toHaveLength(1);
    await arrived(id);
  });

  it('succeeds while the broker is unavailable, and arrives when it is back', async () => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await nats.stop();
    expect((await workspace.update(id, { status: 'Completed' })).status).toBe('Completed');
    await nats.start();
    await arrived(id);
  });
});

describe('the bodies of completions', () => {
  const completed = async (): Promise<string> => {
    const { id } = await workspace.create({ botId, status: 'Pending' });
    await workspace.update(id, { status: 'Completed' });
    return id;
  };

  it('come in the requested order, empty for interactions that are missing or of another workspace', async () => {
    const [first, second] = [await completed(), await completed()];
    const elsewhere = workspaceOf(system);
    const foreign = await elsewhere.create({ botId: await elsewhere.publish(notice), status: 'InProgress' });
    expect(foreign.status).toBe('Completed');
    const bodies = await bodiesOf(second, uuidv7(), foreign.id, first);
    const [firstData, secondData] = [await workspace.get(first), await workspace.get(second)].map(
      ({ data }) => data,
    );
    expect(bodies).toEqual([secondData, '', '', firstData]);
  });

  it('of other events have the interaction with the status of the event, and no history', async () => {
    const id = await completed();
    const { workspaceId } = workspace;
    const events = [{ workspaceId, interactionId: id, status: 'Pending' as const }];
    const { bodies } = await system.interactions.listEventBodies({ events }, call);
    const [body] = bodies;
    expect(body?.result).toEqual(Buffer.of());
    expect(JSON.parse(body?.interaction.toString() ?? '')).toMatchObject({
      id,
      status: 'Pending',
      data: null,
      botId,
      botKey: survey.key,
      completedAt: expect.any(String) as string,
    });
  });

  it('of long conversations come in small batches of at least one', async () => {
    const ids = [await completed(), await completed(), await completed()];
    const transcript = JSON.stringify([{ seq: 1, type: 'bot', body: 'x'.repeat(3_000_000), timestamp: 1 }]);
    await system.db.updateTable('interaction').set({ transcript }).where('id', 'in', ids).execute();
    expect(await bodiesOf(...ids)).toHaveLength(1);
    const huge = transcript.replace('xx', 'x'.repeat(3_000_000));
    await system.db.updateTable('interaction').set({ transcript: huge }).where('id', 'in', ids).execute();
    expect((await bodiesOf(...ids)).map((body) => body.length > 5_000_000)).toEqual([true]);
  });
});
