import { openDatabase } from '@parley/postgres/connecting/open';
import { eventually } from '@parley/testing/eventually';
import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlConnection } from '@parley/testing/database/sql';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recoverPage } from '../../src/controls/recovery-store.ts';
import type { Tables } from '../../src/schema.ts';
import { activateWebhook, deactivateWebhook } from '../../src/webhooks/store.ts';
import { addFinished, type Controls, startControls } from '../controls.ts';
import { addHook, due } from '../lanes/lanes.ts';
import { dueIds, pass, recoverAll, start, readRecovery } from './recovering.ts';

// A recovery that is interrupted by the death of a replica, a failed page or a deactivation.

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

test('a replica that dies in the middle of a page leaves it unchanged; another one continues from there', async () => {
  const { db, session, url, adminUrl } = controls;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 1_200, state: 'skipped', ago: '2 days' });
  const { id } = await start(controls, hook);
  await recoverPage(db);
  await pass(controls);
  {
    await using blocker = await openSqlConnection(adminUrl);
    await blocker.query('begin');
    await blocker.query(
      `insert into webhook.open_delivery (id, workspace_id, webhook_id, event_id)
       select id, workspace_id, webhook_id, event_id from webhook.finished_delivery where id = $1`,
      [ids[700]],
    );
    await using dying = openDatabase<Tables>({ url, logger });
    const page = recoverPage(dying.db).catch((error: unknown) => error);
    // It has deleted the page from the log, and waits to insert one of its rows.
    const killed = await eventually(async () => {
      const waiting = await session.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%with taken as%'`,
      );
      expect(waiting).toHaveLength(1);
      return waiting;
    });
    expect(killed).toHaveLength(1);
    expect(await page).toBeInstanceOf(Error);
  }
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'running', recovered: 500 });
  expect(await dueIds(controls, hook)).toEqual(ids.slice(0, 500));
  await recoverAll(controls, 2);
  expect(await readRecovery(controls, hook, id)).toMatchObject({ state: 'done', recovered: 1_200 });
  expect(await dueIds(controls, hook)).toEqual(ids);
});

test('one with a failing page blocks no other, and continues after the repair', async () => {
  const { db, session } = controls;
  const [failing, other] = [await addHook(db), await addHook(db)];
  const ids = await addFinished(session, failing, { number: 3, state: 'failed' });
  await addFinished(session, other, { number: 3, state: 'failed' });
  const first = await start(controls, failing);
  const second = await start(controls, other);
  await session.query(
    `create or replace function fail() returns trigger language plpgsql as $$ begin raise 'as a test wants it'; end $$`,
  );
  await session.query(
    `create trigger fail before insert on open_delivery for each row
     when (new.webhook_id = '${failing.id}') execute function fail()`,
  );
  await expect(recoverPage(db)).rejects.toThrow('as a test wants it');
  expect(await recoverPage(db)).toBe(other.id);
  expect(await readRecovery(controls, other, second.id)).toMatchObject({ state: 'done', recovered: 3 });
  expect(await readRecovery(controls, failing, first.id)).toMatchObject({ state: 'running', recovered: 0 });
  expect(await recoverPage(db)).toBeUndefined();
  await session.query('drop trigger fail on open_delivery');
  await recoverAll(controls);
  expect(await readRecovery(controls, failing, first.id)).toMatchObject({ state: 'done', recovered: 3 });
  expect(await dueIds(controls, failing)).toEqual(ids);
});

test('it stops when the webhook is deactivated, also when that one is active again by the next page', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  await addFinished(session, hook, { number: 1_200, state: 'failed', ago: '2 days' });
  const { id } = await start(controls, hook);
  await recoverPage(db);
  await deactivateWebhook(db, { ...hook, version: 1 });
  await activateWebhook(db, { ...hook, version: 2 });
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, id)).toMatchObject({
    state: 'stopped',
    recovered: 500,
    finishedAt: expect.any(Date),
  });
  expect(await dueIds(controls, hook)).toEqual([]);
  const again = await start(controls, hook);
  await deactivateWebhook(db, { ...hook, version: 3 });
  await recoverAll(controls);
  expect(await readRecovery(controls, hook, again.id)).toMatchObject({ state: 'stopped', recovered: 0 });
  await expect(start(controls, hook)).rejects.toMatchObject({
    code: 'failed_precondition',
    type: 'webhook-inactive',
  });
});

test('a webhook that is deactivated in the middle of a page leaves no due delivery', async () => {
  const { db, session } = controls;
  const hook = await addHook(db);
  const ids = await addFinished(session, hook, { number: 500, state: 'failed', ago: '2 days' });
  for (let version = 1; version < 12; version += 2) {
    await start(controls, hook);
    await Promise.all([recoverPage(db), deactivateWebhook(db, { ...hook, version })]);
    await recoverAll(controls);
    expect(await dueIds(controls, hook)).toEqual([]);
    expect(await due(db, [hook])).toEqual([]);
    const made = await session.query('select id from delivery where webhook_id = $1', [hook.id]);
    expect(made).toHaveLength(ids.length);
    await activateWebhook(db, { ...hook, version: version + 1 });
  }
});
