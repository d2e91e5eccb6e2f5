import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recoveriesPerWorkspaceMax, recoverPage } from '../../src/controls/recovery-store.ts';
import { purgeByAge } from '../../src/log/retention-store.ts';
import { deactivateWebhook } from '../../src/webhooks/store.ts';
import { addFinished, call, type Controls, listAll, of, startControls } from '../controls.ts';
import { addHook, due, ownAll, recordAll, refused } from '../lanes/lanes.ts';
import { daysAgo, dueIds, pass, recoverAll, start, readRecovery, type Wanted } from './recovering.ts';

// Undelivered deliveries of a period become due again, page by page.

let controls: Controls;
beforeAll(async () => {
  controls = await startControls();
});
afterAll(() => controls[Symbol.asyncDispose]());
// Every replica recovers for all webhooks.
beforeEach(async () => {
  await controls.session.query('delete from recovery');
  controls.woken.recovery = 0;
});

test('failed and skipped deliveries of a period are due again, unchanged, and no others', async () => {
  const { db, session, woken } = controls;
  const hook = await addHook(db);
  const other = await addHook(db, { workspaceId: hook.workspaceId });
  await addFinished(session, hook, { number: 2, state: 'failed', ago: '11 days' });
  const skipped = await addFinished(session, hook, {
    number: 2,
    state: 'skipped',
    ago: '9 days',
    attempts: 0,
  });
  await addFinished(session, hook, { number: 2, state: 'succeeded', ago: '8 days' });
  const failed = await addFinished(session, hook, { number: 2, state: 'failed', ago: '7 days' });
  await addFinished(session, hook, { number: 2, state: 'skipped', ago: '5 days' });
  await addFinished(session, other, { number: 2, state: 'failed', ago: '7 days' });
  const before = (await listAll(controls, hook)).filter(({ id }) => [...skipped, ...failed].includes(id));
  const recovery = await start(controls, hook, { since: daysAgo(10), until: daysAgo(6) });
  expect(recovery).toMatchObject({
    state: 'running',
    recovered: 0,
    states: ['failed', 'skipped'],
    finishedAt: null,
    replayed: false,
  });
  expect(woken.recovery).toBe(1);
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, recovery.id)).toMatchObject({
    state: 'done',
    recovered: 4,
    finishedAt: expect.any(Date),
  });
  expect(await dueIds(controls, hook)).toEqual([...skipped, ...failed]);
  expect(await dueIds(controls, other)).toEqual([]);
  expect((await listAll(controls, hook)).filter(({ state }) => state === 'pending')).toEqual(
    before.map((delivery) => ({ ...delivery, state: 'pending', dueAt: expect.any(Date), finishedAt: null })),
  );
  const read = await due(db, [hook]);
  expect(read.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual([1, 1, 12, 12]);
  await recordAll(db, await ownAll(db), read);
  expect(await listAll(controls, hook)).toHaveLength(10);
});

test('only the requested states are recovered; without an end, all until now', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  await addFinished(session, hook, { number: 3, state: 'skipped' });
  const failed = await addFinished(session, hook, { number: 3, state: 'failed', ago: '0 seconds' });
  const { id } = await start(controls, hook, { states: ['failed', 'failed'] });
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, id)).toMatchObject({
    state: 'done',
    recovered: 3,
    states: ['failed'],
  });
  expect(await dueIds(controls, hook)).toEqual(failed);
});

test('a page has five hundred, oldest first, and the next one follows a second later', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const old = await addFinished(session, hook, { number: 300, state: 'failed', ago: '3 days' });
  const recent = await addFinished(session, hook, { number: 700, state: 'skipped', ago: '1 day' });
  const { id } = await start(controls, hook);
  expect(await recoverPage(db)).toBe(hook.id);
  expect(
    await session.query(`select from recovery where next_at < created_at + interval '1 second'`),
  ).toEqual([]);
  await session.query(`update recovery set next_at = now() + interval '1 hour'`);
  expect(await recoverPage(db)).toBeUndefined();
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'running', recovered: 500 });
  expect(await dueIds(controls, hook)).toEqual([...old, ...recent.slice(0, 200)]);
  expect(await due(db, [hook], 501)).toHaveLength(500);
  await pass(controls);
  expect(await recoverPage(db)).toBe(hook.id);
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'running', recovered: 1_000 });
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'done', recovered: 1_000 });
});

test('several replicas share the work: every delivery is made due once, and counted once', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 1_800, state: 'failed', ago: '3 days' });
  const other = await addHook(db);
  await addFinished(session, other, { number: 700, state: 'skipped', ago: '3 days' });
  // Two of the same webhook: together they count each delivery once.
  const recoveries = [await start(controls, hook), await start(controls, hook), await start(controls, other)];
  const owner = await ownAll(db);
  let isRecovering = true;
  const recovering = recoverAll(controls, 4).finally(() => (isRecovering = false));
  // Meanwhile some are delivered, and some of these finally fail once more.
  while (isRecovering) {
    const read = await due(db, [hook, other], 10);
    await recordAll(db, owner, read.slice(0, 3), refused, { next: { state: 'failed', isGone: false } });
    await recordAll(db, owner, read.slice(3));
  }
  await recovering;
  const [first, second, third] = await Promise.all(
    recoveries.map(async ({ id }, index) => readRecovery(controls, index < 2 ? hook : other, id)),
  );
  expect([first, second, third].map((recovery) => recovery?.state)).toEqual(['done', 'done', 'done']);
  expect(third?.recovered).toBe(700);
  const attempts = await session.query<{ made: number; attempts: number }>(
    `select count(*)::int as made, max(attempts) as attempts from delivery where webhook_id = $1`,
    [hook.id],
  );
  expect(attempts[0]?.made).toBe(ids.length);
  // Both may have recovered one that failed in between; neither misses one.
  expect((first?.recovered ?? 0) + (second?.recovered ?? 0)).toBeGreaterThanOrEqual(ids.length);
  const untouched = 'select id from finished_delivery where webhook_id = $1 and attempts = 11';
  expect(await session.query(untouched, [hook.id])).toEqual([]);
});

test('a delivery whose event is deleted is skipped', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 520, state: 'failed', ago: '2 days' });
  await session.query(
    `delete from event where id in (select event_id from finished_delivery where id = any($1))`,
    [[...ids.slice(0, 505), ids.at(-1)]],
  );
  const { id } = await start(controls, hook);
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'done', recovered: 14 });
  expect(await dueIds(controls, hook)).toEqual(ids.slice(505, -1));
});

test('under an idempotency key it is started once', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const idempotency = { scope: randomUUID(), fingerprint: Buffer.from('body') };
  const since = daysAgo(1);
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => start(controls, hook, { since, idempotency })),
  );
  const started = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(new Set(started.map(({ id }) => id)).size).toBe(1);
  expect(started.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await session.query('select id from recovery')).toHaveLength(1);
  // A replay returns the same answer, even if the webhook has changed.
  await deactivateWebhook(db, { ...hook, version: 1 });
  expect(await start(controls, hook, { since, idempotency })).toMatchObject({
    id: started[0]?.id,
    replayed: true,
  });
});

test('a recovery needs a period that begins in the past', async () => {
  const hook = await addHook(controls.db);
  const faults = (wanted: Wanted) =>
    start(controls, hook, wanted).then(
      () => [],
      (error: unknown) => (error as { faults: { pointer: string }[] }).faults.map(({ pointer }) => pointer),
    );
  const now = new Date();
  expect(await faults({ since: null })).toEqual(['/since']);
  expect(await faults({ since: now, until: now })).toEqual(['/since']);
  expect(await faults({ since: daysAgo(-1) })).toEqual(['/since']);
  expect(await faults({ since: daysAgo(1), until: daysAgo(-1) })).toEqual([]);
});

test('a workspace has at most twenty running recoveries, and others are not affected', async () => {
  const { db } = controls;
  const hook = await addHook(db);
  for (let n = 0; n < recoveriesPerWorkspaceMax; n += 1) await start(controls, hook);
  await expect(start(controls, hook)).rejects.toMatchObject({ type: 'too-many-recoveries' });
  await start(controls, await addHook(db));
  await recoverAll(controls);
  expect(await start(controls, hook)).toMatchObject({ state: 'running' });
});

test('finished recoveries are kept for thirty days', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const [old, recent, running] = [
    await start(controls, hook),
    await start(controls, hook),
    await start(controls, hook),
  ];
  await recoverAll(controls);
  await session.query(
    `update recovery set created_at = now() - case when id = $2 then 29 else 31 end * interval '1 day',
       state = case when id = $1 then 'running' else state end,
       finished_at = case when id = $1 then null else finished_at end`,
    [running.id, recent.id],
  );
  expect(await purgeByAge(db, { eventRetentionDays: 30 })).toBe(false);
  await expect(readRecovery(controls, hook, old.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await readRecovery(controls, hook, recent.id)).toMatchObject({ state: 'done' });
  expect(await readRecovery(controls, hook, running.id)).toMatchObject({ state: 'running' });
});

test('recoveries of a webhook are listed the newest first, in pages, and those of no other webhook', async () => {
  const hook = await addHook(controls.db);
  const other = await addHook(controls.db, { workspaceId: hook.workspaceId });
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.unshift((await start(controls, hook)).id);
  await start(controls, other);
  const list = (cursor: string, limit = 2) =>
    controls.client.listRecoveries({ ...of(hook), cursor, limit }, call);
  const first = await list('');
  const last = await list(first.nextCursor);
  expect([...first.recoveries, ...last.recoveries].map(({ id }) => id)).toEqual(ids);
  expect(last.nextCursor).toBe('');
  expect(first.recoveries[0]).toEqual(await readRecovery(controls, hook, ids[0] ?? ''));
  const elsewhere = { workspaceId: randomUUID(), webhookId: hook.id, cursor: '', limit: 2 };
  await expect(controls.client.listRecoveries(elsewhere, call)).rejects.toMatchObject({ code: 'not_found' });
  await expect(list('nonsense')).rejects.toMatchObject({ code: 'invalid_argument' });
});
