import { createPublicKey, verify } from 'node:crypto';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { everythingStored } from '@parley/testing/database/stores';
import { beforeEach, expect, inject, test } from 'vitest';
import { createDeliveringWorkspace, interactionIdsOf } from './delivering-workspace.ts';

// The options of a webhook (docs/decisions/0019), from the receiver's view.

let delivering: Awaited<ReturnType<typeof createDeliveringWorkspace>>;
let webhooks: typeof delivering.webhooks;

beforeEach(async () => {
  delivering = await createDeliveringWorkspace(inject('local').baseUrl, inject('operator'));
  ({ webhooks } = delivering);
});

const value = 'Bearer 4c1f-never-to-be-seen';

test('a header field arrives, and its value is never shown and stored encrypted', async () => {
  const { hookTo } = delivering;
  await using receiver = await startReceiver();
  const webhookId = await hookTo(receiver);
  const none = {
    events: ['InteractionCompleted'],
    filter: null,
    envelope: false,
    headerNames: [],
    rateLimit: null,
    ordering: 'none',
    asymmetricSignature: false,
  };
  expect(await webhooks.getOptions(webhookId)).toEqual({ ...none, publicKeys: [] });
  const { data, etag = '' } = await webhooks
    .updateOptions(webhookId, { headers: { 'X-Key': value, Authorization: value } })
    .answer();
  expect(data).toEqual({ ...none, headerNames: ['authorization', 'x-key'], publicKeys: [] });
  expect((await webhooks.getOptions(webhookId).answer()).etag).toBe(etag);
  const { id } = await webhooks.sendTest(webhookId);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  expect(receiver.requests[0]?.headers).toMatchObject({ authorization: value, 'x-key': value });
  await eventually(async () => {
    expect((await webhooks.deliveries.get(webhookId, id)).state).toBe('succeeded');
  });
  const paths = ['', '/options', '/stats', '/deliveries', `/deliveries/${id}`, `/deliveries/${id}/attempts`];
  for (const path of paths) {
    const { status, body } = await delivering.workspace.api.get(`/webhooks/${webhookId}${path}`);
    expect([path, status, JSON.stringify(body).includes('never-to-be-seen')]).toEqual([path, 200, false]);
  }
  const stored = await everythingStored(inject('local'));
  expect(stored.filter((row) => row.includes('never-to-be-seen'))).toEqual([]);

  await webhooks.updateOptions(webhookId, { headers: {} }, { ifMatch: etag });
  const late = webhooks.updateOptions(webhookId, { ordering: 'strict' }, { ifMatch: etag });
  await expect(late).rejects.toMatchObject({ status: 412 });
  await webhooks.sendTest(webhookId);
  await eventually(() => expect(receiver.requests).toHaveLength(2));
  expect(receiver.requests[1]?.headers).not.toHaveProperty('x-key');
});

test('reserved header fields are rejected with their place', async () => {
  const { hookTo } = delivering;
  await using receiver = await startReceiver();
  const webhookId = await hookTo(receiver);
  const names = ['Host', 'Content-Type', 'Webhook-Id', 'X-Parley-Event', 'Connection', 'traceparent'];
  const headers = Object.fromEntries([...names, 'x-good'].map((name) => [name, 'v']));
  const refused = await webhooks.updateOptions(webhookId, { headers }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400, type: 'invalid-request' });
  const { errors } = refused as { errors: { pointer: string }[] };
  expect(errors.map(({ pointer }) => pointer)).toEqual(names.map((name) => `/headers/${name}`));
  expect((await webhooks.getOptions(webhookId)).headerNames).toEqual([]);
});

test('a header field with a name of the object prototype is rejected with its place', async () => {
  await using receiver = await startReceiver();
  const webhookId = await delivering.hookTo(receiver);
  const headers = JSON.parse('{"__proto__":"value","x-good":"value"}') as Record<string, string>;
  const refused = webhooks.updateOptions(webhookId, { headers });
  const errors = [{ pointer: '/headers/__proto__', detail: 'Is not a known field' }];
  await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid-request', errors });
  expect((await webhooks.getOptions(webhookId)).headerNames).toEqual([]);
});

test('the public key allows verification only', async () => {
  const { hookTo } = delivering;
  await using receiver = await startReceiver();
  const webhookId = await hookTo(receiver);
  const { publicKeys } = await webhooks.updateOptions(webhookId, { asymmetricSignature: true });
  expect(publicKeys).toEqual([expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/)]);
  await webhooks.sendTest(webhookId);
  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const { headers = {}, body } = receiver.requests[0] ?? {};
  const signature = String(headers['webhook-signature']);
  expect(signature).toMatch(/^v1,\S+ v1a,\S+$/);
  const x = Buffer.from(publicKeys[0]?.slice(5) ?? '', 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const [, code = ''] = /v1a,(\S+)/.exec(signature) ?? [];
  const start = [headers['webhook-id'], headers['webhook-timestamp']].join('.');
  const isSigned = (text: string) =>
    verify(null, Buffer.from(`${start}.${text}`), key, Buffer.from(code, 'base64'));
  const text = String(body);
  expect([isSigned(text), isSigned(`${text} `)]).toEqual([true, false]);
});

test('per customer, later deliveries wait for a failing one; other customers continue', async () => {
  const { complete, deliveryOf, hookTo } = delivering;
  let failures = 3;
  await using receiver = await startReceiver(({ body }) => {
    const isFailing = body.includes('"slow"') && failures-- > 0;
    return { status: isFailing ? 500 : 200 };
  });
  const webhookId = await hookTo(receiver);
  await webhooks.updateOptions(webhookId, { ordering: 'perCustomer' });
  const [first, second, third] = [await complete('slow'), await complete('slow'), await complete('slow')];
  const other = await complete('quick');
  for (const id of [other, third]) await deliveryOf(webhookId, id, { state: 'succeeded', attempts: 1 });
  const ids = interactionIdsOf(receiver.requests);
  expect(ids.filter((id) => id !== other)).toEqual([first, first, first, first, second, third]);
});

test('a rate limit applies until it is removed', async () => {
  const { hookTo } = delivering;
  await using receiver = await startReceiver();
  const webhookId = await hookTo(receiver);
  const rateLimit = { perSecond: 0.001, burst: 2 };
  expect(await webhooks.updateOptions(webhookId, { rateLimit })).toMatchObject({ rateLimit });
  for (let index = 0; index < 4; index += 1) await webhooks.sendTest(webhookId);
  await eventually(async () => {
    expect((await webhooks.deliveries.list(webhookId, { state: 'succeeded' })).data).toHaveLength(2);
  });
  expect((await webhooks.getStats(webhookId)).pending).toBe(2);
  expect(await webhooks.updateOptions(webhookId, { rateLimit: null })).toMatchObject({ rateLimit: null });
  await eventually(() => expect(receiver.requests).toHaveLength(4));
});
