import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import type { UpdateWebhookOptionsRequest } from '@parley/contracts/webhook/v1/delivery';
import { checkRequest } from '@parley/rpc/request-rules';
import { keyring } from '@parley/runtime/config/keyring';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { sql } from 'kysely';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { deliveryRules } from '../src/request-rules.ts';
import { optionsHandlers } from '../src/webhooks/options-handlers.ts';
import { deleteWebhook } from '../src/webhooks/store.ts';
import { addHook, createStore, type Hook, laneOf, type Store, setLane } from './lanes/lanes.ts';
import { rawServer } from './receivers/sending.ts';
import { call, completed, type System, startSystem } from './system.ts';

const change = (
  { workspaceId, id }: Hook,
  of: Partial<UpdateWebhookOptionsRequest>,
): UpdateWebhookOptionsRequest => ({
  workspaceId,
  id,
  headers: null,
  rateLimit: null,
  events: [],
  filter: null,
  ...of,
});

const anyTarget = { allowsPrivate: true, allowedNetworks: [] };

let store: Store;
let system: System;
beforeAll(async () => {
  store = await createStore();
  system = await startSystem({ retryDelaysMs: [3_600_000] });
});
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** The handlers, a database without delivering, and a webhook in its own workspace. */
async function handlers() {
  const keys = keyring.parse(`k1:${randomBytes(32).toString('base64')}`);
  const hook = await addHook(store.db);
  const notified: string[] = [];
  const { getWebhookOptions, updateWebhookOptions } = optionsHandlers({
    db: store.db,
    keys,
    onDeliveries: (ids) => notified.push(...ids),
    allowsPrivate: false,
    allowedNetworks: [],
  });
  return {
    db: store.db,
    hook,
    notified,
    get: (of: Hook = hook) => getWebhookOptions(of),
    update: (of: Partial<UpdateWebhookOptionsRequest>, on: Hook = hook) =>
      updateWebhookOptions(change(on, of)),
  };
}

const byDefault = { events: ['InteractionCompleted'], filter: null, isEnveloped: false };
const none = {
  ...byDefault,
  headerNames: [],
  rateLimit: null,
  ordering: 'none',
  isAsymmetric: false,
  publicKeys: [],
};

test('a webhook has no options at first; each change sets the named ones, and raises the version', async () => {
  const options = await handlers();
  expect(await options.get()).toEqual({ ...none, version: 1 });
  await options.update({ headers: { fields: { 'X-B': 'b', authorization: 'Bearer a' } } });
  await options.update({ rateLimit: { rateLimit: { perSecond: 0.5, burst: 3 } } });
  await options.update({ ordering: 'perCustomer' });
  const all = await options.update({ isAsymmetric: true });
  expect(all).toEqual({
    ...byDefault,
    headerNames: ['authorization', 'x-b'],
    rateLimit: { perSecond: 0.5, burst: 3 },
    ordering: 'perCustomer',
    isAsymmetric: true,
    publicKeys: [expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/)],
    version: 5,
  });
  expect(await options.get()).toEqual(all);
  expect((await options.update({ headers: { fields: { c: '' } } })).headerNames).toEqual(['c']);
  const off = {
    headers: { fields: {} },
    rateLimit: { rateLimit: null },
    ordering: 'none',
    isAsymmetric: false,
  };
  expect(await options.update(off)).toEqual({ ...none, version: 7 });
  // The owner of the lane reads all of it again.
  expect(await laneOf(options.db, options.hook)).toMatchObject({ revision: 6 });
  expect(options.notified).toEqual(Array(6).fill(options.hook.id));
});

test('a change without effect raises no version and fills no bucket', async () => {
  const options = await handlers();
  const { db, hook } = options;
  const rateLimit = { rateLimit: { perSecond: 0.001, burst: 2 } };
  const same = {
    headers: { fields: { 'X-B': 'b', authorization: 'Bearer a' } },
    rateLimit,
    ordering: 'strict',
    isAsymmetric: true,
  };
  const before = await options.update(same);
  const drawn = new Date(Date.now() + 3_600_000);
  await setLane(db, hook, { bucketFullAt: drawn });
  expect(await options.update(same)).toEqual(before);
  const otherwise = { headers: { fields: { Authorization: 'Bearer a', 'x-b': 'b' } } };
  expect(await options.update(otherwise)).toEqual(before);
  await expect(options.update({ ...same, ifVersion: 1 })).rejects.toMatchObject({ code: 'aborted' });
  // Nor does an unchanged rate beside another change.
  const version = before.version + 1;
  expect(await options.update({ rateLimit, ordering: 'none' })).toMatchObject({ version });
  expect(await laneOf(db, hook)).toMatchObject({ bucketFullAt: drawn, revision: 2 });
  const values = { headers: { fields: { authorization: 'Bearer b', 'x-b': 'b' } } };
  expect(await options.update(values)).toMatchObject({ version: version + 1 });
});

test('the address and the secret token change for later attempts, and a token stays unique', async () => {
  await using former = await startReceiver(() => ({ status: 500 }));
  await using current = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: former.url });
  const { secretToken: taken } = { secretToken: randomUUID() };
  await system.createWebhook({ workspaceId, url: former.url, secretToken: taken, isActive: false });
  const { keys } = readConfig(system.env);
  const onDeliveries = () => {};
  const options = optionsHandlers({ db: system.db, keys, onDeliveries, ...anyTarget });
  const update = (of: Partial<UpdateWebhookOptionsRequest>) =>
    options.updateWebhookOptions(change({ workspaceId, id }, of));

  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(former.requests).toHaveLength(1));
  const secretToken = randomUUID();
  const { version } = await update({ url: current.url, secretToken });
  expect(await update({ url: current.url, secretToken })).toMatchObject({ version });
  expect(await system.client.getWebhook({ workspaceId, id }, call)).toMatchObject({
    url: current.url,
    version,
  });
  await system.raise([completed({ workspaceId })]);
  await eventually(() => expect(current.requests).toHaveLength(1));
  expect(new URL(current.requests[0]?.url ?? '', current.url).searchParams.get('secretToken')).toBe(
    secretToken,
  );
  expect(former.requests).toHaveLength(1);

  await expect(update({ secretToken: taken })).rejects.toMatchObject({ type: 'secret-token-in-use' });
  await expect(update({ url: 'ftp://x', isAsymmetric: true })).rejects.toMatchObject({
    faults: [{ pointer: '/url', detail: expect.any(String) }],
  });
  expect(await options.getWebhookOptions({ workspaceId, id })).toMatchObject({
    version,
    isAsymmetric: false,
  });
});

test('of concurrent changes to one secret token, one webhook gets it', async () => {
  const workspaceId = randomUUID();
  const url = 'http://127.0.0.1:9/';
  const made = await Promise.all(Array.from({ length: 4 }, () => system.createWebhook({ workspaceId, url })));
  const { keys } = readConfig(system.env);
  const options = optionsHandlers({ db: system.db, keys, onDeliveries: () => {}, ...anyTarget });
  const racing = await Promise.allSettled(
    made.map(({ id }) => options.updateWebhookOptions(change({ workspaceId, id }, { secretToken: 'one' }))),
  );
  expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('invalid values of options are rejected without a change', async () => {
  const options = await handlers();
  const updating = options.update({
    headers: { fields: { Host: 'x', 'x-ok': 'fine', 'x-bad': 'two\nlines' } },
    isAsymmetric: true,
  });
  await expect(updating).rejects.toMatchObject({
    code: 'invalid_argument',
    faults: ['/headers/Host', '/headers/x-bad'].map((pointer) => ({ pointer, detail: expect.any(String) })),
  });
  const tooCostly = { filter: `evaluation.why${'.lowerAscii()'.repeat(18)} == 'x'` };
  await expect(options.update({ filter: tooCostly })).rejects.toMatchObject({
    faults: [{ pointer: '/filter', detail: expect.stringMatching(/can take \d{3,} % of the work/) }],
  });
  const check = (of: Partial<UpdateWebhookOptionsRequest>) =>
    checkRequest(change(options.hook, of), deliveryRules);
  for (const perSecond of [Number.NaN, 0, -1, 1e-300, 1_000.1, Number.POSITIVE_INFINITY]) {
    expect(() => check({ rateLimit: { rateLimit: { perSecond, burst: 1 } } })).toThrow();
  }
  for (const burst of [0, 1_001]) {
    expect(() => check({ rateLimit: { rateLimit: { perSecond: 1, burst } } })).toThrow();
  }
  expect(() => check({ ordering: 'perBot' })).toThrow();
  check({ ordering: 'strict', rateLimit: { rateLimit: { perSecond: 0.001, burst: 1_000 } } });
  expect(await options.get()).toEqual({ ...none, version: 1 });
});

test('a foreign or deleted webhook is not found; a deleted one keeps no credentials', async () => {
  const options = await handlers();
  const { hook, db } = options;
  const missing = { code: 'not_found' };
  for (const other of [
    { ...hook, workspaceId: randomUUID() },
    { ...hook, id: randomUUID() },
  ]) {
    await expect(options.get(other)).rejects.toMatchObject(missing);
    await expect(options.update({ ordering: 'strict' }, other)).rejects.toMatchObject(missing);
  }
  const { version } = await options.update({ headers: { fields: { a: 'b' } }, isAsymmetric: true });
  await deleteWebhook(db, { ...hook, version });
  await expect(options.get()).rejects.toMatchObject(missing);
  await expect(options.update({ isAsymmetric: true })).rejects.toMatchObject(missing);
  const own = db.selectFrom('webhook').where('workspaceId', '=', hook.workspaceId);
  expect(await own.select('headers').execute()).toEqual([{ headers: null }]);
  const secrets = db.selectFrom('signingSecret').where('workspaceId', '=', hook.workspaceId);
  expect(await secrets.select('kind').execute()).toEqual([]);
});

test('concurrent changes all take effect; one with a version applies only to that version', async () => {
  const options = await handlers();
  const patches = [
    ...Array.from({ length: 6 }, () => ({ isAsymmetric: true })),
    { ordering: 'strict' },
    { headers: { fields: { a: 'b' } } },
  ];
  await Promise.all(patches.map((of) => options.update(of)));
  const after = await options.get();
  // Six of them set the same value.
  expect(after).toMatchObject({ ordering: 'strict', headerNames: ['a'], version: 4 });
  expect(after.publicKeys).toHaveLength(1);
  const racing = await Promise.allSettled(
    Array.from({ length: 6 }, () => options.update({ ordering: 'none', ifVersion: after.version })),
  );
  expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(options.update({ ordering: 'strict', ifVersion: 1 })).rejects.toMatchObject({
    code: 'aborted',
  });
});

test('retries by a call leave the plan: the next attempt keeps its time and its pause', async () => {
  let status = 500;
  await using receiver = await startReceiver(() => ({ status }));
  const workspaceId = randomUUID();
  const { id: webhookId } = await system.createWebhook({ workspaceId, url: receiver.url });
  await system.raise([completed({ workspaceId })]);
  const hook = { workspaceId, webhookId };
  const settled = (attempts: number, state = 'pending') =>
    eventually(async () => {
      const page = { states: [], since: null, until: null, cursor: '', limit: 2 };
      const { deliveries } = await system.deliveries.listDeliveries({ ...hook, ...page }, call);
      expect(deliveries).toMatchObject([{ state, attempts }]);
      return deliveries[0];
    });
  const planned = await settled(1);
  const one = { ...hook, id: planned?.id ?? '' };
  for (let attempts = 2; attempts <= 5; attempts += 1) {
    await system.deliveries.retryDelivery(one, call);
    expect((await settled(attempts))?.dueAt).toEqual(planned?.dueAt);
  }
  // As if the hour were over: this attempt is the second and last of the plan.
  await sql`update open_delivery set due_at = now() where workspace_id = ${workspaceId}`.execute(system.db);
  await settled(6, 'failed');
  await system.deliveries.retryDelivery(one, call);
  await settled(7, 'failed');
  status = 200;
  await system.deliveries.retryDelivery(one, call);
  await settled(8, 'succeeded');
  const numbers = receiver.requests.map(({ headers }) => headers['x-parley-attempt']);
  expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('deliveries have the header fields after ours, and a signature by each live key and secret', async () => {
  await using receiver = await startReceiver();
  const workspaceId = randomUUID();
  const { id } = await system.createWebhook({ workspaceId, url: receiver.url });
  const hook = { workspaceId, id };
  const { keys } = readConfig(system.env);
  const options = optionsHandlers({ db: system.db, keys, onDeliveries: () => {}, ...anyTarget });
  const rotate = (overlapSeconds: number) =>
    system.client.rotateSigningSecret({ ...hook, overlapSeconds }, call);
  const deliver = async () => {
    const event = completed({ workspaceId });
    const before = receiver.requests.length;
    await system.raise([event]);
    await eventually(() => expect(receiver.requests).toHaveLength(before + 1));
    const headers = receiver.requests.at(-1)?.headers as Record<string, string>;
    const [time, parts] = [headers['webhook-timestamp'], headers['webhook-signature']?.split(' ') ?? []];
    const signed = Buffer.concat([Buffer.from(`${headers['webhook-id']}.${time}.`), event.body]);
    return {
      headers,
      verifyOfficially: (secret: string) => new StandardWebhook(secret).verify(event.body, headers),
      /** Returns the signers of the `v1a` signatures among these public keys; each signature has one. */
      signers: (publicKeys: readonly string[]) =>
        parts
          .filter((part) => part.startsWith('v1a,'))
          .map((part) => publicKeys.findIndex((key) => isSignedBy(key, signed, part.slice('v1a,'.length)))),
    };
  };

  await rotate(0);
  expect((await deliver()).headers['webhook-signature']).toMatch(/^v1,\S+$/);

  const fields = { Authorization: 'Bearer of the receiver', 'X-Tier': 'gold & ~' };
  const first = await options.updateWebhookOptions(change(hook, { headers: { fields }, isAsymmetric: true }));
  const one = await deliver();
  expect(one.headers).toMatchObject({ authorization: 'Bearer of the receiver', 'x-tier': 'gold & ~' });
  expect(one.headers['x-parley-webhook-id']).toBe(id);
  expect(one.signers(first.publicKeys)).toEqual([0]);

  const latest = await rotate(3_600);
  const both = await options.getWebhookOptions(hook);
  expect(both.publicKeys).toHaveLength(2);
  expect(both.publicKeys[1]).toBe(first.publicKeys[0]);
  const two = await deliver();
  two.verifyOfficially(latest.signingSecret);
  expect(two.signers(both.publicKeys)).toEqual([0, 1]);
  expect(two.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+ v1a,\S+ v1a,\S+$/);

  await rotate(0);
  const alone = await options.getWebhookOptions(hook);
  expect(alone.publicKeys).toHaveLength(1);
  expect((await deliver()).signers([...both.publicKeys, ...alone.publicKeys])).toEqual([2]);

  const off = await options.updateWebhookOptions(change(hook, { isAsymmetric: false }));
  expect(off.publicKeys).toEqual([]);
  const last = await deliver();
  expect(last.signers(both.publicKeys)).toEqual([]);
  const { signingSecret } = await rotate(0);
  (await deliver()).verifyOfficially(signingSecret);
  expect((await options.getWebhookOptions(hook)).publicKeys).toEqual([]);
});

/** Verifies with only the 32 bytes of a `whpk_...`. */
function isSignedBy(publicKey: string, signed: Buffer, signature: string): boolean {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, signed, key, Buffer.from(signature, 'base64'));
}

// Answers in the delivery log.

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
  await system.deliveries.updateWebhookOptions(
    { events: [], filter: null, ...hook, headers: { fields }, rateLimit: null },
    call,
  );
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
  await system.deliveries.updateWebhookOptions(
    { events: [], filter: null, ...hook, headers: { fields }, rateLimit: null },
    call,
  );
  await system.raise([completed({ workspaceId })]);
  const { responseExcerpt } = await firstAttempt(hook);
  expect(responseExcerpt.toString()).toBe('who is [removed]? [removed]');
});
