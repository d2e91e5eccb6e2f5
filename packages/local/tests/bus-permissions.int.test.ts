import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { busUsers } from '@parley/contracts/bus-users';
import { eventSubjects } from '@parley/contracts/events';
import { services } from '@parley/contracts/services';
import { broadcastSubjects, evictionSubject } from '@parley/contracts/subjects';
import { parseNatsUrl } from '@parley/runtime/config/nats-url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNats } from '../src/processes/nats.ts';
import { findNatsServer } from '../src/processes/nats-server.ts';

type User = (typeof busUsers)[number];

/** Who may publish to a subject, and who may subscribe to it, as the architecture draws it. */
type Allowed = readonly [subject: string, publish: readonly User[], subscribe: readonly User[]];

const catalogue = Array.from(
  eventSubjects,
  (subject): Allowed => [subject, [subject.split('.')[1] as User], []],
);
const nobody: User[] = [];
const consumers = busUsers.filter((name) => services[name].bus.consumesEvents);
const producers = busUsers.filter((name) => services[name].bus.raisesEvents);
const connecting = [...new Set([...producers, ...consumers])];
const inStream = (verb: string): string => `$JS.API.${verb}.PARLEY_EVENTS`;
const consumerVerbs = ['CREATE', 'DURABLE.CREATE', 'INFO', 'DELETE', 'MSG.NEXT'];

const subjects: readonly Allowed[] = [
  ...catalogue,
  [broadcastSubjects.interactionChanged, ['interaction'], ['interaction']],
  [broadcastSubjects.deliveriesDue, ['webhook'], ['webhook']],
  [broadcastSubjects.shardsMoved, ['webhook'], ['webhook']],
  [evictionSubject('one'), ['identity'], ['gateway']],
  ...busUsers.map((user): Allowed => [`_INBOX_${user}.a.b`, nobody, [user]]),
  ['_INBOX.a.b', nobody, nobody],
  ['>', nobody, nobody],
  ['parley.>', nobody, nobody],
  ['$SYS.REQ.SERVER.PING', nobody, nobody],
  ['$JS.API.INFO', connecting, nobody],
  [inStream('STREAM.INFO'), ['gateway', ...connecting], nobody],
  [inStream('STREAM.CREATE'), ['interaction'], nobody],
  [inStream('STREAM.UPDATE'), ['interaction'], nobody],
  ['$JS.API.STREAM.CREATE.OTHER', nobody, nobody],
  ...['DELETE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE', 'LEADER.STEPDOWN', 'PEER.REMOVE'].map(
    (verb): Allowed => [inStream(`STREAM.${verb}`), nobody, nobody],
  ),
  [inStream('STREAM.MSG.GET'), consumers, nobody],
  [inStream('DIRECT.GET'), nobody, nobody],
  ['$JS.API.STREAM.NAMES', nobody, nobody],
  ['$JS.API.STREAM.LIST', nobody, nobody],
  ['$JS.API.META.LEADER.STEPDOWN', nobody, nobody],
  [inStream('CONSUMER.LIST'), consumers, nobody],
  [inStream('CONSUMER.CREATE'), nobody, nobody],
  ...consumerVerbs.flatMap((verb): Allowed[] => [
    ...consumers.map((user): Allowed => [`${inStream(`CONSUMER.${verb}`)}.${user}`, [user], nobody]),
    [`${inStream(`CONSUMER.${verb}`)}.billing`, nobody, nobody],
  ]),
  ...consumers.flatMap((user): Allowed[] => [
    [`${inStream('CONSUMER.CREATE')}.${user}.parley.>`, [user], nobody],
    [`$JS.ACK.PARLEY_EVENTS.${user}.1.1.1.1.1`, [user], nobody],
    [`$JS.ACK.hub.hash.PARLEY_EVENTS.${user}.1.1.1.1.1`, [user], nobody],
  ]),
  ['$JS.ACK.PARLEY_EVENTS.billing.1.1.1.1.1', nobody, nobody],
];

const stack = new AsyncDisposableStack();
const connections = new Map<string, NatsConnection>();
const as = (user: string): NatsConnection => {
  const connection = connections.get(user);
  if (!connection) throw new Error(`there is no user ${user}`);
  return connection;
};

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bus-permissions-test-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = stack.use(
    await startNats({ dataDir, passwordOf: (user) => `of ${user}`, consumers: ['team'] }),
  );
  for (const user of [...busUsers, 'team', 'admin']) {
    const url = `nats://${user}:${encodeURIComponent(`of ${user}`)}@127.0.0.1:${server.port}`;
    const { servers, inboxPrefix, credentials } = parseNatsUrl(url);
    const connection = await connect({ servers, inboxPrefix, ...credentials });
    stack.defer(() => connection.close());
    connections.set(user, connection);
  }
});
afterAll(() => stack.disposeAsync());

/** Returns whether a message of the one reaches the other. Both have handled all before when it returns. */
async function arrives(publisher: NatsConnection, reader: NatsConnection, subject: string): Promise<boolean> {
  const received: unknown[] = [];
  const subscription = reader.subscribe(subject, {
    callback: (fault, message) => {
      if (!fault) received.push(message);
    },
  });
  await reader.flush();
  // A message on the subject itself, or on one below a wildcard.
  publisher.publish(subject.replace(/>$/, 'parley.x'), 'hello');
  await publisher.flush();
  await reader.flush();
  subscription.unsubscribe();
  return received.length > 0;
}

describe.each(busUsers)('as %s', (user) => {
  test('every subject of the system can be published to and read as the architecture draws it', async () => {
    const found: Record<string, { publish: boolean; subscribe: boolean }> = {};
    const expected: typeof found = {};
    for (const [subject, publishers, subscribers] of subjects) {
      expected[subject] = { publish: publishers.includes(user), subscribe: subscribers.includes(user) };
      found[subject] = {
        publish: await arrives(as(user), as('admin'), subject),
        subscribe: await arrives(as('admin'), as(user), subject),
      };
    }
    expect(found).toEqual(expected);
    expect(subjects.length).toBeGreaterThan(40);
  });
});

test('a consumer that was added has its own durable and inbox, and nothing of others', async () => {
  const own = ['$JS.API.INFO', ...consumerVerbs.map((verb) => `${inStream(`CONSUMER.${verb}`)}.team`)];
  const foreign = subjects.filter(([, publish]) => publish.length === 0 || publish.length === 1);
  for (const subject of own) expect(await arrives(as('team'), as('admin'), subject), subject).toBe(true);
  for (const [subject] of foreign) {
    expect(await arrives(as('team'), as('admin'), subject), subject).toBe(false);
    expect(await arrives(as('admin'), as('team'), subject), subject).toBe(false);
  }
  expect(await arrives(as('admin'), as('team'), '_INBOX_team.a.b')).toBe(true);
});

test('a gateway can confirm an eviction that it was asked for, once, and no other user can', async () => {
  let inbox = '';
  const faults: unknown[] = [];
  const answering = as('gateway').subscribe(evictionSubject('*'), {
    callback: (_fault, message) => {
      inbox = message.reply ?? '';
      message.respond('ak_1');
    },
  });
  await as('gateway').flush();
  const answer = await as('identity').request(evictionSubject('one'), 'ak_1', { timeout: 60_000 });
  expect(answer.string()).toBe('ak_1');
  expect(inbox).toMatch(/^_INBOX_identity\./);
  answering.unsubscribe();

  const forged: string[] = [];
  as('admin').subscribe(inbox, {
    callback: (fault, message) => {
      if (fault) faults.push(fault);
      else forged.push(message.string());
    },
  });
  await as('admin').flush();
  for (const user of busUsers) {
    as(user).publish(inbox, user);
    await as(user).flush();
  }
  await as('admin').flush();
  expect({ forged, faults }).toEqual({ forged: [], faults: [] });
});

test.each(['nats.conf', 'nats-cluster.conf'])(
  'the server accepts deploy/%s with passwords as deploy/make-env creates them',
  async (name) => {
    const users = [...busUsers, 'admin'].map((user) => [`NATS_${user.toUpperCase()}_PASSWORD`, 'p1e5']);
    const file = fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
    const server = await findNatsServer(process.env, () => {});
    const ofCluster = { NATS_NAME: 'nats-1', NATS_ROUTE: '127.0.0.1:6222' };
    const env = { ...process.env, ...Object.fromEntries(users), ...ofCluster };
    const { stderr } = await promisify(execFile)(server, ['-t', '-c', file], { env });
    expect(stderr).toContain('is valid');
  },
);
