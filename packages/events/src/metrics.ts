import { counter, observedGauge } from '@parley/runtime/metrics/metrics';
import type { CatchUp, Source } from './catch-up.ts';
import type { Inbox } from './inbox.ts';
import type { Broker } from './nats.ts';
import { backlogsOf, type DurableBacklog } from './stream.ts';

export const streamReplicas = observedGauge({
  name: 'parley.stream.replicas',
  unit: '{replica}',
  description:
    'Replicas of the stream: `set` for it, `configured` at the broker, and `online`, which is 0 without a leader or a quorum',
  attributes: ['state'],
});

export const streamMessages = observedGauge({
  name: 'parley.stream.messages',
  unit: '{message}',
  description: 'Messages that the stream holds',
});

export const streamSize = observedGauge({
  name: 'parley.stream.size',
  unit: 'By',
  description: 'Bytes that the stream holds',
});

export const unnumberedAge = observedGauge({
  name: 'parley.events.unnumbered.age',
  unit: 's',
  description: 'Age of the oldest event of the log that no consumer can read yet; every replica reports it',
  attributes: ['source'],
});

export const unnumberedEvents = observedGauge({
  name: 'parley.events.unnumbered',
  unit: '{event}',
  description:
    'Events of the log that no consumer can read yet, counted up to 10,000; every replica reports it',
  attributes: ['source'],
});

/** Durables that nobody runs have nobody else to report them. */
export const consumerLag = observedGauge({
  name: 'parley.consumer.lag',
  unit: '{event}',
  description:
    'Events that the durable has not acknowledged, as the broker counts them; of every durable of the stream',
  attributes: ['durable'],
});

export const redeliveredEvents = observedGauge({
  name: 'parley.consumer.redelivered',
  unit: '{event}',
  description:
    'Events that the durable has been delivered more than once, and has not acknowledged; of every durable',
  attributes: ['durable'],
});

export const cursorAge = observedGauge({
  name: 'parley.consumer.cursor.age',
  unit: 's',
  description:
    'Age of the oldest event of the log that the consumer should have handled; from the replica that catches up',
  attributes: ['durable', 'source'],
});

export const putAside = observedGauge({
  name: 'parley.consumer.put.aside',
  unit: '{event}',
  description: 'Events that could not be handled and are tried again; every replica reports it',
  attributes: ['durable'],
});

export const waitingEvents = observedGauge({
  name: 'parley.consumer.waiting',
  unit: '{event}',
  description:
    'Events that wait for a share of their workspace, counted up to 10,000; every replica reports it',
  attributes: ['durable'],
});

export const waitingAge = observedGauge({
  name: 'parley.consumer.waiting.age',
  unit: 's',
  description:
    'For how long the oldest event has waited for a share of its workspace; every replica reports it',
  attributes: ['durable'],
});

export const repeatedEvents = counter({
  name: 'parley.consumer.repeated',
  unit: '{event}',
  description: 'Events from the stream that the inbox had already',
  attributes: ['durable'],
});

export function observeConsumer({
  broker,
  durable,
  catchUps,
}: {
  broker: Broker;
  durable: string;
  catchUps: readonly ({ source: Source } & Pick<CatchUp, 'behindSeconds'>)[];
}): Disposable {
  const stack = new DisposableStack();
  repeatedEvents.add({ durable }, 0);
  const read = backlogReader(broker);
  stack.use(
    consumerLag.observe(async (report) => {
      for (const [name, { lag }] of await read()) report(lag, { durable: name });
    }),
  );
  stack.use(
    redeliveredEvents.observe(async (report) => {
      for (const [name, { redelivered }] of await read()) report(redelivered, { durable: name });
    }),
  );
  stack.use(
    cursorAge.observe((report) => {
      for (const { source, behindSeconds } of catchUps) {
        const seconds = behindSeconds();
        if (seconds !== undefined) report(seconds, { durable, source: source.name });
      }
    }),
  );
  return stack;
}

export function observeInbox(durable: string, inbox: Inbox): Disposable {
  const stack = new DisposableStack();
  stack.use(putAside.observe(async (report) => report(await inbox.countAside(), { durable })));
  stack.use(waitingAge.observe(async (report) => report(await inbox.waitingSeconds(), { durable })));
  stack.use(waitingEvents.observe(async (report) => report(await inbox.countWaiting(), { durable })));
  return stack;
}

/** Returns a function that reads what each durable has still to do. Metrics of one collection share a request. */
function backlogReader(broker: Broker): () => Promise<ReadonlyMap<string, DurableBacklog>> {
  let reading: Promise<ReadonlyMap<string, DurableBacklog>> | undefined;
  const read = async (): Promise<ReadonlyMap<string, DurableBacklog>> => {
    // Otherwise the client would wait for a connection.
    if (!broker.isConnected()) return new Map();
    const { manager } = await broker.streams();
    return backlogsOf(manager);
  };
  return () => (reading ??= read().finally(() => (reading = undefined)));
}
