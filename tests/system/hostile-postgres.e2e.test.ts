import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System } from '@parley/local/system';
import { certificate } from '@parley/testing/peers/certificate';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { startHostilePostgres } from '@parley/testing/servers/hostile-postgres';
import { startReceiver } from '@parley/testing/peers/receiver';
import { openSqlConnection } from '@parley/testing/database/sql';
import { startTestSystem } from '@parley/testing/setup/system';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymise } from '../customers/anonymise.ts';
import { createConversationWorkspace } from '../conversations/conversation.ts';
import { createDeliveringWorkspace, interactionIdsOf } from '../webhooks/delivering-workspace.ts';
import { restoreTests } from './restores.ts';

// The core on PostgreSQL 15 with settings far from the defaults and German messages, over TLS with an authority of its
// own.

const stack = new AsyncDisposableStack();
let obstacle: string | undefined;
let system: System;

beforeAll(async () => {
  const server = await startHostilePostgres(stack, ['max_connections=150']);
  if (typeof server === 'string') {
    obstacle = server;
    return;
  }
  const authority = join(stack.use(await temporaryFolder('authority')).path, 'authority.pem');
  await writeFile(authority, certificate.cert);
  const url = new URL(server.url);
  url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: authority }).toString();
  system = stack.use(await startTestSystem({ env: { DATABASE_URL: url.href } }));
});
afterAll(() => stack.disposeAsync());
beforeEach(({ skip }) => {
  if (obstacle) skip(obstacle);
});

/** Within a minute of now: a date in another order or zone is not. */
const isRecent = (text: string | null | undefined): boolean =>
  Math.abs(Date.parse(text ?? '') - Date.now()) < 60_000;

test('customers, interactions and conversations have the right times, totals and texts', async () => {
  const { baseUrl } = system.local();
  const { workspace, browser, begin, read } = await createConversationWorkspace(baseUrl, system.operator);
  const { id, snapshot } = await begin({ expiry: 3_600 });
  const asked = await browser.say(id, snapshot, { value: 9 });
  const ended = await browser.say(id, asked, { text: 'Schöne Grüße: \\ "50 %"' });
  expect(ended).toMatchObject({
    status: 'Completed',
    entries: expect.arrayContaining([
      expect.objectContaining({ type: 'customer', body: 'Schöne Grüße: \\ "50 %"' }),
    ]),
  });
  expect(ended.entries.every(({ timestamp }) => Math.abs(timestamp * 1_000 - Date.now()) < 60_000)).toBe(
    true,
  );
  expect(isRecent((await read(id)).createdAt)).toBe(true);
  const { body } = await workspace.api.get<{ id: string }[]>('/interactions?status=Completed');
  expect([body.data.map((one) => one.id), body.meta]).toMatchObject([[id], { totalResults: 1 }]);

  const erasure = await anonymise(workspace, 'c');
  expect([erasure.requestedAt, erasure.completedAt].map(isRecent)).toEqual([true, true]);
});

test('a completion is delivered, logged and, after the loss of partitions, recovered at once', async () => {
  const { baseUrl, postgresUrl } = system.local();
  const { webhooks, complete, hookTo, deliveryOf } = await createDeliveringWorkspace(
    baseUrl,
    system.operator,
  );
  await using receiver = await startReceiver();
  const webhookId = await hookTo(receiver);
  await webhooks.updateOptions(webhookId, { rateLimit: { perSecond: 0.333, burst: 10 } });
  expect(await webhooks.getOptions(webhookId)).toMatchObject({ rateLimit: { perSecond: 0.333 } });
  const first = await complete();
  const delivery = await deliveryOf(webhookId, first, { state: 'succeeded', attempts: 1 });
  expect([delivery.createdAt, delivery.finishedAt].map(isRecent)).toEqual([true, true]);

  await using admin = await openSqlConnection(postgresUrl);
  const partitions = await admin.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent in ('webhook.finished_delivery'::regclass, 'webhook.attempt'::regclass)`,
  );
  await admin.query(`drop table ${partitions.map(({ name }) => name).join(', ')}`);
  const second = await complete();
  await deliveryOf(webhookId, second, { state: 'succeeded' });
  await eventually(() => expect(interactionIdsOf(receiver.requests)).toEqual([first, second]));
});

// With the dumps that an operator makes. The other Postgres of tests comes without pg_dump.
describe('a restore', () => restoreTests(() => system));
