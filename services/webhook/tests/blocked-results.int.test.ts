import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/receiver';
import { openSqlSession, type SqlSession } from '@parley/testing/sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBacklog } from './backlog.ts';
import { type Hook, setOptions } from './lanes.ts';
import { lockLane, oneWaits } from './locks.ts';
import { finishedOf, openOf } from './ordered.ts';
import { completed, type System, startSystem } from './system.ts';

// Results that cannot be recorded yet, and the deliveries that continue meanwhile.

let system: System;
let session: SqlSession;
let receiver: Receiver;
/** Answers the deliveries that go to `/held`. */
let answer: () => void;
beforeAll(async () => {
  system = await startSystem({ totalTimeoutMs: 100_000 });
  session = await openSqlSession(system.adminUrl);
  const answering = Promise.withResolvers<{ status: number }>();
  answer = () => answering.resolve({ status: 200 });
  receiver = await startReceiver(({ url }) =>
    url.startsWith('/held') ? answering.promise : { status: 200 },
  );
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await system[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

/** Adds a webhook in its own workspace, whose deliveries go to this path. */
async function addHookAt(path: string): Promise<Hook> {
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: new URL(path, receiver.url).href });
  return { workspaceId, id };
}

/** Delivers an event to each of these. */
const raise = (hooks: readonly Hook[]) =>
  system.raise(hooks.map(({ workspaceId }) => completed({ workspaceId })));

const requestsAt = (path: string) => receiver.requests.filter(({ url }) => url.startsWith(path));

test('while results wait for a locked lane, other webhooks are served, and all results are recorded afterwards', async () => {
  const held = await addHookAt('/held');
  await setOptions(system.db, held, { ordering: 'strict' });
  await raise([held, held]);
  await eventually(() => expect(requestsAt('/held')).toHaveLength(1));
  const others = await Promise.all(Array.from({ length: 20 }, () => addHookAt('/other')));
  await lockLane(session, held);
  answer();
  const waiting = await oneWaits(session);
  await raise(others);
  await eventually(() => expect(requestsAt('/other')).toHaveLength(others.length));
  expect(await oneWaits(session)).toEqual(waiting);
  await session.query('commit');
  await eventually(async () => {
    for (const hook of others) expect(await finishedOf(system.db, hook)).toMatchObject([{ attempts: 1 }]);
    expect(await finishedOf(system.db, held)).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
  });
});

test('while deliveries wait to be parked, the other lanes that became due with them are served', async () => {
  const hooks: Hook[] = [];
  for (const path of ['/plain/1', '/ordered', '/plain/2']) hooks.push(await addHookAt(path));
  const [before, ordered, after] = hooks as [Hook, Hook, Hook];
  await setOptions(system.db, ordered, { ordering: 'strict' });
  const dueAt = new Date(Date.now() + 5_000).toISOString();
  await addBacklog(session, ordered, {
    number: 1,
    key: '',
    dueAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await addBacklog(session, ordered, { number: 1, key: '', dueAt });
  for (const hook of [before, after]) await addBacklog(session, hook, { number: 1, dueAt });
  await session.query('begin');
  await session.query('select from webhook.open_delivery where webhook_id = $1 for update', [ordered.id]);
  await oneWaits(session);
  await eventually(() => expect(requestsAt('/plain')).toHaveLength(2));
  await session.query('rollback');
  expect(requestsAt('/ordered')).toEqual([]);
});

test('a result that cannot be recorded delays no other, and its delivery is not duplicated', async () => {
  const hooks = await Promise.all(Array.from({ length: 6 }, (_, at) => addHookAt(`/broken/${at}`)));
  const [broken, ...others] = hooks;
  if (!broken) throw new Error('there is no webhook');
  await session.query(`
    create function webhook.refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused by a test'; end $$;
    create trigger refuse before insert on webhook.finished_delivery
      for each row when (new.webhook_id = '${broken.id}') execute function webhook.refuse()`);
  await raise(hooks);
  await eventually(
    async () => {
      for (const hook of others)
        expect(await finishedOf(system.db, hook)).toMatchObject([{ state: 'succeeded' }]);
    },
    { timeoutMs: 20_000 },
  );
  expect(await openOf(system.db, broken)).toHaveLength(1);
  await session.query('drop trigger refuse on webhook.finished_delivery');
  await eventually(async () =>
    expect(await finishedOf(system.db, broken)).toMatchObject([{ state: 'succeeded', attempts: 1 }]),
  );
  expect(requestsAt('/broken/0')).toHaveLength(1);
});
