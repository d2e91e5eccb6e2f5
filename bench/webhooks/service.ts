import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openBroker } from '@parley/events/nats';
import { startNats } from '@parley/local/processes/nats';
import type { Child } from '@parley/local/processes/child';
import { freePort, isReachable } from '@parley/local/ports';
import { launch } from '@parley/local/processes/program';
import { serviceEntry } from '@parley/local/processes/services';
import { openDatabase } from '@parley/postgres/connecting/open';
import { provision } from '@parley/postgres/schema/provision';
import { databaseUrl, serviceUrl } from '@parley/postgres/connecting/urls';
import { keyring } from '@parley/runtime/config/keyring';
import { createLogger } from '@parley/runtime/telemetry/logger';
import { temporaryFolder } from '@parley/testing/setup/folders';
import type { Kysely } from 'kysely';
import type { Tables } from '../../services/webhook/src/schema.ts';
import { sealSecret } from '../../services/webhook/src/sending/rules/secrets.ts';
import { insertWebhook } from '../../services/webhook/src/webhooks/store.ts';
import { imageFlags } from '../setup/deployment.ts';
import { startOwnPostgres } from '@parley/testing/servers/own-postgres';
import { memoryMax } from '../measure/memory.ts';
import { timeOf, timeOfTree } from '../measure/processor-time.ts';
import { signingSecret } from './contents.ts';
import type { Measured } from './cost.ts';

/** The webhook service like in a deployment: in its own process, with its own Postgres and NATS. */
export interface Service extends Measured, AsyncDisposable {
  /** The service's database, read by this process, across workspaces. */
  db: Kysely<Tables>;
  /** The superuser's URL of that database. */
  adminUrl: string;
  natsUrl: string;
  /** Notifies the service of due deliveries of these webhooks, or of changed lanes. */
  notify(webhookIds: readonly string[]): void;
  /** Returns the largest memory that a replica has had, in bytes. Reads /proc: Linux only. */
  rssMax(): number;
  startReplica(): Promise<void>;
  /** Kills the oldest replica. */
  kill(): void;
  /** Adds active webhooks, each in its own workspace. */
  createWebhooks(urls: readonly string[]): Promise<Hook[]>;
}

export interface Hook {
  id: string;
  workspaceId: string;
}

interface ServiceOptions {
  /** The number of processes; default 1. */
  replicas?: number;
  /** Additional flags of Node. */
  nodeFlags?: readonly string[];
  /** The service with the completed conversations, and the token for it. */
  interactions?: { address: string; token: string };
  show: (line: string) => void;
}

/** A message must be shorter than a megabyte. */
const notifiedMax = 1_000;

/** Starts all of them. Disposing ends and removes them. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const folder = started.use(await temporaryFolder('bench-webhooks'));
  const postgres = started.use(await startOwnPostgres('bench-webhooks', { durable: true }));
  const nats = started.use(await startNats({ dataDir: join(folder.path, 'nats'), onProgress: options.show }));
  const owner = { name: 'webhook', password: randomBytes(16).toString('hex') };
  await provision({ adminUrl: postgres.url, database: 'parley', services: [owner] });
  const url = serviceUrl(postgres.url, 'parley', owner);
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  const keys = keyring.parse(encryptionKeys);

  const token = options.interactions?.token ?? randomUUID();
  const sharedEnv = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    PARLEY_EXIT_ON_STDIN_END: '1',
    DATABASE_URL: url,
    NATS_URL: nats.url,
    IDENTITY_ADDRESS: '127.0.0.1:9',
    CUSTOMER_ADDRESS: '127.0.0.1:9',
    INTERACTION_ADDRESS: options.interactions?.address ?? '127.0.0.1:9',
    RPC_TOKEN: token,
    OPERATOR_TOKEN: randomUUID(),
    ENCRYPTION_KEYS: encryptionKeys,
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    WEBHOOKS_PER_WORKSPACE: '1000000',
    SERVICE_LOG: join(folder.path, 'webhook.log'),
  };
  const flags = [...imageFlags, ...(options.nodeFlags ?? [])];
  const log = join(folder.path, 'webhook-errors.log');
  const children = new Set<Child>();
  const ended = Promise.withResolvers<never>();
  // A requested end is no failure.
  ended.promise.catch(() => {});
  const startReplica = async (): Promise<void> => {
    const port = await freePort();
    const env = { ...sharedEnv, LISTEN: `127.0.0.1:${port}` };
    const program = {
      name: 'webhook',
      // The log does not pass through this process, which would read it on the same processors.
      command: async () => ({
        file: 'sh',
        args: ['-c', 'exec "$0" "$@" >> "$SERVICE_LOG"', process.execPath, ...flags, serviceEntry('webhook')],
        env,
        stdinPipe: true,
      }),
      isReady: () => isReachable(`127.0.0.1:${port}`),
      stopSignal: 'SIGTERM' as const,
      alarmIn: () => undefined,
    };
    const child = await launch(program, log);
    children.add(child);
    void child.exited.then((reason) => {
      if (!children.has(child)) return;
      ended.reject(new Error(`the webhook service ended: ${reason}\n${child.recentLines().join('\n')}`));
    });
  };
  started.defer(async () => {
    for (const child of children) {
      children.delete(child);
      await child.stop('SIGTERM', 15_000);
    }
  });
  for (let replica = 0; replica < (options.replicas ?? 1); replica += 1) await startReplica();
  const logger = createLogger('bench', 'silent');
  const { db } = started.use(openDatabase<Tables>({ url, logger, connectionsMax: 3 }));
  const broker = started.use(await openBroker({ url: nats.url, logger }));
  await broker.streams();

  const createWebhook = async (target: string): Promise<Hook> => {
    const hook = { id: randomUUID(), workspaceId: randomUUID() };
    await insertWebhook(db, {
      ...hook,
      url: target,
      isActive: true,
      events: ['InteractionCompleted'],
      secretToken: sealSecret(keys, 'secret-token', hook.id, 'a-secret-token'),
      signingSecret: {
        id: randomUUID(),
        secret: sealSecret(keys, 'signing-secret', hook.id, signingSecret),
      },
    });
    return hook;
  };
  const stack = started.move();
  return {
    db,
    adminUrl: databaseUrl(postgres.url, 'parley'),
    natsUrl: nats.url,
    notify: (webhookIds) => {
      for (let from = 0; from < webhookIds.length; from += notifiedMax) {
        broker.broadcast('parley-webhook.due', webhookIds.slice(from, from + notifiedMax).join(' '));
      }
    },
    times: () => ({
      worker: Array.from(children).reduce((sum, { pid }) => sum + timeOf(pid), 0),
      store: timeOfTree(postgres.pid),
    }),
    rssMax: () => Math.max(...Array.from(children, ({ pid }) => memoryMax(pid))),
    ended: ended.promise,
    startReplica,
    kill: () => {
      const [child] = children;
      if (!child) throw new Error('no replica is running');
      children.delete(child);
      process.kill(child.pid, 'SIGKILL');
    },
    // One after another, because there are few connections.
    createWebhooks: async (urls) => {
      const hooks: Hook[] = [];
      for (const target of urls) hooks.push(await createWebhook(target));
      return hooks;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
