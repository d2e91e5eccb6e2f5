import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { paths } from './answers.ts';
import { dieAtRequest, dieInStatement } from './deaths.ts';
import { dieWhileDisabling, dieWhileRecovering } from './leaving.ts';
import type { World } from './world.ts';

export interface Fault {
  name: string;
  /** Whether it kills a worker, which can cause duplicates. */
  kills: boolean;
  /** Its effects take half a minute to repair. */
  healsSlowly?: true;
  /** Throws if the fault was not possible. `random` is in [0, 1). */
  strike(world: World, random: () => number): Promise<void>;
}

const deathIn = (
  step: string,
  outcome: 'undone' | 'committed',
  lock: (world: World) => { text: string; values?: unknown[] },
): Fault => ({
  name: `a worker dies in ${step}, which is ${outcome}`,
  kills: true,
  strike: (world) => dieInStatement(world, { outcome, lock: lock(world) }),
});

/** Only saving writes statistics, only results write attempts, and only the intake locks webhooks. */
const saves = () => ({ text: 'lock table webhook.lane_hour in share mode' });
const results = () => ({ text: 'lock table webhook.attempt in access exclusive mode' });
const intake = ({ webhookIds }: World) => ({
  text: 'select from webhook.webhook where id = any($1) order by id for update',
  values: [webhookIds],
});

/** A worker dies; the first one that hands shards over or takes them dies as well. */
const diesTakingOver = (outcome: 'undone' | 'committed'): Fault => ({
  name: `a worker dies while shards change their owner, which is ${outcome}`,
  kills: true,
  strike: (world, random) =>
    dieInStatement(world, {
      outcome,
      lock: { text: 'lock table webhook.shard in share mode' },
      onLocked: () => killOne(world, random),
    }),
});

const killOne = ({ processes, replicas }: World, random: () => number): void => {
  const name = replicas[Math.floor(random() * replicas.length)] ?? '';
  process.kill(processes.pidOf(name), 'SIGKILL');
};

const end = (what: string, name: string, signal: NodeJS.Signals): Fault => ({
  name: what,
  kills: false,
  strike: ({ processes }) => processes.end(name, signal),
});

const freezesNats: Fault = {
  name: 'NATS stands still',
  kills: false,
  strike: async ({ processes }, random) => {
    const pid = processes.pidOf('nats');
    processes.freeze(pid);
    await setTimeout(500 + random() * 2_000);
    processes.thaw(pid);
  },
};

const wipesStream: Fault = {
  name: "JetStream's disk is lost",
  kills: false,
  healsSlowly: true,
  strike: async ({ processes, system }) => {
    // Frozen, so that it cannot shut down.
    processes.freeze(processes.pidOf('nats'));
    await rm(join(system.dataDir, 'nats/streams'), { recursive: true });
    await processes.end('nats', 'SIGKILL');
  },
};

const disturbs = (what: string, how: 'late' | 'cut'): Fault => ({
  name: what,
  kills: false,
  // Without answers the breaker opens.
  ...(how === 'cut' && { healsSlowly: true }),
  strike: async ({ receivers }, random) => {
    const path = paths[Math.floor(random() * paths.length)] ?? '';
    receivers.disturb(path, how, 500 + random() * 1_500);
  },
});

export const faults: readonly Fault[] = [
  diesTakingOver('undone'),
  diesTakingOver('committed'),
  deathIn('saving lanes', 'undone', saves),
  deathIn('saving lanes', 'committed', saves),
  {
    name: 'a worker dies during an attempt',
    kills: true,
    strike: (world) => dieAtRequest(world, 'arrival'),
  },
  {
    name: 'a worker dies after an answer',
    kills: true,
    strike: (world) => dieAtRequest(world, 'answer'),
  },
  deathIn('recording a result', 'undone', results),
  deathIn('recording a result', 'committed', results),
  deathIn('taking events in', 'undone', intake),
  deathIn('taking events in', 'committed', intake),
  {
    name: 'a worker dies while it deactivates a webhook whose receiver is gone',
    kills: true,
    strike: (world) => dieWhileDisabling(world, 'gone'),
  },
  {
    name: 'a worker dies while it deactivates a webhook that has failed for days',
    kills: true,
    strike: (world) => dieWhileDisabling(world, 'auto'),
  },
  { name: 'a worker dies while it recovers deliveries', kills: true, strike: dieWhileRecovering },
  {
    name: 'a worker dies at any moment',
    kills: true,
    strike: async (world, random) => killOne(world, random),
  },
  {
    name: 'all workers die at once',
    kills: true,
    strike: async ({ processes, replicas }) => {
      for (const name of replicas) process.kill(processes.pidOf(name), 'SIGKILL');
    },
  },
  end('Postgres is stopped fast', 'postgres', 'SIGINT'),
  end('Postgres is stopped immediately', 'postgres', 'SIGQUIT'),
  end('NATS dies', 'nats', 'SIGKILL'),
  freezesNats,
  wipesStream,
  disturbs('answers come late', 'late'),
  disturbs('answers do not come', 'cut'),
];
