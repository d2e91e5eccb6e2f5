import { setTimeout as delay } from 'node:timers/promises';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { AppError } from '@parley/runtime/errors';
import type { Running } from '@parley/runtime/run';
import { eventually } from '@parley/testing/eventually';
import { longForm } from '@parley/testing/long-form';
import { freePort } from '@parley/testing/servers/ports';
import { repeatedly } from '@parley/testing/repeatedly';
import { afterEach, expect, test } from 'vitest';
import {
  asService,
  customer,
  type CustomerHandlers,
  type Network,
  startNetwork,
  streamRpc,
} from './peers.ts';

const callsInAll = longForm(2_000);
const callsAtOnce = 50;

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const one = <T>(of: readonly [T, ...T[]]): T => of[Math.floor(Math.random() * of.length)] ?? of[0];

/** The behaviour of a call, sent in the fields of the request. */
interface Plan {
  workMs: number;
  fails: boolean;
  requestChars: number;
  answerChars: number;
}

function randomPlan(): Plan {
  return {
    workMs: one([0, 0, 0, 1, 5, 20, 50]),
    fails: one([true, false, false, false, false]),
    requestChars: one([0, 0, 0, 0, 0, 0, 10, 1_000, 100_000, 400_000]),
    answerChars: one([0, 0, 0, 0, 0, 0, 10, 1_000, 100_000, 400_000]),
  };
}

/** Starts a replica that can be stopped, cut off, and started again. */
async function startReplica(over: Partial<CustomerHandlers>) {
  const port = await freePort();
  let server: Running = await streamRpc.serve(over, { port });
  const network: Network = await startNetwork(server.address);
  stack.defer(async () => {
    await network[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  return {
    address: network.address,
    cut: network.cut,
    restart: async () => {
      await server[Symbol.asyncDispose]();
      server = await streamRpc.serve(over, { port });
    },
  };
}

test('under faults, a call ends once and in time, and runs at most once', {
  timeout: 600_000,
}, async ({ signal: ended }) => {
  /** How many times a handler has executed a call, by the call's id. */
  const done = new Map<string, number>();
  let atWork = 0;
  const getCustomer: CustomerHandlers['getCustomer'] = async ({ workspaceId, id }) => {
    done.set(id, (done.get(id) ?? 0) + 1);
    const plan = JSON.parse(workspaceId.slice(0, workspaceId.indexOf('}') + 1)) as Plan;
    atWork += 1;
    if (plan.workMs > 0) await delay(plan.workMs);
    atWork -= 1;
    if (plan.fails) throw new AppError('failed_precondition', 'planned', id);
    return customer(id, id.repeat(plan.answerChars / id.length));
  };
  const replicas = [
    await startReplica({ getCustomer }),
    await startReplica({ getCustomer }),
    await startReplica({ getCustomer }),
  ] as const;
  const peer = stack.use(
    connect(`ipv4:${replicas.map(({ address }) => address).join(',')}`, { ...asService }),
  );
  const client = peer.client(CustomerServiceService);

  const endings = new Map<string, number>();
  const count = (ending: string): void => {
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  };
  let begun = 0;

  const callOnce = async (): Promise<void> => {
    begun += 1;
    const id = `call-${begun}`;
    const plan = randomPlan();
    const timeoutMs = one([2, 10, 30, 5_000, 5_000, 5_000, 5_000]);
    const abort = one([false, false, false, true]) ? new AbortController() : undefined;
    if (abort) void delay(one([0, 1, 5, 30])).then(() => abort.abort());
    const workspaceId = JSON.stringify(plan).padEnd(plan.requestChars, '.');
    const call = client.getCustomer(
      { workspaceId, id },
      { requestId: id, timeoutMs, ...(abort && { signal: abort.signal }) },
    );
    // A timer is late too if the process gets no processor time.
    const tooLate = new AbortController();
    const late = delay(timeoutMs + 1_000, 'late', tooLate).catch(() => 'in time');
    const [ended] = await Promise.allSettled([call]);
    tooLate.abort();
    expect(await late).toBe('in time');
    if (ended.status === 'fulfilled') {
      expect(plan.fails).toBe(false);
      expect(ended.value).toEqual(customer(id, id.repeat(plan.answerChars / id.length)));
      expect(done.get(id)).toBe(1);
      return count('answered');
    }
    const error = ended.reason as AppError;
    if (error.type === 'planned') expect([plan.fails, error.message, done.get(id)]).toEqual([true, id, 1]);
    else expect(['unavailable', 'deadline_exceeded']).toContain(error.code);
    count(error.code);
    if (error.code === 'unavailable') await delay(5);
  };

  const callOn = async (): Promise<void> => {
    while (!ended.aborted && begun < callsInAll) await callOnce();
  };
  const callLast = (): Promise<unknown> => {
    begun += 1;
    return client.getCustomer({ workspaceId: '{}', id: `call-${begun}` }, { requestId: 'last' });
  };
  const calling = Promise.all(Array.from({ length: callsAtOnce }, callOn));
  const disturbing = (async () => {
    while (!ended.aborted && begun < callsInAll) {
      const replica = one(replicas);
      if (one([true, false])) replica.cut();
      else await replica.restart();
      await delay(one([20, 100, 300]));
    }
  })();
  await Promise.all([calling, disturbing]);

  // Handlers of cancelled calls may still run or start. One last call per replica follows them.
  await eventually(() => Promise.all(replicas.map(callLast)));
  await eventually(() => expect(atWork).toBe(0));
  expect([...done].filter(([, times]) => times !== 1)).toEqual([]);
  for (const ending of ['answered', 'failed_precondition', 'unavailable', 'deadline_exceeded']) {
    expect(endings.get(ending), ending).toBeGreaterThan(0);
  }
});

test('restarting replicas one at a time fails no call', async () => {
  const served = [0, 0];
  const start = (index: number) =>
    startReplica({
      getCustomer: async ({ id }) => {
        served[index] = (served[index] ?? 0) + 1;
        return customer(id);
      },
    });
  const replicas = [await start(0), await start(1)] as const;
  const peer = stack.use(
    connect(`ipv4:${replicas.map(({ address }) => address).join(',')}`, { ...asService }),
  );
  const client = peer.client(CustomerServiceService);
  const call = () => client.getCustomer({ workspaceId: 'w', id: 'a' }, { requestId: 'r' });
  await using calling = repeatedly(call, { parallel: 16 });
  for (let round = 0; round < 6; round += 1) {
    const index = round % 2 === 0 ? 0 : 1;
    await replicas[index].restart();
    const before = served[index] ?? 0;
    await eventually(() => expect(served[index]).toBeGreaterThan(before));
  }
  await calling.stop();
});
