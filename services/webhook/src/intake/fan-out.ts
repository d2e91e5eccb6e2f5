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
import { describeWebhook, storeEventsAndDeliveries } from './event-store.ts';
import { type About, kindOf } from './kinds.ts';
import { isDeletion } from './remove-events.ts';
import { eventsThatWait } from './shares.ts';

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
 * Returns the handler of the consumer. It gets the bodies of events, evaluates the filters of the webhooks that want
 * them, and stores events and deliveries in one transaction per response. Events of deleted interactions are dropped.
 * Events of much work, of a customer whose data is being removed, or behind such ones wait for a share of their
 * workspace.
 */
export function fanOut(options: FanOutOptions): Handle<unknown> {
  const { db, compute, interactions, onDeliveries } = options;
  return async (received, take, share) => {
    const events = received.map(raisedOf);
    const call = { requestId: uuidv7(), signal: share.signal };
    const read = (some: readonly Raised[]) => withBodies(interactions, some.flatMap(ofInteraction), call);
    // Almost all events of a batch are stored. Of a share, most may have to wait for the next one.
    const early = share.isShare ? undefined : read(events);
    const [subscribers, first] = await Promise.all([loadSubscribers(db, events), early?.next()]);
    const wanted = keepWanted(events, subscribers, share);
    const subscribersOf = new Map(wanted.map((event) => [event.id, event.subscribers]));
    const left = new Set<string>();
    const store = async (part: readonly (Wanted & EventBody)[]): Promise<void> => {
      if (part.length === 0) return;
      // Later events of a customer stay behind the waiting ones.
      const behind = part.filter((event) => left.has(customerOf(event)));
      const decided = await Promise.all(
        part
          .filter((event) => !behind.includes(event))
          .map(async (event) => ({
            ...event,
            decisions: await decideDeliveries(compute, event, event.subscribers),
          })),
      );
      const add = () => storeEventsAndDeliveries(db, decided, take);
      const { webhookIds, fenced } = await withPartitions(db, partitioned, add);
      for (const event of fenced) left.add(customerOf(event));
      share.leave([...behind, ...fenced].map(({ id }) => id));
      onDeliveries(webhookIds);
    };
    const storeWanted = (part: readonly (OfInteraction & EventBody)[]): Promise<void> =>
      store(
        part.flatMap((event) => {
          const own = subscribersOf.get(event.id);
          return own && isThere(event, options.logger) ? { ...event, subscribers: own } : [];
        }),
      );
    const others = wanted.filter(({ interaction }) => !interaction);
    await store(await Promise.all(others.map((event) => withOwnBody(db, event))));
    if (first && !first.done) await storeWanted(first.value);
    for await (const part of early ?? read(wanted)) await storeWanted(part);
  };
}

function customerOf({ workspaceId, customerId }: Wanted): string {
  return JSON.stringify([workspaceId, customerId]);
}

interface Raised extends About {
  id: string;
  name: EventName;
  raisedAt: Date;
  traceparent: string | null;
}

type OfInteraction = Omit<Raised, 'interaction'> & {
  interactionId: string;
  status: Interaction['status'];
};

/** An event with the webhooks that wanted it when it was raised. */
type Wanted = OfInteraction & { subscribers: readonly Subscriber[] };

function raisedOf({ id, type, raisedAt, traceparent, message }: Received<unknown>): Raised {
  const { name, read } = kindOf(type);
  return { id, name, raisedAt, traceparent: traceparent ?? null, ...read(message) };
}

function ofInteraction({ interaction, ...event }: Raised): OfInteraction[] {
  return interaction ? [{ ...event, interactionId: interaction.id, status: interaction.status }] : [];
}

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

/** Returns the events that webhooks wanted, with these webhooks. Leaves events that must wait. */
function keepWanted(
  events: readonly Raised[],
  subscribers: ReadonlyMap<string, readonly Subscriber[]>,
  share: Share,
): (Raised & Pick<Wanted, 'subscribers'>)[] {
  const wanted = events.flatMap((event) => {
    const own = subscribers.get(event.id);
    return own ? { ...event, subscribers: own } : [];
  });
  const waits = new Set(eventsThatWait(wanted, share));
  share.leave([...waits]);
  return wanted.filter(({ id }) => !waits.has(id));
}

/** Adds the body of an event that is about no interaction: the webhook's row, or nothing besides `extra`. */
async function withOwnBody(db: Db, event: Raised & Pick<Wanted, 'subscribers'>): Promise<Wanted & EventBody> {
  const { webhookId, workspaceId } = event;
  const complete = {
    ...event,
    ...otherBody,
    interactionId: '',
    status: Interaction_Status.STATUS_UNSPECIFIED,
  };
  if (webhookId === undefined) return complete;
  const webhook = await describeWebhook(db, { workspaceId, webhookId });
  return { ...complete, interaction: Buffer.from(JSON.stringify(webhook)) };
}

function isThere({ id, workspaceId, interaction }: OfInteraction & EventBody, logger: Logger): boolean {
  const isPresent = interaction.length > 0;
  if (!isPresent) logger.info({ eventId: id, workspaceId }, 'the interaction of an event is deleted');
  return isPresent;
}
