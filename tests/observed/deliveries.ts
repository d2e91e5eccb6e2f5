import { verifyWebhook } from '@parley/client/webhook';
import type { System } from '@parley/local/system';
import { eventually } from '@parley/testing/eventually';
import { type ReceiverAnswer, startReceiver } from '@parley/testing/peers/receiver';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createDeliveringWorkspace, interactionIdsOf } from '../webhooks/delivering-workspace.ts';
import type { Observed } from './system.ts';

// The log of deliveries and the controls (docs/decisions/0019), with controlled receivers.

let system: System;
let delivering: Awaited<ReturnType<typeof createDeliveringWorkspace>>;
let webhooks: typeof delivering.webhooks;

/** A receiver with the answer that was set last. */
async function startTunable(first: ReceiverAnswer) {
  const set = { answer: first };
  const receiver = await startReceiver(() => set.answer);
  return Object.assign(receiver, { set });
}

/** Tests of the log, with an hour between the two attempts of a delivery. */
export function deliveryTests(observed: () => Observed): void {
  beforeAll(() => {
    ({ system } = observed());
  });
  beforeEach(async () => {
    delivering = await createDeliveringWorkspace(system.local().baseUrl, system.operator);
    ({ webhooks } = delivering);
  });

  test('a failing delivery has its attempts and answers, and is retried until it succeeds', async () => {
    const { complete, deliveryOf, hookTo } = delivering;
    await using receiver = await startTunable({ status: 500, body: 'out of order: <é>' });
    const webhookId = await hookTo(receiver);
    const interactionId = await complete();
    const waiting = await deliveryOf(webhookId, interactionId, { attempts: 1, isUnderWay: false });
    const { id, dueAt, createdAt } = waiting;
    const messageId = receiver.requests[0]?.headers['webhook-id'];
    const [, traceId] = String(receiver.requests[0]?.headers['traceparent']).split('-');
    expect(waiting).toEqual({
      id: receiver.requests[0]?.headers['x-parley-delivery-id'],
      webhookId,
      event: 'InteractionCompleted',
      interactionId,
      isTest: false,
      webhookMessageId: messageId,
      state: 'pending',
      attempts: 1,
      isUnderWay: false,
      createdAt,
      dueAt,
      finishedAt: null,
      lastError: 'http_500',
      traceId,
    });
    expect(Date.parse(`${dueAt}Z`) - Date.parse(`${createdAt}Z`)).toBeGreaterThan(40 * 60_000);

    expect(await webhooks.deliveries.retry(webhookId, id)).toMatchObject({
      id,
      attempts: 1,
      state: 'pending',
    });
    // It leaves the plan of automatic retries as it is.
    const failed = await deliveryOf(webhookId, interactionId, { attempts: 2, state: 'pending', dueAt });
    expect(failed.finishedAt).toBeNull();

    receiver.set.answer = { status: 204 };
    await webhooks.deliveries.retry(webhookId, id);
    const succeeded = await deliveryOf(webhookId, interactionId, { id, attempts: 3, state: 'succeeded' });
    expect(succeeded.finishedAt).toMatch(/^\d{4}-.*\d{6}$/);
    expect(await webhooks.deliveries.get(webhookId, id)).toMatchObject({ id, state: 'succeeded' });
    expect(receiver.requests.map(({ headers }) => headers['x-parley-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([messageId]),
    );
    expect(new Set(receiver.requests.map(({ body }) => body.toString())).size).toBe(1);

    const first = await webhooks.deliveries.listAttempts(webhookId, id, { limit: 2 });
    const failure = { status: 500, error: 'http_500', responseExcerpt: 'out of order: <é>' };
    expect(first.data).toMatchObject([
      { number: 1, ...failure },
      { number: 2, ...failure },
    ]);
    const { durationMs, latency } = first.data[0] ?? {};
    expect([durationMs, latency?.connectMs, latency?.firstByteMs]).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(latency?.tlsMs).toBeNull();
    const rest = await webhooks.deliveries.listAttempts(webhookId, id, {
      cursor: first.meta.nextCursor ?? '',
    });
    expect(rest).toMatchObject({
      data: [{ number: 3, status: 204, error: null, responseExcerpt: null }],
      meta: { nextCursor: null },
    });

    // One that succeeded may be sent again: the receiver may have lost it.
    await webhooks.deliveries.retry(webhookId, id);
    await deliveryOf(webhookId, interactionId, { id, attempts: 4, state: 'succeeded' });

    // Saved beside the record.
    await eventually(async () => {
      const { hours, ...stats } = await webhooks.getStats(webhookId);
      expect(stats).toEqual({
        filtered: 0,
        filterErrors: 0,
        lastFilterError: null,
        delayedSince: null,
        delayReason: null,
        waitingEvents: 0,
        pending: 0,
        oldestDueSeconds: 0,
        breaker: 'closed',
        pausedUntil: null,
        pauseReason: null,
        inactiveReason: null,
        lastSuccessAt: expect.stringMatching(/^\d{4}-/) as string,
        failingSince: null,
        disabledAt: null,
      });
      const sum = (of: 'attempts' | 'failures'): number => hours.reduce((total, hour) => total + hour[of], 0);
      expect([sum('attempts'), sum('failures')]).toEqual([4, 2]);
    });
  });

  test('an answer that pauses a webhook is in the log but not counted, and the statistics have the reason', async () => {
    const { complete, deliveryOf, hookTo } = delivering;
    await using receiver = await startTunable({
      status: 429,
      headers: { 'retry-after': '600' },
      body: 'too many',
    });
    const webhookId = await hookTo(receiver);
    const interactionId = await complete();
    const attemptsOf = async (id: string) => (await webhooks.deliveries.listAttempts(webhookId, id)).data;
    const busy = {
      number: 1,
      isCounted: false,
      status: 429,
      error: 'http_429',
      retryAfterSeconds: 600,
      responseExcerpt: 'too many',
    };
    const { id } = await deliveryOf(webhookId, interactionId, { attempts: 0, isUnderWay: false });
    await eventually(async () => expect(await attemptsOf(id)).toMatchObject([busy]));
    const paused = await eventually(async () => {
      const stats = await webhooks.getStats(webhookId);
      expect(stats).toMatchObject({ pauseReason: 'rate_limited', hours: [] });
      return stats;
    });
    expect(Date.parse(`${paused.pausedUntil}Z`)).toBeGreaterThan(Date.now() + 500_000);
    receiver.set.answer = { status: 200 };
    await webhooks.update(webhookId, { isActive: true });
    await deliveryOf(webhookId, interactionId, { attempts: 1, state: 'succeeded' });
    const success = { number: 1, isCounted: true, status: 200, error: null, retryAfterSeconds: null };
    expect(await attemptsOf(id)).toMatchObject([busy, success]);
    expect(await webhooks.getStats(webhookId)).toMatchObject({ pausedUntil: null, pauseReason: null });
    expect(receiver.requests.map(({ headers }) => headers['x-parley-attempt'])).toEqual(['1', '1']);
  });

  test('a delivery is found by its interaction and by the id of its message', async () => {
    const { complete, deliveryOf, hookTo } = delivering;
    await using receiver = await startTunable({ status: 200 });
    const webhookId = await hookTo(receiver);
    const [interactionId] = [await complete(), await complete()];
    const { id, webhookMessageId } = await deliveryOf(webhookId, interactionId, { state: 'succeeded' });
    const sent = await webhooks.sendTest(webhookId);
    const idsOf = async (query: Parameters<typeof webhooks.deliveries.list>[1]) =>
      (await webhooks.deliveries.list(webhookId, query)).data.map((one) => one.id);
    expect(await idsOf({ interactionId })).toEqual([id]);
    expect(await idsOf({ interactionId, state: 'failed' })).toEqual([]);
    expect(await idsOf({ eventId: webhookMessageId })).toEqual([id]);
    expect(await idsOf({ eventId: sent.webhookMessageId })).toEqual([sent.id]);
    expect(await idsOf({ interactionId: webhookId })).toEqual([]);
  });

  test('the log lists each delivery once, newest first, while others are added', async () => {
    const { complete, deliveryOf, hookTo } = delivering;
    await using receiver = await startReceiver();
    const webhookId = await hookTo(receiver);
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift(await complete());
      await deliveryOf(webhookId, ids[0] ?? '', { state: 'succeeded' });
    }
    const first = await webhooks.deliveries.list(webhookId, { limit: 2 });
    const added = await complete();
    await deliveryOf(webhookId, added, { state: 'succeeded' });
    const second = await webhooks.deliveries.list(webhookId, {
      limit: 2,
      cursor: first.meta.nextCursor ?? '',
    });
    const read = [...first.data, ...second.data].map((one) => one.interactionId);
    expect(read).toEqual(ids.slice(0, 4));

    const all: (string | null)[] = [];
    for await (const one of webhooks.deliveries.list(webhookId, { limit: 2 })) all.push(one.interactionId);
    expect(all).toEqual([added, ...ids]);

    const [, , third, fourth] = [...first.data, ...second.data];
    const within = { since: fourth?.createdAt ?? '', until: third?.createdAt ?? '' };
    const stretch = await webhooks.deliveries.list(webhookId, within);
    expect(stretch.data.map((one) => one.id)).toEqual([fourth?.id]);
    expect((await webhooks.deliveries.list(webhookId, { state: 'failed' })).data).toEqual([]);
    expect((await webhooks.deliveries.list(webhookId, { state: 'succeeded' })).data).toHaveLength(6);
    await expect(webhooks.deliveries.list(webhookId, { cursor: 'AAAA' })).rejects.toMatchObject({
      status: 400,
      errors: [{ pointer: '/query/cursor', detail: 'Must be the nextCursor of a page of this list' }],
    });
  });

  test('deliveries skipped while a webhook was inactive are recovered, once', async () => {
    const { complete, deliveryOf, hookTo } = delivering;
    await using receiver = await startTunable({ status: 500 });
    const webhookId = await hookTo(receiver);
    const ids: string[] = [];
    for (const customerId of ['a', 'b', 'c']) {
      const id = await complete(customerId);
      ids.push(id);
      // One after another: events of one batch have the same time, and no order.
      await deliveryOf(webhookId, id, { attempts: 1, isUnderWay: false });
    }
    await webhooks.update(webhookId, { isActive: false });
    const skipped = await webhooks.deliveries.list(webhookId, { state: 'skipped' });
    expect(skipped.data.map((one) => one.interactionId)).toEqual(ids.toReversed());

    const since = skipped.data[2]?.createdAt ?? '';
    const inactive = { status: 409, type: 'webhook-inactive' };
    await expect(webhooks.recover(webhookId, { since })).rejects.toMatchObject(inactive);
    await expect(webhooks.sendTest(webhookId)).rejects.toMatchObject(inactive);
    const [last] = skipped.data;
    await expect(webhooks.deliveries.retry(webhookId, last?.id ?? '')).rejects.toMatchObject(inactive);
    expect(await webhooks.getStats(webhookId)).toMatchObject({ pending: 0, inactiveReason: 'user' });

    receiver.set.answer = { status: 200 };
    await webhooks.update(webhookId, { isActive: true });
    const body = { since, until: last?.createdAt ?? '', states: ['skipped' as const] };
    const { id } = await webhooks.recover(webhookId, body, { idempotencyKey: 'once' });
    const again = await webhooks.recover(webhookId, body, { idempotencyKey: 'once' }).answer();
    expect([again.isReplayed, again.data.id]).toEqual([true, id]);
    for (const other of [
      { ...body, since: skipped.data[1]?.createdAt ?? '' },
      { ...body, until: skipped.data[1]?.createdAt ?? '' },
      { since, states: body.states },
    ]) {
      await expect(webhooks.recover(webhookId, other, { idempotencyKey: 'once' })).rejects.toMatchObject({
        status: 422,
      });
    }
    const done = await eventually(async () => {
      const recovery = await webhooks.getRecovery(webhookId, id);
      expect(recovery.state).toBe('done');
      return recovery;
    });
    expect(done).toMatchObject({ id, recovered: 2, since, until: last?.createdAt, states: ['skipped'] });
    for (const one of ids.slice(0, 2)) await deliveryOf(webhookId, one, { attempts: 2, state: 'succeeded' });
    expect((await webhooks.deliveries.get(webhookId, last?.id ?? '')).state).toBe('skipped');
    expect(interactionIdsOf(receiver.requests.slice(3)).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  });

  test('a test event is delivered like all events and verified by the official library', async () => {
    const { hookTo } = delivering;
    await using receiver = await startReceiver();
    const webhookId = await hookTo(receiver);
    const { signingSecret } = await webhooks.rotateSigningSecret(webhookId, { overlapSeconds: 0 });
    const sent = await webhooks.sendTest(webhookId, {}, { idempotencyKey: 'test' });
    expect(sent).toMatchObject({ isTest: true, interactionId: null, state: 'pending' });
    expect((await webhooks.sendTest(webhookId, {}, { idempotencyKey: 'test' }).answer()).data.id).toBe(
      sent.id,
    );
    await eventually(async () => {
      expect(await webhooks.deliveries.get(webhookId, sent.id)).toMatchObject({
        ...sent,
        state: 'succeeded',
        attempts: 1,
        isUnderWay: false,
        dueAt: null,
        finishedAt: expect.any(String) as string,
      });
    });
    expect(receiver.requests).toHaveLength(1);
    const [request = { headers: {}, body: Buffer.of() }] = receiver.requests;
    expect(request.headers).toMatchObject({
      'x-parley-event': 'Test',
      'x-parley-delivery-id': sent.id,
      'webhook-id': sent.webhookMessageId,
    });
    const headers = request.headers as Record<string, string>;
    const verified = new StandardWebhook(signingSecret).verify(request.body, headers) as object;
    const keys = ['customer_id', 'interaction_id', 'evaluation', 'transcript', 'test'];
    expect(Object.keys(verified)).toEqual(keys);
    expect((await verifyWebhook(request, signingSecret)).data).toEqual(verified);
    await webhooks.update(webhookId, { isActive: false });
    const again = await webhooks.sendTest(webhookId, {}, { idempotencyKey: 'test' }).answer();
    expect([again.isReplayed, again.data.id]).toEqual([true, sent.id]);
    const another = new StandardWebhook(Buffer.alloc(32).toString('base64'));
    expect(() => another.verify(request.body, headers)).toThrow('No matching signature found');
  });

  test('a delivery in flight cannot be retried', async () => {
    const { hookTo } = delivering;
    await using receiver = await startReceiver(() => 'hang');
    const webhookId = await hookTo(receiver);
    const { id } = await webhooks.sendTest(webhookId);
    await eventually(async () => {
      expect(await webhooks.deliveries.get(webhookId, id)).toMatchObject({ isUnderWay: true, dueAt: null });
    });
    await expect(webhooks.deliveries.retry(webhookId, id)).rejects.toMatchObject({
      status: 409,
      type: 'delivery-under-way',
    });
  });

  test('another workspace cannot read a log', async () => {
    const { hookTo } = delivering;
    await using receiver = await startReceiver();
    const webhookId = await hookTo(receiver);
    const { id } = await webhooks.sendTest(webhookId);
    const { workspace: other } = await createDeliveringWorkspace(system.local().baseUrl, system.operator);
    for (const path of [
      '/deliveries',
      `/deliveries/${id}`,
      `/deliveries/${id}/attempts`,
      '/stats',
      '/options',
    ]) {
      expect((await other.api.get(`/webhooks/${webhookId}${path}`)).status, path).toBe(404);
    }
  });
}
