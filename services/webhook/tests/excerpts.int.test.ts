import { randomBytes, randomUUID } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/receiver';
import { expect, test } from 'vitest';
import { call, completed, startSystem } from './system.ts';

// What the log shows of answers.

test('a receiver that echoes its request puts no secret into the log', async () => {
  const secret = randomBytes(12).toString('hex');
  let signingSecret = '';
  await using receiver = await startReceiver(({ url, headers }) => ({
    status: 500,
    body: JSON.stringify({ url, headers, signingSecret }),
  }));
  await using system = await startSystem({ retryDelaysMs: [3_600_000] });
  const workspaceId = randomUUID();
  const secretToken = `it's "${secret}" & more`;
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url, secretToken });
  const hook = { workspaceId, id };
  ({ signingSecret } = await system.client.rotateSigningSecret({ ...hook, overlapSeconds: 0 }, call));
  const fields = { authorization: `Bearer ${secret}/1`, 'x-key': `"${secret}" \\ 2`, 'x-tier': 'gold' };
  await system.deliveries.updateWebhookOptions({ ...hook, headers: { fields }, rateLimit: null }, call);
  await system.raise([completed({ workspaceId })]);
  const log = { workspaceId, webhookId: id, cursor: '', limit: 10 };
  const attempt = await eventually(async () => {
    const { deliveries } = await system.deliveries.listDeliveries(
      { ...log, states: [], since: null, until: null },
      call,
    );
    const deliveryId = deliveries[0]?.id ?? '';
    const { attempts } = await system.deliveries.listAttempts({ ...log, deliveryId }, call);
    if (!attempts[0]) throw new Error('no attempt was recorded');
    return attempts[0];
  });
  expect(JSON.stringify(receiver.requests[0]?.headers)).toContain(secret);
  const excerpt = attempt.responseExcerpt.toString();
  expect(excerpt).not.toContain(secret);
  expect(JSON.parse(excerpt)).toMatchObject({
    url: '/hook?secretToken=[removed]',
    headers: { authorization: '[removed]', 'x-key': '[removed]', 'x-tier': 'gold', 'x-parley-attempt': '1' },
    signingSecret: '[removed]',
  });
});
