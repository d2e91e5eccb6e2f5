import { noDetails } from '@parley/contracts/customer-details';
import { once } from 'node:events';
import { connect as openSocket, createServer, type Socket } from 'node:net';
import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import type { CallerName } from '@parley/contracts/method-access';
import type { Handlers } from '@parley/rpc/definition';
import { connect, type Peer } from '@parley/rpc/connect';
import { createGrantVerifier, type GrantVerifier } from '@parley/rpc/grants';
import type { RpcTokens } from '@parley/rpc/context';
import { serve } from '@parley/rpc/serve';
import type { RpcTls } from '@parley/rpc/tls';
import { deadlineExceeded } from '@parley/runtime/errors';
import type { Logger } from '@parley/runtime/telemetry/logger';
import type { Running } from '@parley/runtime/run';
import { testGrants } from '@parley/testing/peers/callers';
import { partialService } from '@parley/testing/peers/partial-service';
import { quietLogger as logger } from '@parley/testing/quiet';

export const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };
/** The services may call `getCustomer` and `ensureCustomer` as the interaction service. */
export const asService = { token: tokens.service, caller: 'interaction' } as const;
export const anyone = { requestId: 'r1' };
export const workspaceId = 'w';

export type CustomerHandlers = Handlers<typeof CustomerServiceService>;

export function customer(id: string, firstName = ''): Customer {
  return { id, ...noDetails, firstName, version: 1, deletedVersion: null };
}

/** An implementation of calls between processes with the contract of README.md. */
export interface Rpc {
  /** Starts a customer service on loopback with some handlers. */
  serve(handlers: Partial<CustomerHandlers>, options?: ServerOptions): Promise<Running>;
  connect(
    address: string,
    options: { token: string; caller?: CallerName; timeoutMs?: number },
  ): Omit<Peer, 'isServing' | 'replicaStates'>;
}

interface ServerOptions {
  port?: number;
  host?: string;
  tokens?: RpcTokens;
  tls?: Pick<RpcTls, 'server'>;
  logger?: Logger;
  grants?: GrantVerifier;
}

/** The implementation of this package. */
export const streamRpc = {
  connect,
  serve: (handlers, { port = 0, host = '127.0.0.1', ...others } = {}) =>
    serve({
      listen: { host, port },
      services: [partialService(CustomerServiceService, handlers)],
      tokens,
      grants: createGrantVerifier(testGrants),
      logger,
      isReady: async () => true,
      ...others,
    }),
} satisfies Rpc;

/** A handler that answers when it is released or aborted, and the ids of its calls. */
export function held() {
  const begun: string[] = [];
  const aborted: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const getCustomer: CustomerHandlers['getCustomer'] = async ({ id }, { signal }) => {
    begun.push(id);
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => {
      aborted.push(id);
      // As real handlers end: an answer could reach a busy client before its own deadline does.
      end(deadlineExceeded(signal.reason));
    });
    await Promise.race([released, ended]);
    return customer(id);
  };
  return { getCustomer, begun, aborted, release };
}

/** The network between two processes, with faults. */
export interface Network extends AsyncDisposable {
  address: string;
  /** Breaks all connections. */
  cut(): void;
  /** Carries nothing until `resume`. */
  stall(): void;
  resume(): void;
  /** The number of connections so far. */
  connections(): number;
  openConnections(): number;
}

export async function startNetwork(to: string): Promise<Network> {
  const sockets = new Set<Socket>();
  const [host = '', port = ''] = to.split(':');
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket.on('error', () => {});
  };
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = keep(openSocket(Number(port), host));
    keep(near).pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    cut,
    connections: () => connections,
    // Each has a socket on both sides.
    openConnections: () => sockets.size / 2,
    stall: () => {
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
