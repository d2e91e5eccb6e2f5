import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { System } from '@parley/local/system';
import { eventually } from '@parley/testing/eventually';
import { startReceiver } from '@parley/testing/peers/receiver';
import { repeatedly } from '@parley/testing/repeatedly';
import { openStreamConnection, type StreamConnection } from '@parley/testing/database/stream';
import { startTestSystem } from '@parley/testing/setup/system';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Completions, startCompletions } from '../nats-cluster/completions.ts';
import { createLinks, type Links } from '../nats-cluster/links.ts';
import { type Processes, processesOf } from './processes.ts';
import { startKey } from '../replicas/key-load.ts';

// A system of its own, because each test breaks its broker: three servers, with a proxy in each link between them.

const names = ['nats-1', 'nats-2', 'nats-3'];
/** How long a fault lasts that does not end by itself: longer than an election, and than a client needs to notice. */
const faultMs = 8_000;
/** Between two rotations: more would only load the machine. */
const rotationPaceMs = 300;
/** Bounds with a reserve for a busy machine. docs/operations/survival.md has what was measured. */
const callMsMax = 10_000;
const deliveryMsMax = 30_000;

const stack = new AsyncDisposableStack();
let links: Links;
let system: System;
let processes: Processes;
let stream: StreamConnection;
let completions: Completions;

beforeAll(async () => {
  links = stack.use(createLinks());
  system = stack.use(
    await startTestSystem({ restartable: true, nats: 3, natsRoute: links.route, replicas: { gateway: 2 } }),
  );
  processes = processesOf(system);
  stream = stack.use(await openStreamConnection(system.local().natsUrl));
  const arrivedAt = new Map<string, number>();
  const receiver = stack.use(
    await startReceiver(({ body }) => {
      const { interaction_id: id } = JSON.parse(body.toString()) as { interaction_id: string };
      if (!arrivedAt.has(id)) arrivedAt.set(id, performance.now());
      return { status: 200 };
    }),
  );
  completions = stack.use(await startCompletions(system, receiver, arrivedAt));
  await isWhole();
});
afterEach(() => {
  processes.thawAll();
  links.restore();
});
afterAll(() => stack.disposeAsync());

/** Waits until all replicas of the stream are up to date, as `/readyz` shows it. */
function isWhole(): Promise<void> {
  return eventually(async () => {
    const response = await fetch(`${system.local().baseUrl}/readyz`);
    const { data } = (await response.json()) as { data: { stream: object | null } | null };
    expect(data?.stream).toEqual({ replicas: 3, online: 3 });
  });
}

const follower = async (): Promise<string> => {
  const leader = await stream.leader();
  return names.find((name) => name !== leader) ?? '';
};

/** Lets a fault last, and ends it. */
async function during(begin: () => void, end: () => void): Promise<void> {
  begin();
  await setTimeout(faultMs);
  end();
}

const faults: Record<string, () => Promise<void>> = {
  'the leader of the stream is killed': async () => processes.end(await stream.leader(), 'SIGKILL'),
  'a follower is killed': async () => processes.end(await follower(), 'SIGKILL'),
  'the leader is frozen': async () => {
    const pid = processes.pidOf(await stream.leader());
    await during(
      () => processes.freeze(pid),
      () => processes.thaw(pid),
    );
  },
  'the links of the leader are cut': async () => {
    const leader = await stream.leader();
    await during(
      () => links.cut(leader),
      () => links.restore(),
    );
  },
  'all three are killed at once': async () => {
    await Promise.all(names.map((name) => processes.end(name, 'SIGKILL')));
  },
  'one loses its disk': async () => {
    const name = await stream.leader();
    // Frozen, so that it cannot shut down.
    processes.freeze(processes.pidOf(name));
    await rm(join(system.dataDir, name, 'streams'), { recursive: true });
    await processes.end(name, 'SIGKILL');
  },
};

test('local.json has the addresses and the processes of all three servers', () => {
  const { natsUrl, processes: running } = system.local();
  expect(natsUrl.split(',')).toHaveLength(3);
  expect(
    running
      .map(({ name }) => name)
      .filter((name) => name.startsWith('nats'))
      .toSorted(),
  ).toEqual(names);
});

describe.each(Object.entries(faults))('while %s', (name, fault) => {
  test('no completion is lost, calls go on, and no gateway accepts a rotated secret', async () => {
    await isWhole();
    await completions.figures();
    await using key = await startKey(system);
    await key.warm();
    const rotating = repeatedly((_, round) => key.rotate(round), { pauseMs: rotationPaceMs });
    await fault();
    await completions.flow();
    await rotating.stop();
    await key.stop(name);
    const figures = await completions.figures();
    if (process.env['NATS_FIGURES']) console.error(name, figures);
    expect(figures.failures).toEqual([]);
    expect(figures.completed).toBeGreaterThan(0);
    expect(figures.callMs).toBeLessThan(callMsMax);
    expect(figures.deliveryMs).toBeLessThan(deliveryMsMax);
    await isWhole();
  });
});
