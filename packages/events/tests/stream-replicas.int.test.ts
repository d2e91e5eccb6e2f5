import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { stream } from '@parley/contracts/events';
import { openBroker } from '@parley/events/nats';
import { keepStream } from '@parley/events/stream-upkeep';
import { streamStateOf } from '@parley/nats/stream-state';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';
import { eventually } from '@parley/testing/eventually';
import { startPrivateNats } from '@parley/testing/servers/nats';
import { type NatsCluster, startNatsCluster } from '@parley/testing/servers/nats-cluster';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const stack = new AsyncDisposableStack();
let cluster: NatsCluster;
let manager: JetStreamManager;
beforeAll(async () => {
  cluster = stack.use(await startNatsCluster());
  const connection = await connect({ ...parseNatsUrl(cluster.url), maxReconnectAttempts: -1 });
  stack.defer(() => connection.close());
  manager = await eventually(() => jetstreamManager(connection));
});
afterAll(() => stack.disposeAsync());

/** Runs the upkeep of one service. */
async function startUpkeep(replicas: number, url = cluster.url): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const broker = starting.use(await openBroker({ url, logger, streamReplicas: replicas }));
  starting.use(keepStream({ broker, replicas, logger }));
  return starting.move();
}

const becomes = (replicas: number, online = replicas): Promise<void> =>
  eventually(async () =>
    expect(streamStateOf(await manager.streams.info(stream.name))).toMatchObject({ replicas, online }),
  );

test('the stream gets one replica by default, is raised to three while it runs, and is never lowered', async () => {
  const one = await startUpkeep(1);
  await becomes(1);
  await one[Symbol.asyncDispose]();
  const three = await startUpkeep(3);
  await becomes(3);
  await three[Symbol.asyncDispose]();

  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => {});
  await using _lower = await startUpkeep(1);
  await eventually(() =>
    expect(warned).toHaveBeenCalledWith({ actual: 3, set: 1 }, expect.stringContaining('keeps them')),
  );
  warned.mockRestore();
  await becomes(3);
});

test('a deleted stream comes back with three replicas, also while a server is missing, as soon as it is back', async () => {
  await using _upkeep = await startUpkeep(3);
  await becomes(3);
  await manager.streams.delete(stream.name);
  await becomes(3);

  await cluster.stop(2);
  await eventually(() => manager.streams.delete(stream.name));
  await becomes(1);
  await cluster.start(2, { wipe: true });
  await becomes(3);
});

test('a cluster that was stopped starts again with its stream', async () => {
  await using upkeep = await startUpkeep(3);
  await becomes(3);
  await upkeep[Symbol.asyncDispose]();
  const before = (await manager.streams.info(stream.name)).created;
  await Promise.all(([1, 2, 3] as const).map((number) => cluster.stop(number)));
  await Promise.all(([1, 2, 3] as const).map((number) => cluster.start(number)));
  await eventually(async () => expect((await manager.streams.info(stream.name)).created).toBe(before));
});

test('a server without a cluster gets a stream with one replica, and the fewer replicas are logged', async () => {
  await using nats = await startPrivateNats();
  const warned = vi.spyOn(logger, 'warn').mockImplementation(() => {});
  await using _upkeep = await startUpkeep(3, nats.url);
  await eventually(() =>
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ schedule: 'keep the stream' }),
      'run failed',
    ),
  );
  warned.mockRestore();
  await using own = await openBroker({ url: nats.url, logger });
  const { manager: single } = await own.streams();
  expect((await single.streams.info(stream.name)).config.num_replicas).toBe(1);
});
