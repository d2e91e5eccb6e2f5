import { randomUUID } from 'node:crypto';
import { createClient, type InteractionHistory, type ParleyError } from '@parley/client';
import { createPublicClient } from '@parley/client/public';
import { hasSecretToken, verifyWebhook } from '@parley/client/webhook';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { expect, inject, test } from 'vitest';
import { changesByClient } from '../people/audit-changes.ts';
import { createNpsWorkspace } from '../insight/nps-workspace.ts';
import { type Fetch, recordingFetch } from '../api/operations.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { messageTo } from '../conversations/conversation.ts';

// The published client, against the whole service.

const { baseUrl } = inject('local');
const operator = inject('operator');

const text = (content: Uint8Array | string): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

test('every operation of the API can be called, through a whole interaction', async () => {
  const recorded = recordingFetch(inject('openapi'));
  const { id: workspaceId, apiKey, apiSecret } = await createWorkspace(baseUrl, operator);
  const parley = createClient({ baseUrl, apiKey, apiSecret, fetch: recorded.fetch });
  const workspace = parley.workspace(workspaceId);
  const { audit, branding, contactPolicy, customers, interactions, bots } = workspace;
  const { webhooks, erasures, keys, members, retention } = workspace;
  await using receiver = await startReceiver();

  expect(await parley.workspaces.list()).toEqual({
    data: [await parley.workspaces.get(workspaceId)],
    meta: null,
  });

  const domains = { allowedDomains: ['https://shop.example'] };
  expect(await parley.workspaces.setAllowedDomains(workspaceId, domains)).toMatchObject(domains);
  expect(await branding.update({ displayName: 'Tea' })).toMatchObject({ displayName: 'Tea', logoUrl: null });
  expect(await branding.get()).toMatchObject({ displayName: 'Tea' });

  const definition = npsBot as Record<string, unknown>;
  const bot = await bots.create(definition);
  expect(bot.version).toBe(1);
  expect((await bots.publishVersion(bot.id, { ...definition, name: 'Another' })).version).toBe(2);
  expect(await bots.get(bot.id)).toMatchObject({ id: bot.id, name: 'Another' });
  expect((await bots.list({ key: 'another' })).data).toEqual([]);
  expect(await bots.list({ key: String(definition['key']) })).toEqual(await bots.list());
  expect((await bots.list()).data).toHaveLength(1);
  expect((await bots.publishVersion(bot.id, { restore: 1, expectedVersion: 2, note: 'Back' })).version).toBe(
    3,
  );
  const { data: versions } = await bots.listVersions(bot.id);
  expect(versions.map(({ version, publishedBy }) => [version, publishedBy])).toEqual([
    [3, apiKey],
    [2, apiKey],
    [1, apiKey],
  ]);
  expect(await bots.replay(bot.id, { definition })).toMatchObject({ replayed: 0, differing: 0 });
  const drafted = await bots.saveDraft(bot.id, { definition: { ...definition, name: 'Drafted' } }).answer();
  expect(await bots.getDraft(bot.id)).toEqual(drafted.data);
  await expect(bots.saveDraft(bot.id, { definition })).rejects.toMatchObject({ status: 412 });
  const ifMatch = drafted.etag ?? '';
  await bots.saveDraft(bot.id, { definition: {} }, { ifMatch });
  await expect(bots.discardDraft(bot.id, { ifMatch })).rejects.toMatchObject({ status: 412 });
  expect((await bots.listDrafts()).data).toMatchObject([{ botId: bot.id, baseVersion: 3 }]);
  expect(await bots.discardDraft(bot.id)).toBeNull();
  const presence = { id: randomUUID() };
  const ofPeople = { status: 403, type: 'not-for-caller' };
  await expect(bots.renewPresence(bot.id, presence)).rejects.toMatchObject(ofPeople);
  await expect(bots.endPresence(bot.id, presence.id)).rejects.toMatchObject(ofPeople);
  expect((await bots.listTemplates({ locale: 'de' })).data).toHaveLength(12);
  const { openLinks } = bots;
  const openLink = await openLinks.create(bot.id, { name: 'Table 4' });
  expect((await openLinks.list(bot.id)).data).toEqual([openLink]);
  const renamed = await openLinks.update(bot.id, openLink.id, { name: 'Table 5' });
  expect(await openLinks.get(bot.id, openLink.id)).toEqual(renamed);
  expect(text(await openLinks.qr(bot.id, openLink.id, { format: 'svg' }))).toMatch(/^<svg/);
  expect(await openLinks.delete(bot.id, openLink.id)).toBeNull();
  const { key } = definition;
  expect(await bots.getVersion(bot.id, 3)).toEqual({ ...versions[0], key, definition });

  const customer = await customers.create({ id: 'a/b ü', firstName: 'Ada' });
  expect(await customers.update(customer.id, { lastName: 'L' })).toMatchObject({ lastName: 'L' });
  expect((await webhooks.listEventTypes()).data.map(({ name }) => name)).toContain('InteractionCompleted');
  const hook = await webhooks.create({ url: receiver.url, secretToken: 'a secret' });
  expect(hook.isActive).toBe(false);
  expect(await webhooks.update(hook.id, { isActive: true })).toEqual(await webhooks.get(hook.id));
  const { signingSecret } = await webhooks.rotateSigningSecret(hook.id, { overlapSeconds: 0 });
  expect((await webhooks.list()).data).toHaveLength(1);

  const { id, link } = await interactions.create({
    customerId: customer.id,
    botKey: String(definition['key']),
  });
  expect(text(await interactions.qr(id, { format: 'svg' }))).toMatch(/^<svg/);
  expect(text(await interactions.emailBlock(id, { format: 'text' }))).toContain(link);
  expect(await customers.getContactability(customer.id)).toMatchObject({ allowed: true });
  const bulk = await interactions.createBulk({ interactions: [{ customerId: 'bulk', botKey: 'unknown' }] });
  expect(bulk.data).toMatchObject([{ index: 0, error: { code: 400, errors: [{ pointer: '/botKey' }] } }]);
  await interactions.update(id, { status: 'Pending', expiry: 3600 });
  const { data, meta } = await interactions.list({ status: 'Pending', customerId: customer.id });
  expect([data[0]?.id, meta.totalResults]).toEqual([id, 1]);
  await eventually(async () => {
    const exported = [];
    for await (const row of interactions.export({ customerId: customer.id })) exported.push(row.id);
    expect(exported).toEqual([id]);
  });

  const browser = createPublicClient({ baseUrl, fetch: recorded.fetch });
  const opened = await browser.createLinkSession({ token: link.slice(link.lastIndexOf('/') + 1) });
  expect(opened).toMatchObject({ workspaceId, interactionId: id, botName: 'NPS follow-up' });
  const { customerToken } = await customers.createToken(customer.id);
  const { sessionToken } = await browser.createSession(workspaceId, { customerToken });
  const session = browser.session({ workspaceId, sessionToken });
  expect(await session.getPending()).toMatchObject({ interactionId: id });
  let snapshot = await session.startConversation(id);
  const off = { status: 403, type: 'revising-off' };
  await expect(session.reviseAnswer(id, messageTo(snapshot, { value: 9 }))).rejects.toMatchObject(off);
  for (const value of [{ value: 10 }, { skip: true } as const])
    snapshot = await session.postMessage(id, messageTo(snapshot, value));
  expect(await browser.session(opened).getConversation(id)).toEqual(snapshot);
  expect(snapshot.status).toBe('Completed');

  await eventually(() => expect(receiver.requests).toHaveLength(1));
  const [delivery = { url: '', headers: {}, body: '' }] = receiver.requests;
  const event = await verifyWebhook(delivery, signingSecret);
  expect(event.data).toEqual(JSON.parse((await interactions.get(id)).data ?? '') as InteractionHistory);
  expect(event.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  await expect(verifyWebhook(delivery, `whsec_${btoa('another')}`)).rejects.toThrow('no signature fits');
  expect(await hasSecretToken(delivery.url, 'a secret')).toBe(true);
  expect(await hasSecretToken(delivery.url, 'another')).toBe(false);

  const sent = await eventually(async () => {
    const { data: log } = await webhooks.deliveries.list(hook.id, { state: 'succeeded' });
    expect(log).toHaveLength(1);
    return log[0]?.id ?? '';
  });
  expect(await webhooks.deliveries.get(hook.id, sent)).toMatchObject({ interactionId: id });
  for await (const { data } of interactions.listDeliveries(id).pages())
    expect(data).toMatchObject([{ id: sent, webhookId: hook.id, lastError: null }]);
  for await (const { data: attempts } of webhooks.deliveries.listAttempts(hook.id, sent).pages()) {
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([[1, 200]]);
  }
  expect(await webhooks.deliveries.getBody(hook.id, sent)).toEqual({
    body: String(delivery.body),
    isRedacted: false,
  });
  expect(await webhooks.deliveries.retry(hook.id, sent)).toMatchObject({ id: sent, attempts: 1 });
  expect(await webhooks.sendTest(hook.id)).toMatchObject({ isTest: true });
  const recovery = await webhooks.recover(hook.id, { since: '1970-01-01T00:00:00Z' });
  expect(await webhooks.getRecovery(hook.id, recovery.id)).toMatchObject({ id: recovery.id, recovered: 0 });
  expect((await webhooks.listRecoveries(hook.id)).data.map(({ id }) => id)).toEqual([recovery.id]);
  const changed = await webhooks.updateOptions(hook.id, { rateLimit: { perSecond: 10, burst: 5 } });
  expect(await webhooks.getOptions(hook.id)).toEqual(changed);
  await eventually(async () => {
    const { pending, hours } = await webhooks.getStats(hook.id);
    expect([pending, hours.reduce((sum, hour) => sum + hour.attempts, 0)]).toEqual([0, 3]);
  });

  await eventually(async () => {
    const { totals, evaluation } = await bots.getInsight(bot.id, { tz: 'Europe/Berlin' });
    expect([totals.completed, evaluation['nps_score']?.n]).toEqual([1, 1]);
  });

  const { url: portalUrl, ...portalLink } = await webhooks.portalLinks.create({ webhookIds: [hook.id] });
  expect(portalUrl).toMatch(`/console/portal/${workspaceId}#prl_plk_`);
  expect((await webhooks.portalLinks.list()).data).toEqual([portalLink]);

  expect(await webhooks.delete(hook.id)).toBeNull();
  expect(await customers.export(customer.id)).toMatchObject({ customer: { id: customer.id } });
  expect(await customers.anonymise(customer.id)).toBeNull();
  expect(await customers.get(customer.id)).toMatchObject({ firstName: '', interactions: [{ id }] });
  const [erasure] = (await erasures.list({ customerId: customer.id })).data;
  expect(erasure).toMatchObject({
    customerId: customer.id,
    kind: 'anonymisation',
    completedAt: expect.any(String) as string,
    stores: ['customer', 'interaction', 'webhook'].map((store) => ({ store, removed: 1 })),
  });
  expect(await erasures.get(erasure?.id ?? '')).toEqual(erasure);
  expect((await customers.list({ pageSize: 1 })).meta.totalPages).toBe(1);
  const days = { completedDays: null, endedDays: null, draftDays: null };
  expect(await retention.get()).toEqual(days);
  expect(await retention.preview({ draftDays: 1 })).toEqual({
    interactions: 0,
    completed: 0,
    ended: 0,
    draft: 0,
  });
  expect(await contactPolicy.get()).toEqual({ anyBot: null, sameBot: null });
  const none = { deleted: 0, hasMore: false };
  expect(await interactions.deleteTests({ isTest: true })).toEqual(none);
  expect(await customers.deleteAnonymous({ anonymous: true })).toEqual(none);
  expect(await interactions.delete(id)).toBeNull();
  await expect(interactions.get(id)).rejects.toMatchObject({ status: 404 });
  expect(await customers.delete(customer.id)).toBeNull();
  await expect(customers.get(customer.id)).rejects.toMatchObject({ status: 404 });
  expect((await keys.rotateSdkSecret()).secret).not.toBe('');

  const { secret: madeSecret, ...made } = await keys.create({ name: 'Partner', scopes: ['bots:read'] });
  const partner = createClient({ baseUrl, apiKey: made.apiKey, apiSecret: madeSecret }).workspace(
    workspaceId,
  );
  expect((await partner.bots.list()).data).toHaveLength(1);
  await expect(partner.webhooks.list()).rejects.toMatchObject({
    status: 403,
    type: 'missing-scope',
    errors: [{ detail: 'webhooks:read' }],
  });
  expect((await keys.list({ limit: 1 })).data.map((one) => one.apiKey)).toEqual([apiKey]);
  const lastUsedAt = expect.stringMatching(/:00:00\.000000$/) as string;
  expect(await keys.get(made.apiKey)).toEqual({ ...made, lastUsedAt });
  expect(await keys.update(made.apiKey, { scopes: ['webhooks:read'] })).toMatchObject({ name: 'Partner' });
  expect((await partner.webhooks.list()).data).toHaveLength(0);
  expect(await keys.revoke(made.apiKey)).toBeNull();
  await expect(partner.webhooks.list()).rejects.toMatchObject({ status: 401 });
  const [revoked] = (await audit.list({ target: made.apiKey })).data;
  expect(revoked).toMatchObject({ action: 'key.revoked', actor: { id: apiKey } });

  const { url, ...invited } = await members.invite({ email: 'ada@shop.example', role: 'editor' });
  expect(url).toMatch('/console/sign-in/link#prl_lnk_');
  expect((await members.list()).data).toEqual([invited]);
  expect(await members.get(invited.memberId)).toEqual(invited);
  expect(await members.update(invited.memberId, { role: 'viewer' })).toMatchObject({ role: 'viewer' });
  expect(await members.remove(invited.memberId)).toBeNull();
  await expect(members.leave()).rejects.toMatchObject({ status: 403, type: 'not-for-caller' });
  expect(await parley.session.get()).toMatchObject({
    type: 'key',
    id: apiKey,
    workspaces: [{ workspaceId }],
  });
  await expect(parley.session.end()).rejects.toMatchObject({ status: 403, type: 'not-for-caller' });
  await expect(parley.deployment.get()).rejects.toMatchObject({ status: 403, type: 'operator-only' });

  const { secret } = await keys.rotateApiKeySecret();
  await expect(parley.workspaces.list()).rejects.toMatchObject({ status: 401, type: 'invalid-credentials' });
  const renewed = createClient({ baseUrl, apiKey, apiSecret: secret });
  expect((await renewed.workspaces.list()).data).toHaveLength(1);

  // The walk of the audit log calls the others, with the same client.
  const all = new Set([...recorded.called, ...changesByClient]);
  expect([...all].toSorted()).toEqual(recorded.all.toSorted());
});

test('a list of several pages is read to its end, each item once, while others are added', async () => {
  const { workspace, botId } = await createNpsWorkspace(baseUrl, operator);
  const { interactions, customers } = workspace.client;
  const create = (index: number) => interactions.create({ customerId: `c${index}`, botId });
  const created = await Promise.all(Array.from({ length: 120 }, (_, index) => create(index)));

  const read: string[] = [];
  for await (const { id } of interactions.list({ pageSize: 50 })) {
    read.push(id);
    if (read.length % 40 === 0) await create(200 + read.length);
  }
  expect(new Set(read).size).toBe(read.length);
  expect(created.filter(({ id }) => !read.includes(id))).toEqual([]);

  const ids: string[] = [];
  for await (const { id } of customers.list({ pageSize: 7 })) ids.push(id);
  expect(ids).toHaveLength(123);
  expect(new Set(ids).size).toBe(123);
  for await (const _ of interactions.list({ status: 'Completed' })) expect.fail('there is none');
});

test('a creation whose answer was lost has one effect, and the repeated call is marked', async () => {
  const { workspace, botId } = await createNpsWorkspace(baseUrl, operator);
  const { apiKey, apiSecret, id: workspaceId } = workspace;
  const lost = new Set<string>();
  const fetchThatLoses: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const key = new Headers(init.headers).get('idempotency-key');
    if (key === null || lost.has(key)) return response;
    lost.add(key);
    throw new TypeError('the connection was cut before the answer');
  };
  const parley = createClient({ baseUrl, apiKey, apiSecret, fetch: fetchThatLoses });
  const { customers, interactions, bots, webhooks } = parley.workspace(workspaceId);

  expect((await webhooks.listEventTypes()).data.map(({ name }) => name)).toContain('InteractionCompleted');
  const hook = await webhooks.create({ url: 'http://127.0.0.1:9/', secretToken: 't', isActive: true });

  lost.clear();
  const answers = await Promise.all([
    customers.create({ id: 'c' }).answer(),
    interactions.create({ customerId: 'd', botId }).answer(),
    interactions.create({ customerId: 'd', botId }).answer(),
    bots.create({ ...(npsBot as object), key: 'another' }).answer(),
    bots.publishVersion(botId, { ...(npsBot as object), name: 'Another' }).answer(),
    webhooks.create({ url: 'http://127.0.0.1:9/', secretToken: 's' }).answer(),
    webhooks.sendTest(hook.id).answer(),
    webhooks.recover(hook.id, { since: '1970-01-01T00:00:00Z' }).answer(),
  ]);
  expect(answers.map(({ isReplayed }) => isReplayed)).toEqual(answers.map(() => true));
  expect(lost.size).toBe(answers.length);
  expect((await customers.list()).meta.totalResults).toBe(2);
  expect((await interactions.list()).meta.totalResults).toBe(2);
  const lists = [bots.list(), bots.listVersions(botId), webhooks.list(), webhooks.deliveries.list(hook.id)];
  expect((await Promise.all(lists)).map(({ data }) => data.length)).toEqual([2, 2, 2, 1]);
});

test('a change whose first answer was lost has its effect once, and is no conflict with itself', async () => {
  const { workspace, botId } = await createNpsWorkspace(baseUrl, operator);
  const { apiKey, apiSecret, id: workspaceId, client } = workspace;
  const sent: string[] = [];
  const fetchThatLoses: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const call = `${init.method} ${url}`;
    const isRepeated = sent.includes(call);
    sent.push(call);
    if (isRepeated) return response;
    throw new TypeError('the connection was cut before the answer');
  };
  const lossy = createClient({ baseUrl, apiKey, apiSecret, fetch: fetchThatLoses }).workspace(workspaceId);
  const { id } = await client.interactions.create({ customerId: 'c', botId });
  const { id: hook } = await client.webhooks.create({ url: 'http://127.0.0.1:9/', secretToken: 't' });
  const tagOf = async (call: { answer(): Promise<{ etag: string | undefined }> }) => ({
    ifMatch: (await call.answer()).etag ?? '',
  });
  const ofCustomer = await tagOf(client.customers.get('c'));
  const ofInteraction = await tagOf(client.interactions.get(id));
  const ofBranding = await tagOf(client.branding.get());
  const ofWebhook = await tagOf(client.webhooks.get(hook));
  const changes = [
    lossy.customers.update('c', { lastName: 'B' }, ofCustomer),
    lossy.interactions.update(id, { priority: 'High' }, ofInteraction),
    lossy.branding.update({ displayName: 'Tea' }, ofBranding),
    lossy.webhooks.update(hook, { isActive: true }, ofWebhook),
  ];
  const outcomes = await Promise.allSettled(changes);
  expect(outcomes).toEqual(
    changes.map(() => ({ status: 'rejected', reason: expect.objectContaining({ type: 'no-answer' }) })),
  );
  expect(sent).toHaveLength(2 * changes.length);
  expect(await client.customers.get('c')).toMatchObject({ lastName: 'B' });
  expect(await client.interactions.get(id)).toMatchObject({ priority: 'High' });
  expect(await client.branding.get()).toMatchObject({ displayName: 'Tea' });
  expect(await client.webhooks.get(hook)).toMatchObject({ isActive: true });
  expect(await lossy.webhooks.delete(hook, await tagOf(client.webhooks.get(hook)))).toBeNull();
});

test('a change can have a version; its rejection has type, id and pointers', async () => {
  const { client } = await createWorkspace(baseUrl, operator);
  const { etag } = await client.customers.create({ id: 'c' }).answer();
  const changed = await client.customers.update('c', { firstName: 'A' }, { ifMatch: etag ?? '' }).answer();
  expect(changed.etag).not.toBe(etag);
  const late = client.customers.update('c', { firstName: 'B' }, { ifMatch: etag ?? '' });
  await expect(late).rejects.toMatchObject({ status: 412, type: 'precondition-failed' });

  const bad = client.customers.create({ id: 'c', email: 'nobody', firstName: 'x'.repeat(300) });
  const error = await bad.catch((thrown: unknown) => thrown as ParleyError);
  expect(error).toMatchObject({ name: 'ParleyError', status: 400, type: 'invalid-request' });
  expect('errors' in error && error.errors.map(({ pointer }) => pointer).toSorted()).toEqual([
    '/email',
    '/firstName',
  ]);
  expect('message' in error && error.message).toMatch(
    /^400 invalid-request – The request is not valid: (?:email|firstName): .+$/,
  );
  expect('requestId' in error && error.requestId).toMatch(/^[\w.-]+$/);
});

test('a conversation that has moved on returns its snapshot; a wait for news can be aborted', async () => {
  const { workspace, botId } = await createNpsWorkspace(baseUrl, operator);
  const { client, id: workspaceId } = workspace;
  const { id } = await client.interactions.create({ customerId: 'c', botId, status: 'Pending' });
  const browser = createPublicClient({ baseUrl });
  const { customerToken } = await client.customers.createToken('c');
  const { sessionToken } = await browser.createSession(workspaceId, { customerToken });
  const session = browser.session({ workspaceId, sessionToken });
  const begun = await session.startConversation(id);
  const next = await session.postMessage(id, messageTo(begun, { value: 10 }));
  const stale = session.postMessage(id, messageTo(begun, { value: 9 }));
  await expect(stale).rejects.toMatchObject({ status: 409, type: 'stale-sequence', data: next });

  const controller = new AbortController();
  const { signal } = controller;
  const waiting = session.getConversation(id, { after: next.seq, wait: 25 }, { signal });
  const refused = expect(waiting).rejects.toThrow('gone elsewhere');
  controller.abort(new Error('gone elsewhere'));
  await refused;
});
