import { setInterval, setTimeout } from 'node:timers/promises';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { eventually } from '@parley/testing/eventually';
import { afterEach, expect, test } from 'vitest';
import {
  anyone,
  customer,
  type CustomerHandlers,
  startNetwork,
  streamRpc,
  tokens,
  workspaceId,
} from './peers.ts';

// A stalled network is what a caller sees of a frozen process: an open connection without bytes.

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

/** Starts a replica that records the ids of its calls, behind a network. */
async function startReplica() {
  const reads: string[] = [];
  const writes: string[] = [];
  const recording =
    (ids: string[]): CustomerHandlers['getCustomer'] =>
    async ({ id }) => {
      ids.push(id);
      return customer(id);
    };
  const handlers = { getCustomer: recording(reads), updateCustomer: recording(writes) };
  const network = stack.use(await startNetwork(stack.use(await streamRpc.serve(handlers)).address));
  return { reads, writes, network };
}

function clientOf(...replicas: Awaited<ReturnType<typeof startReplica>>[]) {
  const address = `ipv4:${replicas.map(({ network }) => network.address).join(',')}`;
  const peer = stack.use(connectAsCallers(address, { token: tokens.service, timeoutMs: 25_000 }));
  return peer.client(CustomerServiceService);
}

type Client = ReturnType<typeof clientOf>;

/** Makes a read and a write every 20 ms until `endMs`. Their ids are the milliseconds since `startedAtMs`. */
async function callSteadily({ getCustomer, updateCustomer }: Client, startedAtMs: number, endMs: number) {
  const reads: Promise<unknown>[] = [];
  const writes: Promise<unknown>[] = [];
  for await (const _ of setInterval(20)) {
    const sinceMs = performance.now() - startedAtMs;
    if (sinceMs > endMs) break;
    const request = { workspaceId, id: sinceMs.toFixed(1), firstName: null, lastName: null, email: null };
    reads.push(getCustomer(request, anyone));
    writes.push(updateCustomer({ ...request, ifVersion: null }, anyone));
  }
  return { reads, writes };
}

test('a frozen replica gets no calls after 1.5 seconds, and its idempotent calls go to another', async () => {
  const [frozen, other] = [await startReplica(), await startReplica()];
  const client = clientOf(frozen, other);
  await eventually(async () => {
    await client.getCustomer({ workspaceId, id: 'warm up' }, anyone);
    expect(Math.min(frozen.reads.length, other.reads.length)).toBeGreaterThan(0);
  });
  frozen.network.stall();
  const { reads, writes } = await callSteadily(client, performance.now(), 2_500);
  // All of them are answered while the replica is frozen.
  await Promise.all(reads);
  frozen.network.resume();
  // The others have waited for it: each runs once.
  await Promise.all(writes);
  expect(new Set([...frozen.writes, ...other.writes]).size).toBe(frozen.writes.length + other.writes.length);
  const lastMs = Math.max(...[...frozen.reads, ...frozen.writes].map(Number).filter((ms) => ms >= 0));
  expect(lastMs).toBeLessThan(1_500);

  const before = frozen.reads.length;
  await eventually(async () => {
    await client.getCustomer({ workspaceId, id: 'after' }, anyone);
    expect(frozen.reads.length).toBeGreaterThan(before);
  });
});

test('calls to the only replica wait while it is frozen, and run once', async () => {
  const only = await startReplica();
  const client = clientOf(only);
  await client.getCustomer({ workspaceId, id: 'warm up' }, anyone);
  only.network.stall();
  const { reads, writes } = await callSteadily(client, performance.now(), 1_500);
  only.network.resume();
  await Promise.all([...reads, ...writes]);
  expect(new Set(only.reads).size).toBe(only.reads.length);
  expect(only.reads).toHaveLength(reads.length + 1);
  expect(only.writes).toHaveLength(writes.length);
});

test.each([0, 1])(
  'if both replicas are frozen, idempotent calls go to the first that resumes: %i',
  async (index) => {
    const replicas = [await startReplica(), await startReplica()];
    const client = clientOf(...replicas);
    await eventually(async () => {
      await client.getCustomer({ workspaceId, id: 'warm up' }, anyone);
      expect(Math.min(...replicas.map(({ reads }) => reads.length))).toBeGreaterThan(0);
    });
    for (const { network } of replicas) network.stall();
    const ids = ['a', 'b', 'c', 'd'];
    const reads = Promise.all(ids.map((id) => client.getCustomer({ workspaceId, id }, anyone)));
    await setTimeout(1_300);
    replicas[index]?.network.resume();
    await expect(Promise.race([reads, setTimeout(1_000, [])])).resolves.toHaveLength(ids.length);
  },
);
