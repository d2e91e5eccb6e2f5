import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import { type Answer, startReceiver } from '@parley/testing/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answering, rawServer } from './sending.ts';
import { completed, type System, startSystem } from './system.ts';

// Faults that users of other products have reported, if they could occur here and no other test covers them.

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

const deliveriesOf = (workspaceId: string, { db } = system) =>
  db
    .selectFrom('delivery')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'state', 'attempts'])
    .execute();

const attemptsOf = (workspaceId: string, { db } = system) =>
  db
    .selectFrom('everyAttempt')
    .where('workspaceId', '=', workspaceId)
    .orderBy('number')
    .select(['number', 'status', 'error', 'responseExcerpt'])
    .execute();

// https://github.com/svix/svix-webhooks/issues/1844: a worker hung after a restart of Redis until it was restarted.
// Downstream (the-momentum/open-wearables#1111) it looped and logged millions of lines.
test('a process reconnects to a broker that has lost its disk, without a restart and with few log lines', async () => {
  await using own = await startSystem();
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  await own.createWebhook({ workspaceId, url: receiver.url });
  await own.stopFirst();
  const main = join(import.meta.dirname, '../src/main.ts');
  const env = { ...process.env, ...own.env, LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const output = () => Buffer.concat(chunks).toString();
  try {
    await eventually(() => expect(output()).toContain('"started"'), { timeoutMs: 60_000 });
    for (let outage = 1; outage <= 2; outage += 1) {
      await own.raise([completed({ workspaceId })]);
      await eventually(() => expect(receiver.requests).toHaveLength(2 * outage - 1), { timeoutMs: 20_000 });
      await own.nats.stop();
      await own.raise([completed({ workspaceId })]);
      await own.nats.start({ wipe: true });
      await eventually(() => expect(receiver.requests).toHaveLength(2 * outage), { timeoutMs: 20_000 });
    }
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
  expect(output().split('\n').length).toBeLessThan(100);
});

// https://github.com/hookdeck/outpost/issues/1017: each delivery opened a connection, until no ports were left.
test('hundreds of deliveries share a few connections', async () => {
  await using receiver = await rawServer(answering());
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: `http://${receiver.host}/` });
  await system.raise(Array.from({ length: 300 }, () => completed({ workspaceId })));
  await eventually(
    async () => {
      const states = (await deliveriesOf(workspaceId)).map(({ state }) => state);
      expect(states).toEqual(Array.from({ length: 300 }, () => 'succeeded'));
    },
    { timeoutMs: 20_000, everyMs: 100 },
  );
  // The maximum in flight.
  expect(receiver.connections.length).toBeLessThanOrEqual(32);
});

// https://github.com/hookdeck/outpost/issues/974: an event whose answer could not be logged was sent for ever.
test('a binary answer of a megabyte is logged, cut to 16 KiB, and its delivery ends', async () => {
  await using receiver = await startReceiver(() => ({ status: 200, body: '\0\uFFFE'.repeat(2 ** 18) }));
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
  );
  const [attempt] = await attemptsOf(workspaceId);
  expect(attempt?.responseExcerpt).toHaveLength(16 * 1_024);
  expect(receiver.requests).toHaveLength(1);
});

// https://github.com/hookdeck/outpost/issues/276: an event whose attempt was already logged was sent for ever.
test('a delivery ends even if its attempt is in the log already', async () => {
  const answer = Promise.withResolvers<Answer>();
  await using receiver = await startReceiver(() => answer.promise);
  const workspaceId = randomUUID();
  await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const [delivery] = await deliveriesOf(workspaceId);
  await system.db
    .insertInto('attempt')
    .values({ deliveryId: delivery?.id ?? '', number: 1, workspaceId, startedAt: new Date(), durationMs: 1 })
    .execute();
  answer.resolve({ status: 200 });
  await eventually(async () =>
    expect(await deliveriesOf(workspaceId)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
  );
  expect(receiver.requests).toHaveLength(1);
});

// https://github.com/hookdeck/outpost/issues/314: deliveries that failed because of DNS were never retried.
test('a delivery to a name that cannot be resolved is retried like any other', async () => {
  // Without a network, no DNS server may answer.
  await using own = await startSystem({ connectTimeoutMs: 1_000 });
  const workspaceId = randomUUID();
  await own.createWebhook({ workspaceId, url: 'http://nowhere.invalid/' });
  await own.raise([completed({ workspaceId })]);
  await eventually(
    async () =>
      expect(await deliveriesOf(workspaceId, own)).toMatchObject([{ state: 'failed', attempts: 4 }]),
    { timeoutMs: 20_000 },
  );
  const failed = { status: null, error: 'dns' };
  expect(await attemptsOf(workspaceId, own)).toMatchObject(
    [1, 2, 3, 4].map((number) => ({ number, ...failed })),
  );
});

// https://github.com/frain-dev/convoy/issues/1833 and 1667: attempts did not count, and retries were due in the past.
test('a delivery that waits for a retry is due in the future, and its attempts are counted', async () => {
  await using own = await startSystem({ retryDelaysMs: [60_000] });
  await using receiver = await startReceiver(() => ({ status: 500 }));
  const workspaceId = randomUUID();
  await own.createWebhook({ workspaceId, url: receiver.url });
  await own.raise([completed({ workspaceId })]);
  const waiting = await eventually(async () => {
    const [row] = await own.db.selectFrom('openDelivery').selectAll().execute();
    expect(row).toMatchObject({ attempts: 1, claimedBy: null });
    return row;
  });
  const waitMs = (waiting?.dueAt.getTime() ?? 0) - Date.now();
  expect(waitMs).toBeGreaterThan(40_000);
  expect(waitMs).toBeLessThanOrEqual(72_000);
});
