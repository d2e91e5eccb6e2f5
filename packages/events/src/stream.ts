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

/** How many events of one subject the stream holds. Further events wait in the sender's outbox. */
export const eventsMax = 10_000;
const eventsKeptMs = 24 * 60 * 60 * 1_000;
/** An event is redelivered when its consumer neither acknowledges nor extends it for this long. */
export const ackWaitMs = 10_000;
/** How many unacknowledged events all replicas of a consumer may have together. */
const ackPendingMax = 500;

/** Message headers: when the event was raised and sent (ISO 8601, the clock of the sender's database), and its id. */
export const raisedAtHeader = 'Parley-Raised-At';
export const sentAtHeader = 'Parley-Sent-At';
export const eventIdHeader = 'Parley-Event-Id';

const storage = { retention: RetentionPolicy.Workqueue, storage: StorageType.File };
// A full stream rejects new events, so that they stay in the outbox. Each subject has its own limit.
const limits = {
  subjects: [...stream.subjects],
  discard: DiscardPolicy.New,
  discard_new_per_subject: true,
  max_msgs_per_subject: eventsMax,
  max_age: nanos(eventsKeptMs),
};

/** Creates the stream or updates its limits. Work-queue retention: an acknowledged event is removed. */
export async function declareStream(manager: JetStreamManager): Promise<void> {
  const found = await unlessMissing(manager.streams.info(stream.name));
  if (!found) await manager.streams.add({ name: stream.name, ...storage, ...limits });
  else if (!isDeepStrictEqual({ ...found.config, ...limits }, found.config)) {
    await manager.streams.update(stream.name, limits);
  }
}

/** Creates the durable consumer or updates its settings. It redelivers an event until it is acknowledged. */
export async function declareDurable(
  manager: JetStreamManager,
  durable: string,
  subject: string,
): Promise<void> {
  const settings = { filter_subject: subject, ack_wait: nanos(ackWaitMs), max_ack_pending: ackPendingMax };
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) {
    const fresh = { durable_name: durable, ack_policy: AckPolicy.Explicit, ...settings };
    await manager.consumers.add(stream.name, fresh);
  } else if (!isDeepStrictEqual({ ...found.config, ...settings }, found.config)) {
    await manager.consumers.update(stream.name, durable, settings);
  }
}

/** Returns the oldest event of a subject in the stream, or undefined if there is none. */
export async function oldestInStream(
  manager: JetStreamManager,
  subject: string,
): Promise<{ seq: number; sentAt: Date } | undefined> {
  const first = { seq: 1, next_by_subj: subject };
  const oldest = await unlessMissing(manager.streams.getMessage(stream.name, first));
  return oldest
    ? { seq: oldest.seq, sentAt: new Date(oldest.header.get(sentAtHeader) || oldest.time) }
    : undefined;
}

/** Returns whether the stream accepts this many more events of any subject. */
export async function hasCapacityFor(manager: JetStreamManager, events: number): Promise<boolean> {
  const found = await unlessMissing(manager.streams.info(stream.name, { subjects_filter: '>' }));
  return Object.values(found?.state.subjects ?? {}).every((stored) => stored + events <= eventsMax);
}

/** Returns whether the stream rejected an event because it is full. */
export function isFullFault(error: unknown): boolean {
  const maximumMessagesExceeded = 10_077;
  return error instanceof JetStreamApiError && error.code === maximumMessagesExceeded;
}

/**
 * Returns a stream sequence that the durable counts as delivered although its event is in the stream or will
 * arrive later. The stream has then lost events and reuses their sequences, so the durable skips new events.
 * An event that is being acknowledged can briefly look the same.
 */
export async function skippedBy(
  manager: JetStreamManager,
  durable: string,
  subject: string,
): Promise<number | undefined> {
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) return undefined;
  // Read second: both sequences only rise.
  const { state } = await manager.streams.info(stream.name);
  if (found.delivered.stream_seq > state.last_seq) return found.delivered.stream_seq;
  const oldest = await oldestInStream(manager, subject);
  return oldest && oldest.seq <= found.ack_floor.stream_seq ? oldest.seq : undefined;
}

/** Returns how many events a durable has not acknowledged. Undefined if there is no durable. */
export async function lagOf(manager: JetStreamManager, durable: string): Promise<number | undefined> {
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  return found && found.num_pending + found.num_ack_pending;
}

/** Returns undefined if the stream or durable does not exist. */
async function unlessMissing<Info>(request: Promise<Info>): Promise<Info | undefined> {
  const { StreamNotFound, ConsumerNotFound } = JetStreamApiCodes;
  try {
    return await request;
  } catch (error) {
    const isMissing =
      error instanceof JetStreamApiError &&
      (error.code === StreamNotFound || error.code === ConsumerNotFound);
    if (!isMissing) throw error;
    return undefined;
  }
}
