import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawServer } from './sending.ts';
import { call, completed, type System, startSystem } from './system.ts';

// Answers in the delivery log.

let system: System;
beforeAll(async () => {
  system = await startSystem({ retryDelaysMs: [3_600_000] });
});
afterAll(() => system[Symbol.asyncDispose]());

/** The first attempt of a webhook's first delivery, once it is in the log. */
async function firstAttempt({ workspaceId, id }: { workspaceId: string; id: string }) {
  const log = { workspaceId, webhookId: id, cursor: '', limit: 10 };
  return await eventually(async () => {
    const { deliveries } = await system.deliveries.listDeliveries(
      { ...log, states: [], since: null, until: null },
      call,
    );
    const deliveryId = deliveries[0]?.id ?? '';
    const { attempts } = await system.deliveries.listAttempts({ ...log, deliveryId }, call);
    if (!attempts[0]) throw new Error('no attempt was recorded');
    return attempts[0];
  });
}

test('a receiver that echoes its request puts no secret into the log', async () => {
  const secret = randomBytes(12).toString('hex');
  let signingSecret = '';
  await using receiver = await startReceiver(({ url, headers }) => ({
    status: 500,
    body: JSON.stringify({ url, headers, signingSecret }),
  }));
  const workspaceId = randomUUID();
  const secretToken = `it's "${secret}" & more`;
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url, secretToken });
  const hook = { workspaceId, id };
  ({ signingSecret } = await system.client.rotateSigningSecret({ ...hook, overlapSeconds: 0 }, call));
  const fields = { authorization: `Bearer ${secret}/1`, 'x-key': `<${secret}> & 2`, 'x-tier': 'gold' };
  await system.deliveries.updateWebhookOptions({ ...hook, headers: { fields }, rateLimit: null }, call);
  await system.raise([completed({ workspaceId })]);
  const attempt = await firstAttempt(hook);
  expect(JSON.stringify(receiver.requests[0]?.headers)).toContain(secret);
  const excerpt = attempt.responseExcerpt.toString();
  expect(excerpt).not.toContain(secret);
  expect(JSON.parse(excerpt)).toMatchObject({
    url: '/hook?secretToken=[removed]',
    headers: { authorization: '[removed]', 'x-key': '[removed]', 'x-tier': 'gold', 'x-parley-attempt': '1' },
    signingSecret: '[removed]',
  });
});

test('an answer that breaks off within a secret shows nothing of it', async () => {
  const secretToken = randomBytes(12).toString('hex');
  await using receiver = await rawServer((socket) => {
    const echo = `{"token":"${secretToken.slice(0, -1)}`;
    socket.end(`HTTP/1.1 500 X\r\ncontent-length: 1000\r\n\r\n${echo}`);
  });
  const workspaceId = randomUUID();
  const url = `http://${receiver.host}/`;
  const { id } = await system.createWebhook({ workspaceId, url, secretToken });
  await system.raise([completed({ workspaceId })]);
  const { error, responseExcerpt } = await firstAttempt({ workspaceId, id });
  expect(error).toBe('http_500');
  expect(responseExcerpt.toString()).toBe('{"token":"[removed]');
});

test('the user and password of a field are taken out of an answer that shows them decoded', async () => {
  const credentials = 'ann:a secret';
  await using receiver = await startReceiver(() => ({
    status: 500,
    body: `who is ${credentials}? a%20secret`,
  }));
  const workspaceId = randomUUID();
  const hook = { workspaceId, id: (await system.createWebhook({ workspaceId, url: receiver.url })).id };
  const fields = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  await system.deliveries.updateWebhookOptions({ ...hook, headers: { fields }, rateLimit: null }, call);
  await system.raise([completed({ workspaceId })]);
  const { responseExcerpt } = await firstAttempt(hook);
  expect(responseExcerpt.toString()).toBe('who is [removed]? [removed]');
});
