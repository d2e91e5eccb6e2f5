import { isDeepStrictEqual } from 'node:util';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';

/** What a new stream holds at most. Older messages are discarded: consumers read these events in the log. */
const bytesMax = 1024 * 1024 * 1024;
/** The size of a stream on a server that has no more to give. */
const bytesMin = 16 * 1024 * 1024;
const keptMs = 24 * 60 * 60 * 1_000;
/** An event is redelivered when its consumer neither acknowledges nor extends it for this long. */
export const ackWaitMs = 10_000;
/** How many unacknowledged events all replicas of a consumer may have together. */
const ackPendingMax = 500;

/** The headers of messages: CloudEvents 1.0 in binary mode. */
export const headerNames = {
  specVersion: 'ce-specversion',
  id: 'ce-id',
  eventType: 'ce-type',
  source: 'ce-source',
  time: 'ce-time',
  subject: 'ce-subject',
  workspace: 'ce-parleyworkspace',
  /** The place in the log of the source (CloudEvents extension `sequence`). */
  sequence: 'ce-sequence',
  contentType: 'content-type',
} as const;

const storage = { retention: RetentionPolicy.Limits, storage: StorageType.File };
const limits = {
  subjects: [...stream.subjects],
  discard: DiscardPolicy.Old,
  max_age: nanos(keptMs),
};

/**
 * Creates the stream if it is missing, and updates its limits, except for its size: operators may change it. Returns
 * its state. A stream that cannot have as many replicas now gets one.
 */
export async function declareStream(manager: JetStreamManager, replicas: number): Promise<StreamInfo> {
  const found = await unlessMissing(manager.streams.info(stream.name));
  if (!found) return createStream(manager, replicas, bytesMax);
  const { config } = found;
  if (isDeepStrictEqual({ ...config, ...limits }, config)) return found;
  return manager.streams.update(stream.name, limits);
}

/** Changes the number of replicas. Throws if too few servers are online, or the server is in no cluster. */
export async function setReplicas(manager: JetStreamManager, replicas: number): Promise<void> {
  const { cluster } = await manager.streams.info(stream.name);
  // Such a server would accept any number.
  if (!cluster) throw new Error('the NATS server is in no cluster, so the stream has one replica');
  await manager.streams.update(stream.name, { num_replicas: replicas });
}

/** A server reserves the size of a stream. One that has less left, as on a small disk, gets a smaller stream. */
async function createStream(manager: JetStreamManager, replicas: number, bytes: number): Promise<StreamInfo> {
  const sizes = { max_bytes: bytes, num_replicas: replicas };
  try {
    return await manager.streams.add({ name: stream.name, ...storage, ...limits, ...sizes });
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    if (replicas > 1 && lacksServers.has(error.code)) return createStream(manager, 1, bytes);
    if (bytes <= bytesMin || !lacksStorage.has(error.code)) throw error;
    return createStream(manager, replicas, bytes / 2);
  }
}

/** Codes of JetStream: too few servers are online, or the server is in no cluster. */
const lacksServers: ReadonlySet<number> = new Set([10_005, 10_074]);
/** Codes of JetStream: the account, or the server, has too little storage left; the account allows smaller streams. */
const lacksStorage: ReadonlySet<number> = new Set([10_002, 10_047, 10_122]);

/**
 * Creates the durable consumer or updates its settings. A new one receives what is published from now on. It redelivers
 * an event until it is acknowledged.
 */
export async function declareDurable(
  manager: JetStreamManager,
  durable: string,
  subjects: readonly string[],
): Promise<void> {
  const [only, ...others] = subjects;
  const settings = {
    // Servers before 2.10 have one filter. A consumer of several subjects passes over others.
    filter_subject: only !== undefined && others.length === 0 ? only : stream.subjects[0],
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: ackPendingMax,
  };
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) {
    await manager.consumers.add(stream.name, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.New,
      ...settings,
    });
  } else if (!isDeepStrictEqual({ ...found.config, ...settings }, found.config)) {
    await manager.consumers.update(stream.name, durable, settings);
  }
}

/**
 * Returns the place in its log of the oldest message that matches `subject` and that the durable has not acknowledged.
 * Undefined if there is none: the stream has nothing for it.
 */
export async function oldestPending(
  manager: JetStreamManager,
  durable: string,
  subject: string,
): Promise<number | undefined> {
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found || found.num_pending + found.num_ack_pending === 0) return undefined;
  const next = { seq: found.ack_floor.stream_seq + 1, next_by_subj: subject };
  const message = await unlessMissing(manager.streams.getMessage(stream.name, next));
  const position = Number(message?.header.get(headerNames.sequence));
  return position > 0 ? position : undefined;
}

/**
 * Returns whether the durable has been delivered more than the stream has held: the stream has lost messages and uses
 * their sequences again, so the durable skips new messages.
 */
export async function isAhead(manager: JetStreamManager, durable: string): Promise<boolean> {
  const found = await unlessMissing(manager.consumers.info(stream.name, durable));
  if (!found) return false;
  // Read second: both sequences only rise.
  const { state } = await manager.streams.info(stream.name);
  return found.delivered.stream_seq > state.last_seq;
}

/** What a durable has still to do, as the broker counts it. */
export interface DurableBacklog {
  /** Events that it has not acknowledged. */
  lag: number;
  /** How many of these were delivered more than once. */
  redelivered: number;
}

/** Returns what each durable of the stream has still to do, also of other teams' durables. */
export async function backlogsOf(manager: JetStreamManager): Promise<Map<string, DurableBacklog>> {
  const backlogs = new Map<string, DurableBacklog>();
  const reading = (async () => {
    for await (const info of manager.consumers.list(stream.name)) {
      const { config, num_pending, num_ack_pending, num_redelivered: redelivered } = info;
      if (config.durable_name)
        backlogs.set(config.durable_name, { lag: num_pending + num_ack_pending, redelivered });
    }
  })();
  await unlessMissing(reading);
  return backlogs;
}

/** Returns undefined if the stream, durable or message does not exist. */
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
