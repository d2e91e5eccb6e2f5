import type { EventName } from '@parley/contracts/event-names';
import {
  type EventBody,
  type Interaction,
  Interaction_Status,
} from '@parley/contracts/interaction/v1/interaction';
import type { Handle, Received, Share } from '@parley/events/consumer';
import { withPartitions } from '@parley/postgres/schema/partitions';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { v7 as uuidv7 } from 'uuid';
import { partitioned } from '../deliveries/partitions.ts';
import type { Db } from '../schema.ts';
import { decideDeliveries } from '../subscriptions/filtering.ts';
import { listWanted, loadSubscribers, type Subscriber } from '../subscriptions/subscription-store.ts';
import { type Bodies, otherBody, withBodies } from './bodies.ts';
import { describeWebhook, storeEventsAndDeliveries, type Taking } from './event-store.ts';
import { type About, kindOf } from './kinds.ts';
import { isDeletion } from './remove-events.ts';
import { divide, eventsThatWait, isCostly } from './shares.ts';

const unspecified = Interaction_Status.STATUS_UNSPECIFIED;

interface FanOutOptions {
  db: Db;
  logger: Logger;
  compute: Compute;
  /** Returns what events do not carry. */
  interactions: Bodies;
  /** Called after a commit with the ids of webhooks with due deliveries. */
  onDeliveries: (webhookIds: readonly string[]) => void;
}

/**
 * Returns the handlers of the consumer. Of the events that a webhook wants, they get the bodies, evaluate the filters,
 * and store events and deliveries in one transaction per response. Events of deleted interactions are dropped. Events
 * of much work, of a customer whose data is being removed, or behind such ones wait for a share of their workspace.
 * Webhooks with costly filters get postponed events.
 */
export function fanOut(options: FanOutOptions): Record<'handle' | 'handlePostponed', Handle<unknown>> {
  const { db } = options;
  return {
    handle: async (received, take, share) => {
      const wanted = await wantedOf(db, received);
      const { now, postponed, waits } = divide(wanted, await postponedSince(wanted, share), share);
      share.leave([...waits]);
      const postpone: Taking['postpone'] = (trx, taken) => {
        const later = [...postponed].filter((id) => taken.has(id));
        return share.postpone(trx, later);
      };
      await storeEach(options, now, { take, postpone }, share);
    },
    handlePostponed: async (received, take, share) => {
      const wanted = (await wantedOf(db, received)).map((event) => ({
        ...event,
        subscribers: event.subscribers.filter(isCostly),
      }));
      const waits = new Set(eventsThatWait(wanted, share));
      share.leave([...waits]);
      const now = wanted.filter(({ id }) => !waits.has(id));
      await storeEach(options, now, { take }, share);
    },
  };
}

/** Returns which workspaces have postponed events. That matters only for costly filters and ordered webhooks. */
async function postponedSince(wanted: readonly Wanted[], share: Share): Promise<ReadonlyMap<string, Date>> {
  const concerned = wanted.filter(({ subscribers }) =>
    subscribers.some((one) => one.hadFilter || isCostly(one)),
  );
  const workspaceIds = new Set(concerned.map(({ workspaceId }) => workspaceId));
  return workspaceIds.size > 0 ? share.postponedSince([...workspaceIds]) : new Map();
}

/** Stores events with deliveries for their subscribers. */
async function storeEach(
  options: FanOutOptions,
  wanted: readonly WithoutBody[],
  taking: Taking,
  share: Share,
): Promise<void> {
  const { db, compute, interactions, onDeliveries } = options;
  const left = new Set<string>();
  const store = async (part: readonly (Wanted & EventBody)[]): Promise<void> => {
    // Later events of a customer stay behind the waiting ones. Events of other customers do not.
    const behind = part.filter((event) => left.has(customerOf(event)));
    const decided = await Promise.all(
      part
        .filter((event) => !behind.includes(event))
        .map(async (event) => ({
          ...event,
          decisions: await decideDeliveries(compute, event, event.subscribers),
        })),
    );
    const add = () => storeEventsAndDeliveries(db, decided, taking);
    const { webhookIds, fenced } = await withPartitions(db, partitioned, add);
    for (const event of fenced) left.add(customerOf(event));
    const ids = [...behind, ...fenced].map(({ id }) => id);
    share.leave(ids, { mayPass: true });
    onDeliveries(webhookIds);
  };
  // What nobody gets now needs no body.
  const others = wanted.filter(({ interaction, subscribers }) => !interaction || subscribers.length === 0);
  if (others.length > 0) await store(await Promise.all(others.map((event) => withOwnBody(db, event))));
  const ofInteractions = wanted.flatMap((event) => {
    const { interaction, subscribers } = event;
    return interaction && subscribers.length > 0
      ? { ...event, interactionId: interaction.id, status: interaction.status }
      : [];
  });
  const call = { requestId: uuidv7(), signal: share.signal };
  for await (const part of withBodies(interactions, ofInteractions, call))
    await store(part.filter((event) => isThere(event, options.logger)));
}

function customerOf({ workspaceId, customerId }: Wanted): string {
  return JSON.stringify([workspaceId, customerId]);
}

/** An event with the webhooks that wanted it when it was raised. */
type Wanted = Omit<About, 'interaction'> & {
  id: string;
  name: EventName;
  raisedAt: Date;
  traceparent: string | null;
  subscribers: readonly Subscriber[];
  interactionId: string;
  status: Interaction['status'];
};

/** A wanted event with what its body is about. */
type WithoutBody = Wanted & Pick<About, 'interaction'>;

/** Returns the ids of the events that a webhook wanted when they were raised, and of all deletions. */
export function wantedBy(db: Db) {
  return async (events: readonly Omit<Received<unknown>, 'traceparent'>[]): Promise<ReadonlySet<string>> => {
    const others = events
      .filter((event) => !isDeletion(event))
      .map(({ id, type, raisedAt, message }) => {
        const { name, read } = kindOf(type);
        const { workspaceId, webhookId } = read(message);
        return { id, name, raisedAt, workspaceId, webhookId };
      });
    const wanted = others.length > 0 ? await listWanted(db, others) : [];
    return new Set([...events.filter(isDeletion).map(({ id }) => id), ...wanted]);
  };
}

/** Returns the events that webhooks wanted, with these webhooks. */
async function wantedOf(db: Db, received: readonly Received<unknown>[]): Promise<WithoutBody[]> {
  const events = received.map(({ id, type, raisedAt, traceparent = null, message }) => {
    const { name, read } = kindOf(type);
    const about = read(message);
    return { id, name, raisedAt, traceparent, ...about, interactionId: '', status: unspecified };
  });
  const subscribers = await loadSubscribers(db, events);
  return events.flatMap((event) => {
    const own = subscribers.get(event.id) ?? [];
    return own.length > 0 ? { ...event, subscribers: own } : [];
  });
}

/** Adds the body of an event that is about no interaction: the webhook's row, or nothing besides `extra`. */
async function withOwnBody<Event extends { webhookId?: string; workspaceId: string }>(
  db: Db,
  event: Event,
): Promise<Omit<Event, 'interaction'> & EventBody> {
  const { webhookId, workspaceId } = event;
  if (webhookId === undefined) return { ...event, ...otherBody };
  const webhook = await describeWebhook(db, { workspaceId, webhookId });
  return { ...event, ...otherBody, interaction: Buffer.from(JSON.stringify(webhook)) };
}

function isThere({ id, workspaceId, interaction }: Wanted & EventBody, logger: Logger): boolean {
  const isPresent = interaction.length > 0;
  if (!isPresent) logger.info({ eventId: id, workspaceId }, 'the interaction of an event is deleted');
  return isPresent;
}
