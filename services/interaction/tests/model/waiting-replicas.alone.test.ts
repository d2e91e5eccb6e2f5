import { type PrivateNats, startPrivateNats } from '@parley/testing/servers/nats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Interactions, startInteractions } from '../fixture.ts';
import { type WorkspaceWithConversations, workspaceWithConversations } from '../conversations.ts';
import { twoQuestions } from './two-questions.ts';

// Two replicas of the service that receive each other's changes over NATS, and the promises that hold without it.

let nats: PrivateNats;
let service: Interactions;
let other: Awaited<ReturnType<Interactions['startReplica']>>;
let here: WorkspaceWithConversations;
let there: WorkspaceWithConversations;
let bot: string;

beforeAll(async () => {
  nats = await startPrivateNats();
  service = await startInteractions({ natsUrl: nats.url });
  other = await service.startReplica();
  here = workspaceWithConversations(service);
  there = workspaceWithConversations({ ...service, ...other }, here.workspaceId);
  bot = await here.publish(twoQuestions());
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await nats[Symbol.asyncDispose]();
});

/** Returns after how many milliseconds a reader at this replica gets a conversation that started at the other one. */
async function hearingMs(): Promise<number> {
  const { id } = await here.offer(bot);
  const session = here.session();
  const reading = here.read(session, id, { waitSeconds: 25 });
  // When a later read of the same row returns, the earlier one waits.
  await here.read(session, id);
  await here.read(session, id);
  await there.begin(session, id);
  const from = performance.now();
  expect(await reading).toMatchObject({ status: 'InProgress', seq: 2 });
  return performance.now() - from;
}

/** Returns the times of this many conversations, one after another. */
async function hearing(conversations: number): Promise<number[]> {
  const times: number[] = [];
  for (let conversation = 0; conversation < conversations; conversation += 1) times.push(await hearingMs());
  return times;
}

it('a change at one replica reaches the other far sooner than its next read of the database', async () => {
  // The first ones may precede the connections.
  await hearing(2);
  expect(Math.max(...(await hearing(20)))).toBeLessThan(500);
});

it('other changes arrive too: by the backend, and by the clock', async () => {
  const session = here.session();
  const { id } = await here.offer(bot);
  const reading = here.read(session, id, { waitSeconds: 25 });
  await here.read(session, id);
  await here.read(session, id);
  await there.update(id, { status: 'Completed' });
  const from = performance.now();
  expect(await reading).toMatchObject({ status: 'Completed' });
  expect(performance.now() - from).toBeLessThan(500);

  const short = await here.offer(bot, { expirySeconds: 1.5 });
  const began = performance.now();
  expect(await here.read(session, short.id, { waitSeconds: 25 })).toMatchObject({ status: 'Expired' });
  expect(performance.now() - began).toBeLessThan(2_500);
});

it('without NATS changes arrive within a second, and at once after its return', async () => {
  await nats.stop();
  expect(Math.max(...(await hearing(5)))).toBeLessThan(1_000);
  await nats.start();
  await expect.poll(async () => Math.max(...(await hearing(3))), { timeout: 20_000 }).toBeLessThan(500);
});
