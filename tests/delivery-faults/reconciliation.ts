import { setTimeout } from 'node:timers/promises';
import { interactionCompleted } from '@parley/contracts/events';
import type { TestWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { openStreamConnection, type StreamConnection } from '@parley/testing/database/stream';
import type { System } from '@parley/local/system';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loseBrokerFiles, type Processes } from '../system/processes.ts';
import type { World } from './world.ts';

// Design, section 5: a committed completion is delivered at least once, whatever process, broker or connection dies at
// any moment; events that the broker loses arrive within a minute.

const rounds = longForm(1);
const completionsPerRound = 100;
/** The time limit for all deliveries after the last fault. */
const minuteMs = 60_000;

const stack = new AsyncDisposableStack();
let system: System;
let processes: Processes;
let stream: StreamConnection;
let workspace: TestWorkspace;
let receiver: Receiver;
let botId: string;

async function setUp(world: World): Promise<void> {
  ({ system, processes } = world);
  stream = stack.use(await openStreamConnection(system.local().natsUrl));
  ({ workspace, botId } = await world.createWorkspace());
  receiver = stack.use(await startReceiver());
  await workspace.api.post('/webhooks', { url: receiver.url, secretToken: 'of a test', isActive: true });
}

const webhookReplicas = ['webhook-1', 'webhook-2'];

const loseAllFiles = (): Promise<void> => loseBrokerFiles(system, processes, (path) => path === 'streams');
const loseFilesOfMessages = (): Promise<void> =>
  loseBrokerFiles(system, processes, (path) => path.endsWith('/msgs'));

async function createPending(count: number): Promise<string[]> {
  const create = async (_: unknown, index: number): Promise<string> => {
    const wanted = { customerId: `c ${index % 10}`, botId, status: 'Pending' };
    const { status, body } = await workspace.api.post<{ id: string }>('/interactions', wanted);
    expect(status).toBe(200);
    return body.data.id;
  };
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(20, count - ids.length) }, create))));
  return ids;
}

/** Completes the interaction, with retries; a rejected attempt may have had its effect. */
async function complete(id: string): Promise<void> {
  for (;;) {
    const { status } = await workspace.api.patch(`/interactions/${id}`, { status: 'Completed' });
    if (status === 200) return;
    expect([503, 504]).toContain(status);
    await setTimeout(50);
  }
}

/** The receiver's requests for each interaction: how often, with which id and which bytes. */
function ledger(): Map<string, { times: number; webhookIds: Set<string>; bodies: Set<string> }> {
  const heard = new Map<string, { times: number; webhookIds: Set<string>; bodies: Set<string> }>();
  for (const { headers, body } of receiver.requests) {
    const text = body.toString();
    const { interaction_id: id } = JSON.parse(text) as { interaction_id: string };
    const one = heard.get(id) ?? { times: 0, webhookIds: new Set(), bodies: new Set() };
    one.times += 1;
    heard.set(id, one);
    one.webhookIds.add(String(headers['webhook-id']));
    one.bodies.add(text);
  }
  return heard;
}

/** Waits until all have been delivered, and returns the number of duplicates, each with one id. */
async function awaitDeliveries(ids: readonly string[], timeoutMs: number): Promise<number> {
  await eventually(
    () => {
      const heard = ledger();
      expect(ids.filter((id) => !heard.has(id))).toEqual([]);
    },
    { timeoutMs, everyMs: 100 },
  );
  const heard = ledger();
  for (const id of ids) expect(heard.get(id)).toMatchObject({ webhookIds: { size: 1 }, bodies: { size: 1 } });
  return ids.filter((id) => (heard.get(id)?.times ?? 0) > 1).length;
}

/**
 * Waits until all completions are processed: only the rows of the delivery log are left, with one attempt each. A
 * killed replica may have sent a duplicate without a record of it.
 */
async function nothingLeftOver(completions: number): Promise<void> {
  await using admin = await openSqlConnection(system.local().postgresUrl);
  await eventually(
    async () => {
      const [left] = await admin.query(
        `select (select count(*)::int from interaction.event_log as log
            where type = $2 and not exists (select from webhook.handled_event where event_id = log.id)) as missing,
          (select count(*)::int from webhook.event where workspace_id = $1) as events, count(*)::int as deliveries,
          count(*) filter (where state = 'succeeded')::int as done,
          (select count(*)::int from webhook.every_attempt where workspace_id = $1) as attempts
         from webhook.delivery where workspace_id = $1`,
        [workspace.id, interactionCompleted.subject],
      );
      const [events, deliveries, done, attempts] = Array.from({ length: 4 }, () => completions);
      expect(left).toEqual({ missing: 0, events, deliveries, done, attempts });
    },
    { timeoutMs: minuteMs, everyMs: 100 },
  );
}

/** How many of the completions the webhook service has stored and processed. */
async function countHeld(ids: readonly string[]): Promise<unknown> {
  await using admin = await openSqlConnection(system.local().postgresUrl);
  const [counts] = await admin.query(
    `select count(*)::int as held, count(*) filter (where state = 'succeeded')::int as done
     from webhook.event left join webhook.delivery on delivery.event_id = event.id where event.about = any($1)`,
    [ids],
  );
  return counts;
}

/** Makes the broker lose its events as soon as there are `events` of them. */
async function loseWaiting(lose: () => Promise<void>, events: number): Promise<void> {
  // Messages that a replica is processing are lost too.
  for (const name of webhookReplicas) processes.freeze(processes.pidOf(name));
  const before = await stream.events();
  await eventually(async () => expect(await stream.events()).toBeGreaterThanOrEqual(before + events));
  await lose();
  await Promise.all(webhookReplicas.map((name) => processes.end(name, 'SIGKILL')));
}

const death = (name: string, signal: NodeJS.Signals) => (): Promise<void> => processes.end(name, signal);
const losses = [loseAllFiles, loseFilesOfMessages, () => stream.purge(), () => stream.deleteEach()];
const eventsPerLoss = 5;
const deaths = [
  death('interaction-1', 'SIGKILL'),
  death('interaction-2', 'SIGKILL'),
  death('postgres', 'SIGINT'),
  death('postgres', 'SIGQUIT'),
  death('nats', 'SIGKILL'),
];

const shuffled = <T>(all: readonly T[]): T[] =>
  all
    .map((one) => ({ one, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);

/** Interactions completed so far, by all tests. */
const completed: string[] = [];

/** Tests of completions that the broker loses, in a system with two replicas of the services that exchange them. */
export function reconciliationTests(world: () => World): void {
  beforeAll(() => setUp(world()));
  afterEach(() => processes.thawAll());
  afterAll(() => stack.disposeAsync());

  test('a broker that lost all messages but not its consumers’ positions skips no new message', async () => {
    const before = await createPending(30);
    await Promise.all(before.map(complete));
    await eventually(async () => expect(await countHeld(before)).toEqual({ held: 30, done: 30 }));
    // New ones have sequences from 1 again, which the durable counts as delivered.
    const [after = '', ...lost] = await createPending(20);
    await Promise.all([loseWaiting(loseFilesOfMessages, lost.length), ...lost.map(complete)]);
    expect(await countHeld(lost)).toEqual({ held: 0, done: 0 });
    await complete(after);
    completed.push(...before, ...lost, after);
    await awaitDeliveries(completed, 45_000);
  });

  test.each(Array.from({ length: rounds }, (_, index) => index + 1))(
    'nothing is lost when all but the gateway dies or loses data during 100 completions, round %i',
    async (round) => {
      const ids = await createPending(completionsPerRound);
      // Each loss has events of its own, so there is something to lose at any speed.
      const losing = losses.map((lose, index) => async (): Promise<void> => {
        const own = ids.slice(index * eventsPerLoss, (index + 1) * eventsPerLoss);
        await Promise.all([loseWaiting(lose, own.length), ...own.map(complete)]);
      });
      const completing = Promise.all(
        ids.slice(losses.length * eventsPerLoss).map(async (id) => {
          await setTimeout(Math.random() * 12_000);
          await complete(id);
        }),
      );
      // Deliveries in flight at a dead replica are free only after a lease; the short form expires it early.
      const faults =
        round === 1 ? [...shuffled(losing), ...shuffled(deaths)] : shuffled([...losing, ...deaths]);
      for (const cause of faults) {
        await setTimeout(Math.random() * 500);
        await cause();
      }
      const lastFaultAt = performance.now();
      await completing;
      completed.push(...ids);
      const repeated = await awaitDeliveries(ids, minuteMs - (performance.now() - lastFaultAt));
      const seconds = Math.round((performance.now() - lastFaultAt) / 1_000);
      await nothingLeftOver(completed.length);
      const counts = `${ids.length} completions, 0 lost, ${repeated} duplicates`;
      if (rounds > 1)
        console.info(`round ${round}: ${counts}, the last one ${seconds} s after the last fault`);
    },
  );
}
