import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { interactionCompleted, stream } from '@parley/contracts/events';
import { newEvent } from '@parley/events/log';
import { openBroker } from '@parley/events/nats';
import { eventually } from '@parley/testing/eventually';
import { startPrivateNats } from '@parley/testing/servers/nats';
import { openSqlConnection } from '@parley/testing/database/sql';
import { expect, test } from 'vitest';
import { arrived, event, events, logger, startPipeline } from './pipeline.ts';

// Every consumer keeps its own place, and nothing depends on the broker's memory.

test('two consumers get each event, and one that never runs again harms neither', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const gone = await system.startConsumer({ durable: 'gone' });
  await system.startConsumer({ durable: 'one' });
  await system.startConsumer({ durable: 'two' });
  const first = events(20);
  await system.listening('gone', 'one', 'two');
  await system.raise(first);
  relay.wake();
  for (const durable of ['one', 'two', 'gone']) await arrived(system, first, durable);
  await gone[Symbol.asyncDispose]();
  const more = events(600);
  await system.raise(more);
  relay.wake();
  for (const durable of ['one', 'two']) await arrived(system, [...first, ...more], durable);
  expect(system.handled('gone')).toHaveLength(20);
});

test('a consumer that starts from the beginning gets all events of the log, and one from now only later ones', async () => {
  await using system = await startPipeline();
  const earlier = events(1_200);
  await system.raise(earlier);
  const relay = system.startRelay();
  await system.onTheBus(earlier.length);
  await system.age();
  await system.startConsumer({ durable: 'all', from: 'beginning' });
  await system.startConsumer({ durable: 'new', from: 'now' });
  await arrived(system, earlier, 'all');
  await eventually(async () => {
    const cursors = await system.consumerAdmin.query(
      'select from webhook.inbox_cursor where cursor is not null',
    );
    expect(cursors).toHaveLength(2);
  });
  const later = events(5);
  await system.raise(later);
  relay.wake();
  await arrived(system, [...earlier, ...later], 'all');
  await arrived(system, later, 'new');
});

test('a consumer that returns gets what was raised meanwhile, although the stream was wiped', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const consumer = await system.startConsumer({ from: 'beginning' });
  const before = events(10);
  await system.raise(before);
  relay.wake();
  await arrived(system, before);
  await consumer[Symbol.asyncDispose]();
  const meanwhile = events(700);
  await system.raise(meanwhile);
  relay.wake();
  await system.onTheBus(before.length + meanwhile.length);
  await system.nats.start({ wipe: true });
  await system.age();
  await system.startConsumer({ from: 'beginning' });
  await arrived(system, [...before, ...meanwhile]);
});

test('a full stream discards its oldest messages, and its consumers get them from the log', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const consumer = await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  const first = events(1);
  await system.raise(first);
  relay.wake();
  await arrived(system, first);
  await consumer[Symbol.asyncDispose]();
  const { manager } = await system.streams();
  await manager.streams.update(stream.name, { max_bytes: 20_000 });
  const more = events(300);
  await system.raise(more);
  relay.wake();
  await eventually(async () => {
    const { state } = await manager.streams.info(stream.name);
    expect(state.last_seq).toBe(301);
    expect(state.messages).toBeLessThan(150);
  });
  await system.age();
  await system.startConsumer({ from: 'beginning' });
  await arrived(system, [...first, ...more]);
});

test('a durable that an operator deletes is created again, and its consumer misses nothing', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  await system.listening('test');
  const { manager } = await system.streams();
  const all = events(1);
  await system.raise(all);
  relay.wake();
  await arrived(system, all);
  await manager.consumers.delete(stream.name, 'test');
  all.push(...events(20));
  await system.raise(all.slice(1));
  relay.wake();
  await system.onTheBus(all.length);
  await system.age();
  await arrived(system, all);
  await system.listening('test');
});

test('on a server with little storage, the stream is smaller', async () => {
  await using nats = await startPrivateNats();
  await using broker = await openBroker({ url: nats.url, logger, streamReplicas: 1 });
  const { manager } = await eventually(() => broker.streams());
  const reserve = (bytes: number) =>
    manager.streams.add({ name: `s${bytes}`, subjects: [`s${bytes}`], storage: 'file', max_bytes: bytes });
  await manager.streams.delete(stream.name);
  const leftOver = 100 * 2 ** 20;
  await reserve(leftOver);
  for (let bytes = 2 ** 50; bytes >= 2 ** 20; bytes /= 2) await reserve(bytes).catch(() => {});
  await manager.streams.delete(`s${leftOver}`);
  broker.redeclareStreams();
  await broker.streams();
  const { config } = await manager.streams.info(stream.name);
  expect(config.max_bytes).toBe(64 * 2 ** 20);
});

test('without a broker, events arrive from the log', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  await system.nats.stop();
  const all = [event()];
  await system.raise(all);
  relay.wake();
  await system.age();
  await arrived(system, all);
});

test('an event whose transaction commits late is neither lost nor does it delay others', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  const late = event();
  await using connection = await openSqlConnection(system.adminUrl);
  const row = newEvent(interactionCompleted, late);
  await connection.query('begin');
  await connection.query(
    `insert into interaction.event_log (id, type, workspace_id, about, payload) values ($1, $2, $3, $4, $5)`,
    [row.id, row.type, row.workspaceId, row.about, row.payload],
  );
  const others = events(30);
  await system.raise(others);
  relay.wake();
  await arrived(system, others);
  await system.age();
  await eventually(async () => {
    const [row] = await system.consumerAdmin.query<{ cursor: string }>(
      'select cursor from webhook.inbox_cursor',
    );
    expect(Number(row?.cursor?.split('.')[0])).toBeGreaterThan(0);
  });
  await connection.query('commit');
  await arrived(system, [...others, late]);
});

test('after the consumer’s database was restored, it handles again what it had handled since', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const consumer = await system.startConsumer({ from: 'beginning' });
  const before = events(5);
  await system.raise(before);
  relay.wake();
  await arrived(system, before);
  await consumer[Symbol.asyncDispose]();
  const { consumerAdmin } = system;
  await consumerAdmin.query(`create table webhook.saved as select * from webhook.handled_event`);
  await consumerAdmin.query(`create table webhook.saved_cursor as select * from webhook.inbox_cursor`);
  const again = await system.startConsumer({ from: 'beginning' });
  const since = events(5);
  await system.raise(since);
  relay.wake();
  await arrived(system, [...before, ...since]);
  await again[Symbol.asyncDispose]();
  await consumerAdmin.query(`truncate webhook.handled_event, webhook.inbox_cursor;
    insert into webhook.handled_event select * from webhook.saved;
    insert into webhook.inbox_cursor select * from webhook.saved_cursor`);
  await system.age();
  await system.startConsumer({ from: 'beginning' });
  await arrived(system, [...before, ...since, ...since]);
});

test('after the producer’s database was restored, nothing is handled twice and nothing new is skipped', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  const kept = events(5);
  await system.raise(kept);
  relay.wake();
  await arrived(system, kept);
  const [place] = await system.admin.query<{ last: number }>(
    'select last_value::int as last from interaction.event_position',
  );
  const undone = events(50);
  await system.raise(undone);
  relay.wake();
  await arrived(system, [...kept, ...undone]);
  await system.age();
  await eventually(async () => {
    const [row] = await system.consumerAdmin.query<{ cursor: string }>(
      'select cursor from webhook.inbox_cursor',
    );
    expect(Number(row?.cursor?.split('.')[0])).toBe((place?.last ?? 0) + 50);
  });
  await relay[Symbol.asyncDispose]();
  await system.nats.start({ wipe: true });
  await system.admin.query(`delete from interaction.event_log where position > ${place?.last};
    select setval('interaction.event_position', ${place?.last})`);
  // As many as were undone: the cursor is in the new part of the log.
  const renewed = events(60);
  await system.raise(renewed);
  await system.age();
  system.startRelay();
  await arrived(system, [...kept, ...undone, ...renewed]);
});

test('a consumer from now gets nothing from before its start, also after the producer’s database was restored', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const before = events(5);
  await system.raise(before);
  await system.age();
  relay.wake();
  await system.onTheBus(before.length);
  await system.startConsumer({ from: 'now' });
  const started = async () => {
    const found = await system.consumerAdmin.query(
      'select from webhook.inbox_cursor where began_at is not null',
    );
    expect(found).toHaveLength(1);
  };
  await eventually(started);
  // As if the place of the cursor were of a later time than the backup.
  await system.consumerAdmin.query(`update webhook.inbox_cursor set cursor = '999.' || gen_random_uuid()`);
  const since = events(5);
  await system.raise(since);
  relay.wake();
  await arrived(system, since);
  const isRead = async () => {
    const found = await system.consumerAdmin.query(
      `select from webhook.inbox_cursor where cursor not like '999.%'`,
    );
    expect(found).toHaveLength(1);
  };
  await eventually(isRead);
  expect(system.handled()).toHaveLength(since.length);
});

test('without room for the stream, events arrive from the log', async () => {
  await using system = await startPipeline();
  const { manager } = await system.streams();
  await manager.streams.delete(stream.name);
  await manager.streams.add({ name: 'OTHER', subjects: [stream.subjects[0]] });
  const all = events(5);
  await system.raise(all);
  await system.age();
  system.startRelay();
  await system.startConsumer({ from: 'beginning' });
  await arrived(system, all);
});

test('an event that a consumer does not want costs it no row, and no other event', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const all = events(40);
  const wanted = all.slice(0, 10);
  const ids = new Set(wanted.map(({ interactionId }) => interactionId));
  await system.startConsumer({ from: 'beginning', isWanted: (id) => ids.has(id) });
  await system.listening('test');
  await system.raise(all);
  relay.wake();
  await arrived(system, wanted);
  await system.age();
  // The catch-up has passed all of them too.
  await eventually(async () => {
    const [cursor] = await system.consumerAdmin.query<{ position: string }>(
      `select split_part(cursor, '.', 1) as position from webhook.inbox_cursor`,
    );
    expect(Number(cursor?.position)).toBe(all.length);
  });
  const handled = await system.consumerAdmin.query('select from webhook.handled_event');
  expect(handled).toHaveLength(wanted.length);
  await arrived(system, wanted);
});

test('events that a consumer does not want cost it no read of what it has handled', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  await system.startConsumer({ from: 'beginning', isWanted: () => false });
  await system.listening('test');
  let reads = 0;
  const onStatement = (statement: unknown): void => {
    reads += Number(
      /from handled_event|select workspace_id from inbox_turn/.test((statement as { text: string }).text),
    );
  };
  subscribe('parley.postgres.statement', onStatement);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => void unsubscribe('parley.postgres.statement', onStatement));
  const all = events(40);
  await system.raise(all);
  relay.wake();
  await eventually(async () => {
    const { manager } = await system.streams();
    const { ack_floor, num_ack_pending } = await manager.consumers.info(stream.name, 'test');
    expect([ack_floor.stream_seq, num_ack_pending]).toEqual([all.length, 0]);
  });
  expect(reads).toBe(0);
});

test('an event of which a consumer cannot say whether it wants it becomes a dead letter, and delays no other', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const all = events(20);
  const [invalid, ...others] = all;
  const refuse = (ids: readonly string[]) => {
    if (invalid && ids.includes(invalid.interactionId)) throw new TypeError('not a UUID');
    return true;
  };
  system.onBatch = (ids) => void refuse(ids);
  await system.startConsumer({ from: 'beginning', isWanted: (id) => refuse([id]) });
  await system.listening('test');
  await system.raise(all);
  relay.wake();
  await arrived(system, others);
  await eventually(async () => {
    const aside = await system.consumerAdmin.query('select about from webhook.event_put_aside');
    expect(aside).toEqual([{ about: invalid?.interactionId }]);
  });
});

test('a consumer that gathers events handles those of a while in one batch', async () => {
  await using system = await startPipeline();
  const relay = system.startRelay();
  const batches: number[] = [];
  system.onBatch = (ids) => void batches.push(ids.length);
  await system.startConsumer({ gatherMs: 2_000 });
  await system.listening('test');
  const all = events(90);
  for (const one of all) {
    await system.raise([one]);
    relay.wake();
  }
  await arrived(system, all);
  expect(batches.length).toBeLessThan(10);
});
