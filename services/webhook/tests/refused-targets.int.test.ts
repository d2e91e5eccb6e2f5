import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { expect, test } from 'vitest';
import { call, completed, startSystem } from './system.ts';

test('a webhook for a private target is rejected with the same text for all', async () => {
  await using system = await startSystem({ allowsPrivate: false });
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const refusals = [
    `https://127.0.0.1:${port}/`,
    'https://127.1:1025/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/',
    'https://postgres.internal/',
  ].map((url) =>
    system.createWebhook({ workspaceId: randomUUID(), url }).then(
      () => 'made',
      (error: unknown) => error,
    ),
  );
  const fault = { pointer: '/url', detail: 'Must not point to a private or special address' };
  for (const refusal of await Promise.all(refusals)) {
    expect(refusal).toMatchObject({ code: 'invalid_argument', faults: [fault] });
  }
  const outside = { workspaceId: randomUUID(), url: 'https://hooks.example.com/' };
  expect(await system.createWebhook({ ...outside, isActive: false })).toMatchObject({ url: outside.url });
});

test('deliveries to a private target end at once, and log and connections reveal nothing', async () => {
  await using system = await startSystem();
  await using receiver = await startReceiver();
  const event = completed();
  const { workspaceId } = event;
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  system.env['ALLOW_PRIVATE_WEBHOOKS'] = 'false';
  await system.stopFirst();
  await system.startReplica();
  await system.raise([event]);
  await eventually(async () => {
    expect(await system.db.selectFrom('delivery').select(['state', 'attempts']).execute()).toEqual([
      { state: 'failed', attempts: 1 },
    ]);
  });
  const attempts = await system.db
    .selectFrom('everyAttempt')
    .select(['durationMs', 'status', 'error', 'responseExcerpt'])
    .execute();
  expect(attempts).toEqual([
    { durationMs: 0, status: null, error: 'blocked_address', responseExcerpt: null },
  ]);
  expect(receiver.requests).toEqual([]);
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({ isActive: true });
});
