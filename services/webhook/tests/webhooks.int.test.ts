import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { call, type System, startSystem } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system[Symbol.asyncDispose]());

const url = 'http://127.0.0.1:9/hook';
const toCreate = (of: object = {}) => ({
  workspaceId: randomUUID(),
  url,
  secretToken: randomUUID(),
  isActive: false,
  events: [],
  idempotency: null,
  ...of,
});

test('a created webhook is returned with its public fields and found again', async () => {
  const { client } = system;
  const request = toCreate({ url: 'http://127.0.0.1:9/Hook?a=b#c' });
  const { webhook } = await client.createWebhook(request, call);
  expect(webhook).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    url: 'http://127.0.0.1:9/Hook?a=b#c',
    isActive: false,
    event: 'InteractionCompleted',
    events: ['InteractionCompleted'],
    version: 1,
  });
  const { workspaceId } = request;
  expect(await client.getWebhook({ workspaceId, id: webhook?.id ?? '' }, call)).toEqual(webhook);
  expect(await client.listWebhooks({ workspaceId, webhookIds: [] }, call)).toEqual({ webhooks: [webhook] });
});

test('the events of a webhook are those of its subscription, whatever an older replica has stored beside it', async () => {
  const { client, db } = system;
  const request = toCreate({ events: ['WebhookDeactivated', 'InteractionStarted'] });
  const { webhook } = await client.createWebhook(request, call);
  const id = webhook?.id ?? '';
  const { workspaceId } = request;
  const shown = {
    event: 'InteractionStarted,WebhookDeactivated',
    events: ['InteractionStarted', 'WebhookDeactivated'],
  };
  expect(webhook).toMatchObject(shown);
  await db
    .updateTable('webhook')
    .set({ event: 'InteractionCreated' })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute();
  expect(await client.getWebhook({ workspaceId, id }, call)).toEqual(webhook);
  const changed = await client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(changed).toMatchObject(shown);
});

test('neither secret is stored in the clear', async () => {
  const { client, db } = system;
  const request = toCreate();
  const { webhook } = await client.createWebhook(request, call);
  const id = webhook?.id ?? '';
  const { signingSecret } = await client.rotateSigningSecret(
    { workspaceId: request.workspaceId, id, overlapSeconds: 0 },
    call,
  );
  const rows = JSON.stringify([
    await db.selectFrom('webhook').where('id', '=', id).selectAll().execute(),
    await db.selectFrom('signingSecret').where('webhookId', '=', id).selectAll().execute(),
  ]);
  expect(rows).not.toContain(request.secretToken);
  expect(rows).not.toContain(signingSecret.slice('whsec_'.length));
});

/** As costly as a condition that is refused in a bot. */
const tooCostly = `evaluation.why${'.lowerAscii()'.repeat(18)} == 'x'`;

test('a creation needs a permitted URL, a filter within the budget, and a secret token of 1 to 256 characters', async () => {
  const refused = async (of: object, pointer: string) =>
    expect(system.client.createWebhook(toCreate(of), call)).rejects.toMatchObject({
      code: 'invalid_argument',
      faults: [{ pointer }],
    });
  await refused({ url: 'ftp://x' }, '/url');
  await refused({ filter: tooCostly }, '/filter');
  await refused({ secretToken: '' }, '/secretToken');
  await refused({ secretToken: '€'.repeat(257) }, '/secretToken');
  await system.client.createWebhook(toCreate({ secretToken: '🙂'.repeat(256) }), call);
});

test('a secret token is unique among the webhooks of a workspace that are not deleted', async () => {
  const { client } = system;
  const request = toCreate();
  const { webhook } = await client.createWebhook(request, call);
  const again = { ...request, url: `${url}/other` };
  await expect(client.createWebhook(again, call)).rejects.toMatchObject({
    code: 'already_exists',
    type: 'secret-token-in-use',
  });
  await client.createWebhook({ ...request, workspaceId: randomUUID() }, call);
  const { secretToken } = request;
  for (const similar of [
    secretToken.toUpperCase(),
    `${secretToken} `,
    `${secretToken}\u0435`,
    `${secretToken}e`,
  ])
    await client.createWebhook({ ...request, secretToken: similar }, call);
  await client.deleteWebhook({ workspaceId: request.workspaceId, id: webhook?.id ?? '' }, call);
  await client.createWebhook(again, call);
});

test('of twenty concurrent creations with one secret token, one succeeds', async () => {
  const request = toCreate();
  const all = await Promise.allSettled(
    Array.from({ length: 20 }, () => system.client.createWebhook(request, call)),
  );
  expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  for (const one of all)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'already_exists' });
});

test('concurrent creations do not exceed the maximum of a workspace; deleted ones do not count', async () => {
  const { client } = system;
  const { webhooksPerWorkspace: max } = readConfig(system.env);
  const workspaceId = randomUUID();
  const create = (of: object = {}) => client.createWebhook(toCreate({ workspaceId, ...of }), call);
  // One after another: they wait for the same lock, and a call does not wait long.
  for (let made = 0; made < max - 2; made += 1) await create();
  const key = (name: string) => ({ scope: `${workspaceId} ${name}`, fingerprint: Buffer.from(name) });
  const last = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => create({ idempotency: n % 2 === 0 ? null : key(`${n}`) })),
  );
  const refused = last.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
  expect(refused).toHaveLength(18);
  for (const reason of refused) {
    expect(reason).toMatchObject({ code: 'failed_precondition', type: 'too-many-webhooks' });
  }
  const { webhooks } = await client.listWebhooks({ workspaceId, webhookIds: [] }, call);
  expect(webhooks).toHaveLength(max);

  await client.createWebhook(toCreate(), call);
  await client.deleteWebhook({ workspaceId, id: webhooks[0]?.id ?? '' }, call);
  await create();
  await expect(create()).rejects.toMatchObject({ type: 'too-many-webhooks' });
});

test('a creation under an idempotency key has one effect and the same answer', async () => {
  const { client } = system;
  const idempotency = { scope: randomUUID(), fingerprint: Buffer.from('body') };
  const request = toCreate({ idempotency });
  const first = await client.createWebhook(request, call);
  const second = await client.createWebhook(request, call);
  expect(second).toEqual({ webhook: first.webhook, replayed: true });
  expect((await client.listWebhooks({ ...request, webhookIds: [] }, call)).webhooks).toHaveLength(1);
  const other = { ...request, idempotency: { ...idempotency, fingerprint: Buffer.from('another') } };
  await expect(client.createWebhook(other, call)).rejects.toMatchObject({ code: 'unprocessable' });
});

test('a rejected creation does not consume its idempotency key', async () => {
  const { client } = system;
  const taken = toCreate();
  await client.createWebhook(taken, call);
  const idempotency = { scope: randomUUID(), fingerprint: Buffer.from('body') };
  await expect(client.createWebhook({ ...taken, idempotency }, call)).rejects.toMatchObject({
    code: 'already_exists',
  });
  const { replayed } = await client.createWebhook(toCreate({ idempotency }), call);
  expect(replayed).toBe(false);
});

test('lists are oldest first and of one workspace', async () => {
  const { client } = system;
  const workspaceId = randomUUID();
  const ids: string[] = [];
  for (let made = 0; made < 5; made += 1) ids.push((await system.createWebhook({ workspaceId, url })).id);
  await system.createWebhook({ workspaceId: randomUUID(), url });
  const { webhooks } = await client.listWebhooks({ workspaceId, webhookIds: [] }, call);
  expect(webhooks.map((webhook) => webhook.id)).toEqual(ids);
});

test('a change of isActive raises the version, the same value changes nothing', async () => {
  const { client } = system;
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url, isActive: false });
  const active = await client.updateWebhook({ workspaceId, id, isActive: true }, call);
  expect(active).toMatchObject({ isActive: true, version: 2 });
  expect(await client.updateWebhook({ workspaceId, id, isActive: true }, call)).toEqual(active);
  expect(await client.updateWebhook({ workspaceId, id, isActive: false }, call)).toMatchObject({
    isActive: false,
    version: 3,
  });
});

test('a change for another version is rejected without effect', async () => {
  const { client } = system;
  const workspaceId = randomUUID();
  const webhook = await system.createWebhook({ workspaceId, url });
  const { id } = webhook;
  await expect(
    client.updateWebhook({ workspaceId, id, isActive: false, ifVersion: 2 }, call),
  ).rejects.toMatchObject({
    code: 'aborted',
  });
  await expect(client.deleteWebhook({ workspaceId, id, ifVersion: 2 }, call)).rejects.toMatchObject({
    code: 'aborted',
  });
  expect(await client.getWebhook({ workspaceId, id }, call)).toEqual(webhook);
  expect(await client.updateWebhook({ workspaceId, id, isActive: false, ifVersion: 1 }, call)).toMatchObject({
    version: 2,
  });
});

test('a deleted webhook cannot be read or changed, and its secrets are deleted', async () => {
  const { client, db } = system;
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url });
  await client.deleteWebhook({ workspaceId, id }, call);
  const gone = { code: 'not_found' };
  await expect(client.getWebhook({ workspaceId, id }, call)).rejects.toMatchObject(gone);
  await expect(client.updateWebhook({ workspaceId, id, isActive: true }, call)).rejects.toMatchObject(gone);
  await expect(client.deleteWebhook({ workspaceId, id }, call)).rejects.toMatchObject(gone);
  await expect(
    client.rotateSigningSecret({ workspaceId, id, overlapSeconds: 0 }, call),
  ).rejects.toMatchObject(gone);
  expect(await client.listWebhooks({ workspaceId, webhookIds: [] }, call)).toEqual({ webhooks: [] });
  expect(
    await db
      .selectFrom('webhook')
      .where('id', '=', id)
      .select(['secretToken', 'isActive'])
      .executeTakeFirst(),
  ).toEqual({ secretToken: null, isActive: false });
  expect(await db.selectFrom('signingSecret').where('webhookId', '=', id).select('id').execute()).toEqual([]);
});

test('a foreign, an unknown and a malformed webhook id have the same error', async () => {
  const { client } = system;
  const { id } = await system.createWebhook({ workspaceId: randomUUID(), url });
  const workspaceId = randomUUID();
  for (const unknown of [id, randomUUID(), 'no-id', '']) {
    const gone = { code: 'not_found', message: 'There is no such resource' };
    await expect(client.getWebhook({ workspaceId, id: unknown }, call)).rejects.toMatchObject(gone);
    await expect(
      client.updateWebhook({ workspaceId, id: unknown, isActive: true }, call),
    ).rejects.toMatchObject(gone);
    await expect(client.deleteWebhook({ workspaceId, id: unknown }, call)).rejects.toMatchObject(gone);
    const rotating = client.rotateSigningSecret({ workspaceId, id: unknown, overlapSeconds: 0 }, call);
    await expect(rotating).rejects.toMatchObject(gone);
  }
});

test('an overlap is between zero and a week', async () => {
  const { client } = system;
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url });
  for (const overlapSeconds of [-1, 604_801]) {
    const rotating = client.rotateSigningSecret({ workspaceId, id, overlapSeconds }, call);
    await expect(rotating).rejects.toMatchObject({ faults: [{ pointer: '/overlapSeconds' }] });
  }
  const { signingSecret } = await client.rotateSigningSecret(
    { workspaceId, id, overlapSeconds: 604_800 },
    call,
  );
  expect(signingSecret).toMatch(/^whsec_/);
});
