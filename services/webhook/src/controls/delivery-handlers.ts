import { auditShown, rememberShown, type Showing } from '@parley/audit/shown';
import { eventExamples, resultExample } from '@parley/contracts/event-examples';
import { type EventName, isEventName } from '@parley/contracts/event-names';
import { webhookLimits } from '@parley/contracts/limits';
import { Delivery, type DeliveryServiceService, Recovery } from '@parley/contracts/webhook/v1/delivery';
import { idempotent } from '@parley/postgres/idempotency';
import { inTransaction } from '@parley/postgres/connecting/transaction';
import type { Handlers } from '@parley/rpc/definition';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import { idPositions, instantPart, numberPart, positionsOf, readPage } from '@parley/runtime/cursor';
import { invalidRequest } from '@parley/runtime/errors';
import { v7 as uuidv7 } from 'uuid';
import { findBody } from '../log/body-store.ts';
import {
  type AttemptPosition,
  deliveriesOfInteraction,
  findDelivery,
  listAttempts,
  pageOfDeliveries,
} from '../log/log-store.ts';
import { readStats } from '../log/stats-store.ts';
import { digestOfSubject, pageOfSubject } from '../log/subject-store.ts';
import { type Db, finalStates, type WebhookKey } from '../schema.ts';
import { decideDeliveries } from '../subscriptions/filtering.ts';
import { currentWanted } from '../subscriptions/subscription-store.ts';
import { findWebhook } from '../webhooks/store.ts';
import { addTestEvent, refused, retryDelivery, type TestEvent } from './controls-store.ts';
import { findRecovery, insertRecovery, listRecoveries, recoverableStates } from './recovery-store.ts';

interface Dependencies {
  db: Db;
  compute: Compute;
  /** Called after a commit with the ids of webhooks with due deliveries. */
  onDeliveries: (webhookIds: readonly string[]) => void;
  /** Called after a commit that started a recovery. */
  onRecovery: () => void;
}

const states = ['pending', ...finalStates];

type SomeHandlers = Partial<Handlers<DeliveryServiceService>>;

export function deliveryHandlers(dependencies: Dependencies) {
  return { ...logHandlers(dependencies), ...controlHandlers(dependencies) };
}

function logHandlers({ db }: Dependencies) {
  const shown = rememberShown();
  return {
    listDeliveries: async ({ cursor, limit, event = null, ...filters }) => {
      const before = idPositions.read(cursor);
      await findWebhook(db, filters);
      const wanted = { ...filters, states: filters.states.length > 0 ? filters.states : states };
      return pageOfDeliveries(db, { ...wanted, beforeId: before?.id ?? null }, { event, limit });
    },

    listInteractionDeliveries: async ({ workspaceId, interactionId, ...page }) => {
      const { rows: deliveries, nextCursor } = await readPage(idPositions, page, (before, limit) =>
        deliveriesOfInteraction(db, { workspaceId, interactionId }, before?.id ?? null, limit),
      );
      return { deliveries, nextCursor };
    },

    listCustomerDeliveries: async ({ after, ...customer }) => {
      if (after != null) return pageOfSubject(db, customer, after);
      // Before the rows: a change in between shows in the next digest.
      const digest = await digestOfSubject(db, customer);
      return { ...(await pageOfSubject(db, customer, undefined)), digest };
    },

    getDelivery: ({ id, ...webhook }) => findDelivery(db, webhook, id),

    getDeliveryBody: async ({ id, showsNone, ...webhook }) => {
      const delivery = await findDelivery(db, webhook, id);
      const found = await findBody(db, webhook, id);
      if (found.body && !showsNone)
        await auditShown({ db, shown }, showing('delivery.opened', webhook, delivery));
      return found;
    },

    listAttempts: async ({ deliveryId, cursor, limit: given, showsNone, ...webhook }) => {
      const delivery = await findDelivery(db, webhook, deliveryId);
      const page = { cursor, limit: Math.min(given, webhookLimits.attemptsMax) };
      const { rows: attempts, nextCursor } = await readPage(attemptPositions, page, (after, limit) =>
        listAttempts(db, webhook, deliveryId, after, limit),
      );
      if (!showsNone && attempts.some(({ responseExcerpt }) => responseExcerpt.length > 0)) {
        await auditShown({ db, shown }, showing('attempts.listed', webhook, delivery));
      }
      return { attempts, nextCursor };
    },

    listRecoveries: async ({ cursor, limit: given, ...webhook }) => {
      const page = { cursor, limit: given };
      const { rows: recoveries, nextCursor } = await readPage(idPositions, page, async (before, limit) => {
        await findWebhook(db, webhook);
        return listRecoveries(db, webhook, before?.id ?? null, limit);
      });
      return { recoveries, nextCursor };
    },

    getStats: (webhook) => readStats(db, webhook),
  } satisfies SomeHandlers;
}

/** Returns what the audit log has about a delivery that is shown. A receiver may repeat the body. */
function showing(
  action: 'delivery.opened' | 'attempts.listed',
  { workspaceId, webhookId }: WebhookKey,
  { id, interactionId }: Delivery,
): Showing {
  const about = interactionId == null ? [] : [{ type: 'interaction', id: interactionId }];
  const others = [{ type: 'webhook', id: webhookId }, ...about];
  return { workspaceId, action, things: [{ type: 'delivery', id }], others };
}

function controlHandlers({ db, compute, onDeliveries, onRecovery }: Dependencies) {
  return {
    retryDelivery: async ({ id, ...webhook }) => {
      const delivery = await retryDelivery(db, webhook, id);
      onDeliveries([webhook.webhookId]);
      return delivery;
    },

    startRecovery: async ({ since, until, states: given, idempotency, ...webhook }) => {
      const id = uuidv7();
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId: webhook.workspaceId,
        subject: id,
        codec: Recovery,
        effect: (work) =>
          inTransaction(work, async (trx) => {
            await findWebhook(trx, webhook);
            if (!since || since >= (until ?? new Date())) {
              const detail = 'Must be before until (default: now)';
              throw invalidRequest([{ pointer: '/since', detail }]);
            }
            const named = recoverableStates.filter((state) => given.length === 0 || given.includes(state));
            return insertRecovery(trx, { ...webhook, id, since, until, states: named });
          }),
      });
      onRecovery();
      return { recovery: message, replayed };
    },

    getRecovery: async ({ id, ...webhook }) => {
      await findWebhook(db, webhook);
      return findRecovery(db, webhook, id);
    },

    sendTestEvent: async ({ idempotency, event: name, ignoresFilter, ...webhook }) => {
      if (typeof name === 'string' && !isEventName(name))
        throw invalidRequest([{ pointer: '/event', detail: 'Must be the name of an event' }]);
      const id = uuidv7();
      const { message, replayed } = await idempotent(db, {
        key: idempotency,
        workspaceId: webhook.workspaceId,
        subject: id,
        codec: Delivery,
        effect: async (trx) => {
          await findWebhook(trx, webhook);
          const event = testEvent(id, name ?? undefined);
          if (!ignoresFilter && !(await passesFilter(compute, trx, webhook, event))) {
            throw refused('event-filtered');
          }
          return addTestEvent(trx, webhook, event);
        },
      });
      onDeliveries([webhook.webhookId]);
      return { delivery: message, replayed };
    },
  } satisfies SomeHandlers;
}

const attemptPositions = positionsOf<AttemptPosition>({
  number: numberPart,
  startedAt: { ...instantPart, write: (startedAt) => String(Number(startedAt)) },
});

/** Returns a test event: the example of an event, or a completion of now that is named `Test`. */
function testEvent(id: string, name: EventName | undefined): TestEvent {
  const { result: example = null, ...data } = eventExamples[name ?? 'InteractionCompleted'] as {
    result?: TestEvent['result'];
  };
  if (name !== undefined) return { id, name, data, result: example };
  const nowSeconds = Date.now() / 1_000;
  const [asked, answered] = resultExample.transcript;
  const result = {
    ...resultExample,
    customer_id: 'test-customer',
    interaction_id: id,
    transcript: [
      { ...asked, timestamp: nowSeconds - 10 },
      { ...answered, timestamp: nowSeconds },
    ],
  };
  return { id, name: 'Test', data, result };
}

/** Returns whether the filter of a webhook lets a test event pass. The event `Test` counts as a completion. */
async function passesFilter(
  compute: Compute,
  db: Db,
  webhook: WebhookKey,
  { name, data, result }: TestEvent,
): Promise<boolean> {
  const { filter, isEnveloped } = await currentWanted(db, webhook);
  const event = {
    workspaceId: webhook.workspaceId,
    name: isEventName(name) ? name : 'InteractionCompleted',
    interactionId: 'botId' in data ? resultExample.interaction_id : '',
    interaction: Buffer.from(JSON.stringify(data)),
    evaluation: result?.evaluation ?? {},
  } as const;
  const subscriber = { webhookId: webhook.webhookId, filter, isEnveloped };
  const [decision] = await decideDeliveries(compute, event, [subscriber]);
  return decision?.outcome === 'sent';
}
