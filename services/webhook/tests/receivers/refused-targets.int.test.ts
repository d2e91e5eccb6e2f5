import { randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { type Receiver, startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Completed, completed, type System, startSystem } from '../system.ts';

// A webhook from before private targets were forbidden.

let system: System;
let receiver: Receiver;
let event: Completed;
let id: string;
beforeAll(async () => {
  system = await startSystem();
  receiver = await startReceiver();
  event = completed();
  ({ id } = await system.createWebhook({ workspaceId: event.workspaceId, url: receiver.url }));
  system.env['ALLOW_PRIVATE_WEBHOOKS'] = 'false';
  await system.stopFirst();
  await system.startReplica();
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

test('a webhook for a private target is rejected with the same text for all', async () => {
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
  const { workspaceId } = event;
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
