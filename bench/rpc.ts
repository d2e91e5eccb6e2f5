// What a call between two processes costs: by the stream of `connect`, against a plain unary call of grpc-js to the same
// server. A server and two clients, a process each; the clients take turns, so that both see the same machine.
//   npm run bench:rpc -- [rounds, default 5] [seconds of each turn, default 3]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import type { Handlers } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { createLogger } from '@parley/runtime/logger';
import { contextOfRequest, currentTraceparent, inSpan, startTelemetry } from '@parley/runtime/telemetry';
import { quantile, spreadOf } from './statistics.ts';

const tokens = { service: 'service-token-of-a-benchmark', operator: 'operator-token-of-a-benchmark' };
const ways = ['unary', 'stream'] as const;
type Way = (typeof ways)[number];

/** Calls that go on all the time, or calls that begin at random moments. */
type Load = { inFlight: number } | { perSecond: number };
const loads: Load[] = [{ inFlight: 64 }, { perSecond: 500 }];

interface Turn {
  load: Load;
  seconds: number;
}

/** What a turn has cost, in microseconds for each call. */
interface Cost {
  clientUs: number;
  serverUs: number;
  callsPerSecond: number;
  p50Us: number;
  p99Us: number;
}

/** The reply of a client. */
interface TurnResult {
  calls: number;
  cpuUs: number;
  latenciesUs: number[];
}

/** About 450 bytes, as rows of ours have. */
const customer: Customer = {
  id: 'c-0123456789',
  firstName: 'Wilhelmina '.repeat(10),
  lastName: 'of the Northern Provinces '.repeat(10),
  email: 'wilhelmina@north.example',
  version: 7,
};

async function runServer(): Promise<void> {
  const refused = async (): Promise<never> => {
    throw new Error('not in this benchmark');
  };
  const handlers: Handlers<typeof CustomerServiceService> = {
    createCustomer: refused,
    ensureCustomer: refused,
    getCustomer: async () => customer,
    listCustomers: refused,
    updateCustomer: refused,
    anonymiseCustomer: refused,
  };
  const { address } = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [service(CustomerServiceService, handlers)],
    tokens,
    logger: createLogger('bench', 'warn'),
    isReady: async () => true,
  });
  process.on('message', () => process.send?.(cpuUs()));
  process.send?.(address);
}

function runClient(way: Way, address: string): void {
  const call = callers[way](address);
  const callInTrace = (): Promise<Customer> => inSpan('bench', { parent: contextOfRequest(undefined) }, call);
  process.on('message', ({ load, seconds }: Turn) => {
    void callFor(callInTrace, load, seconds).then((result) => process.send?.(result));
  });
  process.send?.('ready');
}

const callers: Record<Way, (address: string) => () => Promise<Customer>> = {
  stream: (address) => {
    const client = connect(address, { token: tokens.service }).client(CustomerServiceService);
    return () =>
      client.getCustomer({ workspaceId: 'w', id: customer.id }, { requestId: 'r', timeoutMs: 5_000 });
  },
  unary: (address) => {
    const client = new Client(address, credentials.createInsecure(), { 'grpc.enable_retries': 0 });
    const { path, requestSerialize, responseDeserialize } = CustomerServiceService.getCustomer;
    return () =>
      new Promise((resolve, reject) => {
        const metadata = new Metadata();
        metadata.set('authorization', `Bearer ${tokens.service}`);
        metadata.set('x-request-id', 'r');
        metadata.set('traceparent', currentTraceparent() ?? '');
        client.makeUnaryRequest(
          path,
          requestSerialize,
          responseDeserialize,
          { workspaceId: 'w', id: customer.id },
          metadata,
          { deadline: Date.now() + 5_000 },
          (error, response) => (response ? resolve(response) : reject(error ?? new Error('no response'))),
        );
      });
  },
};

async function callFor(call: () => Promise<unknown>, load: Load, seconds: number): Promise<TurnResult> {
  const latenciesUs: number[] = [];
  const timed = async (): Promise<void> => {
    const startedAt = performance.now();
    await call();
    latenciesUs.push((performance.now() - startedAt) * 1000);
  };
  const before = cpuUs();
  const end = performance.now() + seconds * 1000;
  if ('inFlight' in load) {
    const callOn = async (): Promise<void> => {
      while (performance.now() < end) await timed();
    };
    await Promise.all(Array.from({ length: load.inFlight }, callOn));
  } else {
    const calls: Promise<void>[] = [];
    for (let at = performance.now(); at < end; ) {
      at += (-Math.log(1 - Math.random()) * 1000) / load.perSecond;
      await delay(Math.max(0, at - performance.now()));
      calls.push(timed());
    }
    await Promise.all(calls);
  }
  return { calls: latenciesUs.length, cpuUs: cpuUs() - before, latenciesUs };
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Sends it a message and answers its reply. */
async function ask<Reply>(child: ChildProcess, message: object): Promise<Reply> {
  const reply = once(child, 'message');
  child.send(message);
  return (await reply)[0] as Reply;
}

async function start<Reply>(...role: string[]): Promise<{ child: ChildProcess; first: Reply }> {
  const child = fork(import.meta.filename, role, { stdio: 'inherit' });
  return { child, first: (await once(child, 'message'))[0] as Reply };
}

async function takeTurn(server: ChildProcess, client: ChildProcess, turn: Turn): Promise<Cost> {
  const before = await ask<number>(server, {});
  const { calls, cpuUs: clientCpuUs, latenciesUs } = await ask<TurnResult>(client, turn);
  const serverCpuUs = (await ask<number>(server, {})) - before;
  const sorted = Float64Array.from(latenciesUs).sort();
  return {
    clientUs: clientCpuUs / calls,
    serverUs: serverCpuUs / calls,
    callsPerSecond: calls / turn.seconds,
    p50Us: quantile(sorted, 0.5),
    p99Us: quantile(sorted, 0.99),
  };
}

async function compare(rounds: number, seconds: number): Promise<void> {
  const { child: server, first: address } = await start<string>('server');
  const clients: Record<Way, ChildProcess> = {
    unary: (await start('client', 'unary', address)).child,
    stream: (await start('client', 'stream', address)).child,
  };
  try {
    for (const load of loads) {
      const what = 'inFlight' in load ? `${load.inFlight} calls in flight` : `${load.perSecond} calls/s`;
      console.log(`\n${what}: ${rounds} rounds of ${seconds} s each; median [least, greatest]`);
      for (const way of ways) await takeTurn(server, clients[way], { load, seconds: 2 });
      const costs: Record<Way, Cost[]> = { unary: [], stream: [] };
      for (let round = 0; round < rounds; round += 1) {
        for (const way of ways) costs[way].push(await takeTurn(server, clients[way], { load, seconds }));
      }
      print(costs);
    }
  } finally {
    for (const child of [server, ...Object.values(clients)]) child.kill();
  }
}

const totalUs = ({ clientUs, serverUs }: Cost): number => clientUs + serverUs;

function print(costs: Record<Way, Cost[]>): void {
  const figures: [string, (cost: Cost) => number][] = [
    ['client CPU, us/call', (cost) => cost.clientUs],
    ['server CPU, us/call', (cost) => cost.serverUs],
    ['both', totalUs],
    ['calls/s', (cost) => cost.callsPerSecond],
    ['p50, us', (cost) => cost.p50Us],
    ['p99, us', (cost) => cost.p99Us],
  ];
  for (const [name, of] of figures) {
    const columns = ways.map((way) => `${way} ${shown(costs[way].map(of), 0)}`.padEnd(32));
    const ratios = costs.stream.map((cost, round) => of(cost) / of(costs.unary[round] ?? cost));
    console.log(`${name.padEnd(22)}${columns.join('')}stream/unary ${shown(ratios, 2)}`);
  }
}

function shown(values: number[], digits: number): string {
  const { median, min, max } = spreadOf(values);
  return `${median.toFixed(digits)} [${min.toFixed(digits)}, ${max.toFixed(digits)}]`;
}

const [role, ...args] = process.argv.slice(2);
await startTelemetry('bench', {});
if (role === 'server') await runServer();
else if (role === 'client') runClient(args[0] as Way, args[1] ?? '');
else await compare(Number(role ?? 5), Number(args[0] ?? 3));
