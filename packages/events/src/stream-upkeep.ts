import type { JetStreamManager } from '@nats-io/jetstream';
import { streamStateOf, type StreamState } from '@parley/nats/stream-state';
import type { Logger } from '@parley/runtime/telemetry/logger';
import { repeat } from '@parley/runtime/scheduling/schedule';
import type { Broker } from './nats.ts';
import { streamMessages, streamReplicas, streamSize } from './metrics.ts';
import { declareStream, setReplicas } from './stream.ts';

interface UpkeepOptions {
  broker: Broker;
  replicas: number;
  logger: Logger;
}

const checkMs = 5_000;

/**
 * Keeps the stream: creates it when it is missing, raises its replicas to `replicas`, and reports what is true. Never
 * lowers them: a stream with more replicas keeps them, which is logged once. While the cluster has too few servers, the
 * stream has fewer replicas, and the failed runs are logged.
 */
export function keepStream({ broker, replicas, logger }: UpkeepOptions): AsyncDisposable {
  let state: StreamState | undefined;
  let held: { messages: number; bytes: number } | undefined;
  let loggedReplicas: number | undefined;
  const noteSurplus = (actual: number): void => {
    if (actual <= replicas || actual === loggedReplicas) return;
    loggedReplicas = actual;
    logger.warn(
      { actual, set: replicas },
      'the stream has more replicas than NATS_STREAM_REPLICAS and keeps them',
    );
  };
  /** Returns what is true now. While it cannot be read, nothing is online. */
  const read = async (manager: JetStreamManager): Promise<StreamState> => {
    try {
      const info = await declareStream(manager, replicas);
      held = info.state;
      return streamStateOf(info);
    } catch (error) {
      held = undefined;
      state = { replicas: state?.replicas ?? 0, online: 0, leader: null };
      throw error;
    }
  };
  const stack = new AsyncDisposableStack();
  stack.use(
    repeat('keep the stream', checkMs, logger, async (signal) => {
      const { manager } = await broker.streams(signal);
      state = await read(manager);
      noteSurplus(state.replicas);
      if (state.replicas >= replicas) return;
      await setReplicas(manager, replicas);
      logger.info({ before: state.replicas, replicas }, 'the stream gets more replicas');
    }),
  );
  stack.use(
    streamReplicas.observe((report) => {
      report(replicas, { state: 'set' });
      if (!state || !broker.isConnected()) return;
      report(state.replicas, { state: 'configured' });
      report(state.online, { state: 'online' });
    }),
  );
  stack.use(
    streamMessages.observe((report) => {
      if (held && broker.isConnected()) report(held.messages);
    }),
  );
  stack.use(
    streamSize.observe((report) => {
      if (held && broker.isConnected()) report(held.bytes);
    }),
  );
  return stack;
}
