import { once } from 'node:events';
import { connect as openSocket, createServer, type Socket } from 'node:net';
import { type Customer, CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import type { Handlers } from '@parley/rpc/definition';
import { serve, service } from '@parley/rpc/serve';
import { AppError } from '@parley/runtime/errors';
import type { Running } from '@parley/runtime/run';
import { quietLogger as logger } from '@parley/testing/quiet';

export const tokens = { service: 'service-token-of-a-test', operator: 'operator-token-of-a-test' };
export const anyone = { requestId: 'r1' };
export const workspaceId = 'w';

export type CustomerHandlers = Handlers<typeof CustomerServiceService>;

export const refused = async (): Promise<never> => {
  throw new AppError('permission_denied', 'not-in-this-test', 'Not in this test');
};

/** A customer with nothing but an id, and a first name if need be. */
export function customer(id: string, firstName = ''): Customer {
  return { id, firstName, lastName: '', email: '', version: 1 };
}

/** A customer service with some handlers; the others refuse. */
export function startServer(over: Partial<CustomerHandlers>, port = 0, host = '127.0.0.1'): Promise<Running> {
  const handlers: CustomerHandlers = {
    createCustomer: refused,
    ensureCustomer: refused,
    getCustomer: refused,
    listCustomers: refused,
    updateCustomer: refused,
    anonymiseCustomer: refused,
    ...over,
  };
  return serve({
    listen: { host, port },
    services: [service(CustomerServiceService, handlers)],
    tokens,
    logger,
    isReady: async () => true,
  });
}

/** The network between two processes, with its faults. */
export interface Network extends AsyncDisposable {
  address: string;
  /** Breaks all connections. */
  cut(): void;
  /** Carries nothing until it is resumed. */
  stall(): void;
  resume(): void;
}

/** A way to the address that can be broken. */
export async function startNetwork(to: string): Promise<Network> {
  const sockets = new Set<Socket>();
  const [host = '', port = ''] = to.split(':');
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket.on('error', () => {});
  };
  const server = createServer((near) => {
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
