import { webhookLimits } from '@parley/contracts/limits';
import { Delivery, type DeliveryServiceService, Recovery } from '@parley/contracts/webhook/v1/delivery';
import { idempotent } from '@parley/postgres/idempotency';
import type { Handlers } from '@parley/rpc/definition';
import { AppError, type Fault, invalidRequest, notFound } from '@parley/runtime/errors';
import type { Kysely } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { finalStates } from '../deliveries/delivery-state.ts';
import type { Tables, WebhookKey } from '../schema.ts';
import { existing } from '../webhooks/find-webhook.ts';
import { findWebhook } from '../webhooks/store.ts';
import { attemptCursor, deliveryCursor, readAttemptCursor, readDeliveryCursor } from './cursor.ts';
import { type AttemptPlace, findDelivery, listAttempts, listDeliveries } from './log-store.ts';
import { findRecovery, insertRecovery } from './recovery-store.ts';
import { type RetryRefusal, retryDelivery } from './retry-store.ts';
import { readStats } from './stats-store.ts';
import { testBody } from './test-event.ts';
import { addTestEvent } from './test-event-store.ts';

interface Dependencies {
  db: Kysely<Tables>;
  /** Called after a commit with the webhooks that have something to deliver. */
  onDeliveries: (webhookIds: readonly string[]) => void;
  /** Called after a commit that left something to recover. */
  onRecovery: () => void;
}

const { deliveriesMax, attemptsMax } = webhookLimits;
const states = ['pending', ...finalStates];
/** Before all attempts. */
const firstPlace: AttemptPlace = { number: 0, startedAt: new Date(0) };
const recoverableStates = ['failed', 'skipped'];

const refusals: Record<RetryRefusal, string> = {
  'webhook-inactive': 'The webhook is not active',
  'delivery-under-way': 'An attempt of this delivery is being made',
  'event-expired': 'What was to be delivered is no longer kept',
};

/** What each RPC about the log of deliveries, and the levers, means. */
export function deliveryHandlers({
  db,
  onDeliveries,
  onRecovery,
}: Dependencies): Omit<Handlers<DeliveryServiceService>, 'getWebhookOptions' | 'updateWebhookOptions'> {
  const find = ({ workspaceId, webhookId: id }: WebhookKey, on = db) =>
    existing(() => findWebhook(on, workspaceId, id), { workspaceId, id });
  const delivery = async (webhook: WebhookKey, id: string): Promise<Delivery> => {
    await find(webhook);
    return (await findDelivery(db, webhook, id)) ?? missing();
  };

  return {
    listDeliveries: async ({ cursor, limit, ...filters }) => {
      const beforeId = cursor === '' ? null : readDeliveryCursor(cursor);
      requireNone([
        ...pageFaults(beforeId, limit, deliveriesMax),
        ...stateFaults(filters.states, states, '/query/state'),
      ]);
      await find(filters);
      const wanted = { ...filters, states: filters.states.length > 0 ? filters.states : states };
      const found = await listDeliveries(db, { ...wanted, beforeId: beforeId ?? null }, limit);
      const deliveries = found.slice(0, limit);
      const last = found.length > limit ? deliveries.at(-1) : undefined;
      return { deliveries, nextCursor: last ? deliveryCursor(last.id) : '' };
    },

    getDelivery: ({ id, ...webhook }) => delivery(webhook, id),

    listAttempts: async ({ deliveryId, cursor, limit, ...webhook }) => {
      const after = cursor === '' ? firstPlace : readAttemptCursor(cursor);
      requireNone(pageFaults(after, limit, attemptsMax));
      await delivery(webhook, deliveryId);
      const found = await listAttempts(db, webhook, deliveryId, after ?? firstPlace, limit + 1);
      const attempts = found.slice(0, limit);
      const last = found.length > limit ? attempts.at(-1) : undefined;
      return { attempts, nextCursor: last ? attemptCursor(last) : '' };
    },

    retryDelivery: async ({ id, ...webhook }) => {
      await find(webhook);
      const retried = await retryDelivery(db, webhook, id);
      if (!retried) throw notFound();
      if (typeof retried === 'string') throw refused(retried);
      onDeliveries([webhook.webhookId]);
      return retried;
    },

    startRecovery: async ({ since, until, states: given, idempotency, ...webhook }) => {
      requireNone([
        ...stateFaults(given, recoverableStates, '/states'),
        ...(since ? [] : [{ pointer: '/since', detail: 'Must be there' }]),
        ...(since && until ? orderFaults(since, until) : []),
      ]);
      const id = uuidv7();
      const recovery = {
        ...webhook,
        id,
        since: since ?? new Date(),
        until,
        states: given.length > 0 ? [...new Set(given)].toSorted() : recoverableStates,
      };
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId: webhook.workspaceId,
        subject: id,
        codec: Recovery,
        effect: async (trx) => {
          await find(webhook, trx);
          requireNone(orderFaults(recovery.since, until ?? new Date()));
          return (await insertRecovery(trx, recovery)) ?? inactive();
        },
      });
      onRecovery();
      return { recovery: message, replayed };
    },

    getRecovery: async ({ id, ...webhook }) => {
      await find(webhook);
      return (await findRecovery(db, webhook, id)) ?? missing();
    },

    sendTestEvent: async ({ idempotency, ...webhook }) => {
      const id = uuidv7();
      const event = { id, body: testBody(id, new Date()) };
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId: webhook.workspaceId,
        subject: id,
        codec: Delivery,
        effect: async (trx) => {
          await find(webhook, trx);
          return (await addTestEvent(trx, webhook, event)) ?? inactive();
        },
      });
      onDeliveries([webhook.webhookId]);
      return { delivery: message, replayed };
    },

    getStats: async (webhook) => {
      await find(webhook);
      return (await readStats(db, webhook)) ?? missing();
    },
  };
}

/** 409: it cannot be done as things are. */
function refused(type: RetryRefusal): AppError {
  return new AppError('failed_precondition', type, refusals[type]);
}

function inactive(): never {
  throw refused('webhook-inactive');
}

function missing(): never {
  throw notFound();
}

function requireNone(faults: Fault[]): void {
  if (faults.length > 0) throw invalidRequest(faults);
}

/** `place` is undefined for a cursor that no page gave. */
function pageFaults(
  place: string | AttemptPlace | null | undefined,
  limit: number,
  limitMax: number,
): Fault[] {
  const faults: Fault[] = [];
  if (place === undefined) {
    faults.push({ pointer: '/query/cursor', detail: 'Must be the nextCursor of a page of this list' });
  }
  if (limit < 1 || limit > limitMax) {
    faults.push({ pointer: '/query/limit', detail: `Must be between 1 and ${limitMax}` });
  }
  return faults;
}

function orderFaults(since: Date, until: Date): Fault[] {
  return since < until
    ? []
    : [{ pointer: '/since', detail: 'Must be before until, which is now when it is missing' }];
}

function stateFaults(given: readonly string[], known: readonly string[], pointer: string): Fault[] {
  return given.every((state) => known.includes(state))
    ? []
    : [{ pointer, detail: `Must be of ${known.join(', ')}` }];
}
