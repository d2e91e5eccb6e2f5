import { quietLogger as logger } from '@parley/testing/quiet';
import { openSqlSession } from '@parley/testing/sql';
import { expect, test } from 'vitest';
import { type Disabled, followUp } from '../src/delivering/follow-up.ts';
import type { SettledLane } from '../src/delivering/settle-store.ts';
import { startMetrics } from '../src/delivering/metrics.ts';
import { findWebhook } from '../src/webhooks/store.ts';
import { addEvents, addHook, claim, createStore, type Hook, laneOf, settleAll, unanswered } from './lanes.ts';

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60 * 1_000);

test('a lane whose consequences cannot be written keeps no other from its own, and gets them with its next result', async () => {
  await using store = await createStore();
  const { db } = store;
  using metrics = startMetrics(db);
  const disabled: Disabled[] = [];
  const onDisabled = (one: Disabled): void => void disabled.push(one);
  const options = { db, logger, metrics, onDisabled, onFailing: () => {} };
  /** Has one more delivery of each webhook fail; their lanes in this order. */
  const fail = async (...hooks: Hook[]): Promise<SettledLane[]> => {
    for (const hook of hooks) await addEvents(db, hook, 1);
    const { lanes } = await settleAll(db, await claim(db), unanswered);
    return hooks.flatMap((hook) => lanes.filter((lane) => lane.webhookId === hook.id));
  };

  const refused = await addHook(db, { unanswered: 4 });
  const failing = await addHook(db, { unanswered: 4 });
  const failed = await addHook(db, { failingSince: daysAgo(6), failingAgainAt: daysAgo(5) });
  await using session = await openSqlSession(store.adminUrl);
  await session.query('set search_path = webhook');
  await session.query(`
    create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`);
  await session.query(`
    create trigger refuse before update of openings on lane for each row
    when (new.webhook_id = '${refused.id}') execute function refuse()`);
  await followUp(await fail(refused, failing, failed), options);
  expect(await laneOf(db, refused)).toMatchObject({ openings: 0, unanswered: 5 });
  expect(await laneOf(db, failing)).toMatchObject({ openings: 1 });
  expect(disabled).toMatchObject([{ webhookId: failed.id }]);

  await session.query('drop trigger refuse on lane');
  await followUp(await fail(refused), options);
  expect(await laneOf(db, refused)).toMatchObject({ openings: 1 });
});

test('a webhook that succeeded since it was found to have failed too long is not disabled', async () => {
  await using store = await createStore();
  const { db } = store;
  using metrics = startMetrics(db);
  const disabled: Disabled[] = [];
  const onDisabled = (one: Disabled): void => void disabled.push(one);
  const hook = await addHook(db, { failingSince: daysAgo(6), failingAgainAt: daysAgo(5) });
  await addEvents(db, hook, 3);
  const [first = [], second = [], third = []] = (await claim(db)).map((one) => [one]);
  const { lanes } = await settleAll(db, first, unanswered);
  await settleAll(db, second);
  await settleAll(db, third, unanswered);
  await followUp(lanes, { db, logger, metrics, onDisabled, onFailing: () => {} });
  expect(disabled).toEqual([]);
  expect(await findWebhook(db, hook.workspaceId, hook.id)).toMatchObject({ isActive: true });
});
