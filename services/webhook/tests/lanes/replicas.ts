import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { openBroker } from '@parley/events/nats';
import { freePort } from '@parley/local/ports';
import { launch } from '@parley/local/processes/program';
import { serviceProgram } from '@parley/local/processes/services';
import { openDatabase } from '@parley/postgres/connecting/open';
import { keyring } from '@parley/runtime/config/keyring';
import { eventually } from '@parley/testing/eventually';
import { temporaryFolder } from '@parley/testing/setup/folders';
import { startPrivateNats } from '@parley/testing/servers/nats';
import { quietLogger as logger } from '@parley/testing/quiet';
import { type Answer, startReceiver } from '@parley/testing/peers/receiver';
import { type Kysely, sql } from 'kysely';
import { ownerOf, shardOf } from '../../src/scheduling/shard.ts';
import type { Ordering, Tables } from '../../src/schema.ts';
import { sealSecret } from '../../src/sending/rules/secrets.ts';
import { insertWebhook } from '../../src/webhooks/store.ts';
import { createStore, type Hook } from './lanes.ts';

export interface Replica {
  name: string;
  /** The id under which it owns shards. */
  id: string;
  /** The proxy between it and Postgres. */
  database: Link;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface Arrival {
  /** The name of the replica that sent it. */
  replica: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  attempt: number;
  /** The time by `performance.now()` of the test. */
  atMs: number;
}

/** Several replicas with one Postgres, one NATS, and one receiver. */
export interface Replicas extends AsyncDisposable {
  db: Kysely<Tables>;
  adminUrl: string;
  /** All requests, in the order of arrival. */
  arrivals: Arrival[];
  /** Starts one more, and waits until the shards are divided among these. */
  start(name: string, others?: readonly Replica[]): Promise<Replica>;
  /** Waits until the shards are divided among these. */
  divided(among: readonly Replica[]): Promise<void>;
  /** Waits for this many more heartbeats of a replica. */
  afterHeartbeats(replica: Replica, number: number): Promise<void>;
  /** Adds an active webhook whose shard goes to the first of these replicas, while they all live. */
  addHook(owners: readonly Replica[], of?: HookOptions): Promise<Hook>;
  /** Notifies all replicas that deliveries of the webhooks are due. */
  notify(hooks: readonly Hook[]): void;
}

interface HookOptions {
  ordering?: Ordering;
  /** Attempts per second. */
  rate?: { perSecond: number; burst: number };
}

/** Starts everything except the replicas. `respond` returns the answers of the receiver. */
export async function startReplicas(
  respond: (arrival: Arrival) => Answer | Promise<Answer>,
): Promise<Replicas> {
  await using starting = new AsyncDisposableStack();
  const folder = starting.use(await temporaryFolder('replicas'));
  const [nats, store] = await Promise.all([startPrivateNats(), createStore()]);
  starting.use(nats);
  const { url, testUrl, adminUrl } = starting.use(store);
  const { db } = starting.use(openDatabase<Tables>({ url: testUrl, logger, connectionsMax: 3 }));
  const broker = starting.use(await openBroker({ url: nats.url, logger, streamReplicas: 1 }));
  await broker.streams();
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  const keys = keyring.parse(encryptionKeys);
  const arrivals: Arrival[] = [];
  const receiver = starting.use(
    await startReceiver((request) => {
      const header = (name: string): string => String(request.headers[name] ?? '');
      const arrival = {
        // Each replica sends the secret token in another parameter.
        replica: new URL(request.url, 'http://receiver').searchParams.keys().next().value ?? '',
        webhookId: header('x-parley-webhook-id'),
        deliveryId: header('x-parley-delivery-id'),
        eventId: header('webhook-id'),
        attempt: Number(header('x-parley-attempt')),
        atMs: performance.now(),
      };
      arrivals.push(arrival);
      return respond(arrival);
    }),
  );

  const stack = starting.move();
  const divided = (among: readonly { id: string }[]): Promise<void> =>
    eventually(async () => {
      const ids = among.map(({ id }) => id);
      const shards = await db.selectFrom('shard').select(['id', 'owner']).execute();
      const wrong = shards.filter(({ id, owner }) => owner !== ownerOf(id, ids));
      if (wrong.length > 0) throw new Error(`${wrong.length} shards have another owner`);
    });

  const start = async (name: string, others: readonly Replica[] = []): Promise<Replica> => {
    const address = `127.0.0.1:${await freePort()}`;
    const database = stack.use(await openLink(Number(new URL(url).port)));
    const linkedUrl = Object.assign(new URL(url), { port: String(database.port) });
    const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;
    const env = {
      PATH,
      NODE_OPTIONS,
      NODE_COMPILE_CACHE,
      PARLEY_EXIT_ON_STDIN_END: '1',
      LISTEN: address,
      DATABASE_URL: linkedUrl.href,
      NATS_URL: nats.url,
      IDENTITY_ADDRESS: '127.0.0.1:9',
      CUSTOMER_ADDRESS: '127.0.0.1:9',
      INTERACTION_ADDRESS: '127.0.0.1:9',
      RPC_TOKEN: 'a service token of a test',
      OPERATOR_TOKEN: 'an operator token of a test',
      ENCRYPTION_KEYS: encryptionKeys,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      SECRET_TOKEN_PARAMETER: name,
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '0.05,0.05,0.05',
    };
    const program = serviceProgram({ service: 'webhook', name, address }, env);
    const child = await launch(program, join(folder.path, `${name}.log`));
    stack.defer(async () => {
      if (!child.hasExited()) process.kill(child.pid, 'SIGCONT');
      await child.stop('SIGKILL', 5_000);
    });
    const known = others.map((other) => other.id);
    const id = await eventually(async () => {
      const rows = await db.selectFrom('replica').select('id').execute();
      const added = rows.find((row) => !known.includes(row.id));
      if (!added) throw new Error('the replica has no heartbeat');
      return added.id;
    });
    await divided([{ id }, ...others]);
    return {
      name,
      id,
      database,
      signal: (signal) => process.kill(child.pid, signal),
      stop: () => child.stop('SIGTERM', 10_000),
    };
  };

  const heartbeatsOf = async ({ id }: Replica): Promise<number> => {
    const row = await db.selectFrom('replica').where('id', '=', id).select('heartbeats').executeTakeFirst();
    return row?.heartbeats ?? 0;
  };
  const afterHeartbeats: Replicas['afterHeartbeats'] = async (replica, number) => {
    const until = (await heartbeatsOf(replica)) + number;
    await eventually(async () => {
      if ((await heartbeatsOf(replica)) < until) throw new Error(`${replica.name} has no heartbeat`);
    });
  };

  const addHook: Replicas['addHook'] = async ([owner, ...others], { ordering = 'none', rate } = {}) => {
    const ids = [owner, ...others].map((replica) => replica?.id ?? '');
    let id: string;
    do id = randomUUID();
    while (ownerOf(shardOf(id), ids) !== owner?.id);
    const workspaceId = randomUUID();
    await insertWebhook(db, {
      id,
      workspaceId,
      url: receiver.url,
      isActive: true,
      events: ['InteractionCompleted'],
      secretToken: sealSecret(keys, 'secret-token', id, 'a-secret-token'),
      signingSecret: {
        id: randomUUID(),
        secret: sealSecret(keys, 'signing-secret', id, `whsec_${randomBytes(32).toString('base64')}`),
      },
    });
    await sql`update webhook set ordering = ${ordering} where workspace_id = ${workspaceId} and id = ${id}`.execute(
      db,
    );
    await sql`
      update lane set rate_per_second = ${rate?.perSecond ?? null}, rate_burst = ${rate?.burst ?? null}
      where workspace_id = ${workspaceId} and webhook_id = ${id}`.execute(db);
    return { workspaceId, id };
  };

  return {
    db,
    adminUrl,
    arrivals,
    start,
    divided,
    afterHeartbeats,
    addHook,
    notify: (hooks) => broker.broadcast('parley-webhook.due', hooks.map(({ id }) => id).join(' ')),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** A proxy that forwards connections to a port of this machine. */
export interface Link extends AsyncDisposable {
  port: number;
  /** Closes all connections, and new ones at once, until `restore`. */
  cut(): void;
  restore(): void;
}

async function openLink(to: number): Promise<Link> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    if (isCut) return void socket.destroy();
    const onward = connect(to, '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .once('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    restore: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
