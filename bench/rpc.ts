import { type Way, ways } from './rpc/callers.ts';
import type { Calls, ClientStart } from './rpc/client.ts';
import type { ServerState } from './rpc/server.ts';
import { loads, loadTitle, costRatioText, runComparison, spreadText, takeTurns } from './turns.ts';
import type { Turn } from './turns/worker.ts';
import { startWorker, type Worker } from './worker.ts';

/** The cost of a turn; times in microseconds per call. */
interface Cost {
  clientUs: number;
  serverUs: number;
  callsPerSecond: number;
  p50Us: number;
  p99Us: number;
}

const measures = 'what a call between two processes costs by our stream, against a plain call of grpc-js';
await runComparison({ name: 'rpc', measures }, async (plan) => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(startWorker(new URL('./rpc/server.ts', import.meta.url)));
  const { address } = await server.ask<ServerState>({});
  const clients = {} as Record<Way, Worker>;
  for (const way of ways) {
    clients[way] = stack.use(startWorker(new URL('./rpc/client.ts', import.meta.url)));
    await clients[way].ask({ way, address } satisfies ClientStart);
  }
  for (const load of loads) {
    const turn: Turn = { load, seconds: plan.seconds };
    const costs = await takeTurns(ways, plan, (way) => takeTurn(server, clients[way], turn));
    print(loadTitle(load), costs);
  }
});

async function takeTurn(server: Worker, client: Worker, turn: Turn): Promise<Cost> {
  const before = await server.ask<ServerState>({});
  const { count, cpuUs, p50Us, p99Us } = await client.ask<Calls>(turn);
  const after = await server.ask<ServerState>({});
  return {
    clientUs: cpuUs / count,
    serverUs: (after.usedUs - before.usedUs) / count,
    callsPerSecond: count / turn.seconds,
    p50Us,
    p99Us,
  };
}

function print(title: string, costs: Record<Way, Cost[]>): void {
  console.log(`\n${title}: median [min, max]`);
  const figures: [string, (cost: Cost) => number][] = [
    ['client CPU, us/call', (cost) => cost.clientUs],
    ['server CPU, us/call', (cost) => cost.serverUs],
    ['both', (cost) => cost.clientUs + cost.serverUs],
    ['calls/s', (cost) => cost.callsPerSecond],
    ['p50, us', (cost) => cost.p50Us],
    ['p99, us', (cost) => cost.p99Us],
  ];
  for (const [name, of] of figures) {
    const columns = ways.map((way) => `${way} ${spreadText(costs[way].map(of), 0)}`.padEnd(32));
    const ratio = costRatioText(of, costs.stream, costs.unary);
    console.log(`${name.padEnd(22)}${columns.join('')}stream/unary ${ratio}`);
  }
}
