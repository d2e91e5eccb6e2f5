import {
  type Attempt,
  type CustomerDelivery,
  type Delivery,
  DeliveryServiceService,
  type Recovery,
  type Stats,
  type WebhookOptions,
} from '@parley/contracts/webhook/v1/delivery';
import type { Service } from '@parley/rpc/serve';
import { partialService } from '@parley/testing/peers/partial-service';
import { notFound, preconditionFailed } from '@parley/runtime/errors';
import type { Answer } from './answers.ts';
import { now } from './known.ts';

// The answers of the webhook service about deliveries.

/** Ids of further objects besides the webhook. */
export const knownDeliveries = {
  deliveryId: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5b',
  eventId: '019aa5d8-0000-7000-8000-000000000001',
  recoveryId: '019aa5d8-1111-7000-8000-000000000002',
  nextCursor: '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a5c',
};

const delivery: Delivery = {
  id: knownDeliveries.deliveryId,
  eventId: knownDeliveries.eventId,
  event: 'InteractionCompleted',
  isTest: false,
  interactionId: knownDeliveries.eventId,
  state: 'pending',
  attempts: 2,
  createdAt: now,
  dueAt: now,
  finishedAt: null,
  isUnderWay: false,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  webhookId: knownDeliveries.recoveryId,
  lastError: 'http_500',
};

/** Twice in the list of the customer. */
const customerDelivery: CustomerDelivery = {
  id: knownDeliveries.deliveryId,
  eventId: knownDeliveries.eventId,
  event: 'CustomerAnonymised',
  interactionId: null,
  webhookId: knownDeliveries.recoveryId,
  receiver: 'https://shop.example/hook',
  state: 'succeeded',
  attempts: 1,
  createdAt: now,
  finishedAt: now,
};

const attempts: Attempt[] = [
  {
    number: 1,
    startedAt: now,
    durationMs: 48,
    dnsMs: 1,
    connectMs: 2,
    tlsMs: 3,
    firstByteMs: 40,
    status: 500,
    error: 'http_500',
    // Cut inside a character.
    responseExcerpt: Buffer.from('é\0ü').subarray(0, 4),
  },
  { number: 2, startedAt: now, durationMs: 5, status: 429, pauseMs: 6_400, responseExcerpt: Buffer.of() },
  { number: 2, startedAt: now, durationMs: 5_000, error: 'timeout_connect', responseExcerpt: Buffer.of() },
];

const recovery: Recovery = {
  id: knownDeliveries.recoveryId,
  state: 'running',
  recovered: 500,
  since: now,
  until: now,
  states: ['failed', 'skipped'],
  createdAt: now,
  finishedAt: null,
};

const options: WebhookOptions = {
  headerNames: ['x-api-key'],
  rateLimit: { perSecond: 0.5, burst: 3 },
  ordering: 'perCustomer',
  isAsymmetric: true,
  publicKeys: ['whpk_x'],
  version: 2,
  events: ['InteractionCompleted'],
  filter: null,
  isEnveloped: false,
};

const stats: Stats = {
  pending: 3,
  oldestDueSeconds: 0.25,
  breaker: 'open',
  pausedUntil: now,
  pauseReason: 'rate_limited',
  inactiveReason: '',
  lastSuccessAt: null,
  failingSince: now,
  disabledAt: now,
  filtered: 5,
  filterErrors: 1,
  lastFilterError: 'No such key: score',
  delayedSince: now,
  delayReason: 'filter',
  waitingEvents: 7,
  hours: [{ hour: new Date('2026-11-21T09:00:00Z'), attempts: 40, failures: 2, meanMs: 48, maxMs: 310 }],
};

/** The service with fixed answers about one webhook. */
export function fakeDeliveries(answer: Answer, webhookId: string): Service {
  const ofWebhook = <Row>(given: string, row: Row): Row => {
    if (given !== webhookId) throw notFound();
    return row;
  };
  return partialService(DeliveryServiceService, {
    getWebhookOptions: answer('getWebhookOptions', ({ id }) => ofWebhook(id, options)),
    updateWebhookOptions: answer('updateWebhookOptions', ({ ifVersion }) => {
      if (typeof ifVersion === 'number' && ifVersion !== options.version) throw preconditionFailed();
      return { ...options, rateLimit: null, version: options.version + 1 };
    }),
    listDeliveries: answer('listDeliveries', ({ webhookId: id, cursor }) =>
      ofWebhook(id, { deliveries: [delivery], nextCursor: cursor === '' ? knownDeliveries.nextCursor : '' }),
    ),
    listInteractionDeliveries: answer('listInteractionDeliveries', ({ cursor }) => ({
      deliveries: [delivery],
      nextCursor: cursor === '' ? knownDeliveries.nextCursor : '',
    })),
    listCustomerDeliveries: answer('listCustomerDeliveries', ({ after }) => ({
      deliveries: [customerDelivery],
      ...(after == null ? { nextAfter: 'next', digest: 'd' } : {}),
    })),
    getDelivery: answer('getDelivery', ({ webhookId: id }) => ofWebhook(id, delivery)),
    getDeliveryBody: answer('getDeliveryBody', ({ webhookId: id }) =>
      ofWebhook(id, { body: Buffer.from('{"customer_id":"c-1"}'), isRedacted: false }),
    ),
    listAttempts: answer('listAttempts', ({ webhookId: id }) => ofWebhook(id, { attempts, nextCursor: '' })),
    retryDelivery: answer('retryDelivery', () => ({ ...delivery, dueAt: null, isUnderWay: true })),
    startRecovery: answer('startRecovery', ({ idempotency }) => ({
      recovery,
      replayed: idempotency !== null,
    })),
    listRecoveries: answer('listRecoveries', () => ({ recoveries: [recovery], nextCursor: recovery.id })),
    getRecovery: answer('getRecovery', () => ({ ...recovery, state: 'done', finishedAt: now })),
    sendTestEvent: answer('sendTestEvent', ({ idempotency }) => ({
      delivery: { ...delivery, isTest: true, interactionId: null, attempts: 0 },
      replayed: idempotency !== null,
    })),
    getStats: answer('getStats', ({ webhookId: id }) => ofWebhook(id, stats)),
  });
}
