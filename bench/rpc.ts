import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificateFiles } from '@parley/local/files/certificate-files';
import { ensureCertificates } from '@parley/local/files/certificates';
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

const measures =
  'what a call between two processes costs by our stream, with TLS, and by a plain call of grpc-js';
await runComparison({ name: 'rpc', measures }, async (plan) => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await mkdtempDisposable(join(tmpdir(), 'parley-bench-')));
  await ensureCertificates(folder.path);
  const start = (script: string, way: Way, name: 'customer' | 'interaction'): Worker => {
    const { ca, cert, key } = certificateFiles(folder.path, name);
    const env = { RPC_TLS_CA_FILE: ca, RPC_TLS_CERT_FILE: cert, RPC_TLS_KEY_FILE: key };
    return stack.use(startWorker(new URL(script, import.meta.url), way === 'tls' ? { env } : {}));
  };
  const plain = start('./rpc/server.ts', 'stream', 'customer');
  const secured = start('./rpc/server.ts', 'tls', 'customer');
  const servers: Record<Way, Worker> = { unary: plain, stream: plain, tls: secured };
  const clients = {} as Record<Way, Worker>;
  for (const way of ways) {
    const { address } = await servers[way].ask<ServerState>({});
    clients[way] = start('./rpc/client.ts', way, 'interaction');
    await clients[way].ask({ way, address } satisfies ClientStart);
  }
  for (const load of loads) {
    const turn: Turn = { load, seconds: plan.seconds };
    const costs = await takeTurns(ways, plan, (way) => takeTurn(servers[way], clients[way], turn));
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
    const tlsRatio = costRatioText(of, costs.tls, costs.stream);
    console.log(`${name.padEnd(22)}${columns.join('')}stream/unary ${ratio}  tls/stream ${tlsRatio}`);
  }
}
