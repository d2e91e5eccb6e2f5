import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';

/** How many events of a kind may be on their way. What is beyond waits with its sender, in Postgres. */
export const eventsMax = 10_000;
const eventsKeptMs = 24 * 60 * 60 * 1_000;
/** After how long without a word from who has it in hand an event is handed to another. */
export const ackWaitMs = 10_000;
/** How many events all copies of a consumer may have in hand together. */
const inHandMax = 500;

/** On a message: when its event was raised and when it was sent, by the clock of its sender's database (ISO 8601), and which event it is. */
export const raisedAtHeader = 'Parley-Raised-At';
export const sentAtHeader = 'Parley-Sent-At';
export const eventIdHeader = 'Parley-Event-Id';

const storage = { retention: RetentionPolicy.Workqueue, storage: StorageType.File };
// A full stream refuses what is new, so that its sender keeps it; each kind of event has room of its own.
const limits = {
  subjects: [...stream.subjects],
  discard: DiscardPolicy.New,
  discard_new_per_subject: true,
  max_msgs_per_subject: eventsMax,
  max_age: nanos(eventsKeptMs),
};

/** Makes the stream, or gives it the limits of today. Work-queue retention: an event is gone once its consumer has it. */
export async function declareStream(manager: JetStreamManager): Promise<void> {
  const found = await unlessMissing(manager.streams.info(stream.name));
  if (!found) await manager.streams.add({ name: stream.name, ...storage, ...limits });
  else if (!isDeepStrictEqual({ ...found.config, ...limits }, found.config)) {
    await manager.streams.update(stream.name, limits);
  }
}

/** Makes the durable, or gives it the settings of today. It redelivers until it is told that the event was taken. */
export async function declareDurable(
  manager: JetStreamManager,
  durable: string,
  subject: string,
): Promise<void> {
  const settings = { filter_subject: subject, ack_wait: nanos(ackWaitMs), max_ack_pending: inHandMax };
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) {
    const fresh = { durable_name: durable, ack_policy: AckPolicy.Explicit, ...settings };
    await manager.consumers.add(stream.name, fresh);
  } else if (!isDeepStrictEqual({ ...found.config, ...settings }, found.config)) {
    await manager.consumers.update(stream.name, durable, settings);
  }
}

/** The oldest event of a kind that is still on its way; undefined when none is. */
export async function oldestOnItsWay(
  manager: JetStreamManager,
  subject: string,
): Promise<{ seq: number; sentAt: Date } | undefined> {
  const first = { seq: 1, next_by_subj: subject };
  const oldest = await unlessMissing(manager.streams.getMessage(stream.name, first));
  return oldest
    ? { seq: oldest.seq, sentAt: new Date(oldest.header.get(sentAtHeader) || oldest.time) }
    : undefined;
}

/** Whether so many more events of any kind would be taken. */
export async function hasRoomFor(manager: JetStreamManager, events: number): Promise<boolean> {
  const found = await unlessMissing(manager.streams.info(stream.name, { subjects_filter: '>' }));
  return Object.values(found?.state.subjects ?? {}).every((onTheirWay) => onTheirWay + events <= eventsMax);
}

/** Whether the stream refused an event because it is full. */
export function isFullFault(error: unknown): boolean {
  const maximumMessagesExceeded = 10_077;
  return error instanceof JetStreamApiError && error.code === maximumMessagesExceeded;
}

/**
 * A number that the durable counts among those that were taken, though its event is there or still to come: the stream has
 * lost events and gives their numbers to new ones, which will never be handed out. While an event is being acknowledged it
 * may look the same for a moment.
 */
export async function skippedBy(
  manager: JetStreamManager,
  durable: string,
  subject: string,
): Promise<number | undefined> {
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) return undefined;
  // Asked for afterwards: both only rise.
  const { state } = await manager.streams.info(stream.name);
  if (found.delivered.stream_seq > state.last_seq) return found.delivered.stream_seq;
  const oldest = await oldestOnItsWay(manager, subject);
  return oldest && oldest.seq <= found.ack_floor.stream_seq ? oldest.seq : undefined;
}

/** Undefined where there is no such stream or durable. */
async function unlessMissing<Info>(asked: Promise<Info>): Promise<Info | undefined> {
  const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes;
  try {
    return await asked;
  } catch (error) {
    const isMissing =
      error instanceof JetStreamApiError &&
      (error.code === StreamNotFound || error.code === ConsumerNotFound);
    if (!isMissing) throw error;
    return undefined;
  }
}
