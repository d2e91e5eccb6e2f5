import { randomUUID } from 'node:crypto';
import { openSqlSession } from '@parley/testing/sql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceBodies } from '../src/intake/redaction-store.ts';
import {
  addEvents,
  addHook,
  claim,
  createStore,
  result,
  type Store,
  setOptions,
  settleAll,
} from './lanes.ts';
import { holdLane, somebodyWaits } from './locks.ts';
import { addOrdered, eventIds } from './ordered.ts';

// Transactions about an ordered webhook that meet: nobody waits for ever, and nobody is left waiting.

let store: Store;
beforeEach(async () => {
  store = await createStore();
});
afterEach(() => store[Symbol.asyncDispose]());

test('an event that comes while the one before is being finished does not wait for it for ever', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  await addEvents(db, hook, 1);
  await using settling = await openSqlSession(store.adminUrl);
  await holdLane(settling, hook);
  const adding = addEvents(db, hook, 1);
  await somebodyWaits(settling);
  await settling.query('delete from webhook.open_delivery where webhook_id = $1', [hook.id]);
  await settling.query('update webhook.lane set ready_at = ready_at where webhook_id = $1', [hook.id]);
  await settling.query('commit');
  const added = await adding;
  expect(eventIds(await claim(db))).toEqual(added);
});

test('whoever replaces bodies holds no delivery while it waits for a lane', async () => {
  const { db } = store;
  const hook = await addOrdered(db, 'strict');
  const [eventId = ''] = await addEvents(db, hook, 1);
  await using settling = await openSqlSession(store.adminUrl);
  await holdLane(settling, hook);
  const owner = { workspaceId: hook.workspaceId, customerId: 'c-1', customerVersion: 1 };
  const replacing = replaceBodies(db, owner, [{ eventId, body: Buffer.from('{"gone":true}') }]);
  await somebodyWaits(settling);
  const held = await settling.query(
    'select id from webhook.open_delivery where webhook_id = $1 for update nowait',
    [hook.id],
  );
  expect(held).toHaveLength(1);
  await settling.query('commit');
  await replacing;
  expect(await claim(db)).toMatchObject([{ eventId, body: Buffer.from('{"gone":true}') }]);
});

test('bodies are replaced while what is about the same customer is delivered one after another', async () => {
  const { db } = store;
  const workspaceId = randomUUID();
  const hooks = await Promise.all(
    Array.from({ length: 3 }, () => addHook(db, { workspaceId, isPrompt: true, inFlightMax: 32 })),
  );
  for (const hook of hooks) await setOptions(db, hook, { ordering: 'strict' });
  const [hook] = hooks;
  if (!hook) throw new Error('no webhook');
  const ids = await addEvents(db, hook, 60);
  const replace = async (customerVersion: number): Promise<void> => {
    const bodies = ids.map((eventId) => ({ eventId, body: Buffer.from('{"gone":true}') }));
    await replaceBodies(db, { workspaceId, customerId: 'c-1', customerVersion }, bodies);
  };
  const deliver = async (): Promise<number> => {
    let done = 0;
    for (let empty = 0; empty < 20; ) {
      const claimed = await claim(db);
      if (claimed.length > 0)
        done += claimed.length - (await settleAll(db, claimed, result())).lateIds.length;
      empty = claimed.length === 0 ? empty + 1 : 0;
    }
    return done;
  };
  const replacing = async (): Promise<void> => {
    for (let round = 1; round <= 15; round += 1) await replace(round);
  };
  const [done, also] = await Promise.all([deliver(), deliver(), replacing()]);
  expect(done + also + (await deliver())).toBe(180);
}, 60_000);
