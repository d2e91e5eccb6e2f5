import { networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { IdentityAdminServiceService } from '@parley/contracts/identity/v1/identity';
import { connect } from '@parley/rpc/connect';
import { serve, service } from '@parley/rpc/serve';
import { invalidRequest } from '@parley/runtime/errors';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/ports';
import { quietLogger as logger } from '@parley/testing/quiet';
import { afterEach, expect, test } from 'vitest';
import {
  anyone,
  customer,
  type CustomerHandlers,
  refused,
  startServer,
  tokens,
  workspaceId,
} from './peers.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

async function pair(over: Partial<CustomerHandlers>, token = tokens.service, port = 0) {
  const server = stack.use(await startServer(over, port));
  const peer = stack.use(connect(server.address, { token, timeoutMs: 2_000 }));
  return { server, peer, client: peer.client(CustomerServiceService) };
}

test('a call carries the request, its id and its answer', async () => {
  const { client } = await pair({
    getCustomer: async ({ id }, context) => ({
      id,
      firstName: context.requestId,
      lastName: String(context.caller),
      email: '',
      version: 7,
    }),
  });
  const answer = await client.getCustomer({ workspaceId, id: 'é😀' }, anyone);
  expect(answer).toEqual({ id: 'é😀', firstName: 'r1', lastName: 'service', email: '', version: 7 });
});

test('an error keeps its public face and loses its cause', async () => {
  const fault = { pointer: '/email', detail: 'Is not an address' };
  const { client } = await pair({
    getCustomer: async () => {
      throw invalidRequest([fault]);
    },
    ensureCustomer: async () => {
      throw new Error('secret detail');
    },
  });
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'invalid_argument',
    type: 'invalid-request',
    faults: [fault],
  });
  const failed = await client
    .ensureCustomer({ workspaceId, id: 'a' }, anyone)
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'internal', message: 'An internal error occurred' });
});

test('a call without a valid credential is refused, and the admin service takes the operator only', async () => {
  const { client, server, peer } = await pair({}, 'wrong');
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
  // Nobody could be served by a peer that takes no call of ours, whatever it says to others.
  await expect(peer.isServing()).resolves.toBe(false);
  const admin = await serve({
    listen: { host: '127.0.0.1', port: 0 },
    services: [
      service(
        IdentityAdminServiceService,
        {
          createWorkspace: async ({ name }) => ({ id: 'w', name, allowedDomains: [] }),
          replaceAllowedDomains: refused,
          listWorkspaces: refused,
          createKey: refused,
          listKeys: refused,
          revokeKey: refused,
        },
        { callers: ['operator'] },
      ),
    ],
    tokens,
    logger,
    isReady: async () => true,
  });
  stack.use(admin);
  const create = (token: string) =>
    stack
      .use(connect(admin.address, { token }))
      .client(IdentityAdminServiceService)
      .createWorkspace({ name: 'n', allowedDomains: [] }, anyone);
  await expect(create(tokens.service)).rejects.toMatchObject({
    code: 'permission_denied',
    type: 'operator-only',
  });
  await expect(create(tokens.operator)).resolves.toMatchObject({ name: 'n' });
  expect(server.address).not.toBe(admin.address);
});

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === '::1'));

test.skipIf(!hasIPv6)('an IPv6 address is listened at and connected to as it is written', async () => {
  const getCustomer = async ({ id }: { id: string }) => customer(id);
  const server = stack.use(await startServer({ getCustomer }, 0, '::1'));
  expect(server.address).toMatch(/^\[::1\]:\d+$/);
  const client = stack.use(connect(server.address, { token: tokens.service })).client(CustomerServiceService);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toEqual(customer('a'));
});

test('a call that takes too long ends as a time-out, and the handler learns of it', async () => {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const { client } = await pair({
    getCustomer: ({ id }, { signal }) =>
      new Promise((done) => {
        signal.addEventListener('abort', () => {
          resolve();
          done(customer(id));
        });
      }),
  });
  const call = client.getCustomer({ workspaceId, id: 'a' }, { requestId: 'r', timeoutMs: 100 });
  await expect(call).rejects.toMatchObject({ code: 'deadline_exceeded' });
  await aborted;
});

test('a peer that is away is unavailable at once and serves again when it is back', async () => {
  const getCustomer = async ({ id }: { id: string }) => customer(id);
  const port = await freePort();
  const { server, client, peer } = await pair({ getCustomer }, tokens.service, port);
  await server[Symbol.asyncDispose]();
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect(peer.isServing()).resolves.toBe(false);
  stack.use(await startServer({ getCustomer }, port));
  await expect.poll(() => peer.isServing(), { timeout: 5_000 }).toBe(true);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toMatchObject({ id: 'a' });
});

test('shutting down refuses new calls and finishes those in flight', async () => {
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { server, client } = await pair({
    getCustomer: async ({ id }) => {
      begin();
      await go;
      return customer(id);
    },
  });
  const call = client.getCustomer({ workspaceId, id: 'a' }, anyone);
  await begun;
  const stopped = server[Symbol.asyncDispose]();
  release();
  await expect(call).resolves.toMatchObject({ id: 'a' });
  await stopped;
});

test('a call outlives the shutdown even when a keepalive ping falls due meanwhile', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { server, client } = await pair({
    getCustomer: async ({ id }) => {
      begin();
      // Longer than the keepalive interval of four seconds, shorter than the five that a shutdown waits.
      await setTimeout(4_250);
      return customer(id);
    },
  });
  const call = client.getCustomer({ workspaceId, id: 'a' }, { requestId: 'r', timeoutMs: 10_000 });
  await begun;
  await server[Symbol.asyncDispose]();
  await expect(call).resolves.toMatchObject({ id: 'a' });
});

test('a copy that stops costs no call: what it refuses is made at another', async () => {
  const getCustomer = async ({ id }: { id: string }) => customer(id);
  const copies = await Promise.all([pair({ getCustomer }), pair({ getCustomer })]);
  const addresses = copies.map(({ server }) => server.address).join(',');
  const client = stack
    .use(connect(`ipv4:${addresses}`, { token: tokens.service }))
    .client(CustomerServiceService);
  let isOver = false;
  let made = 0;
  const callOn = async (): Promise<void> => {
    for (; !isOver; made += 1) {
      expect(await client.getCustomer({ workspaceId, id: 'a' }, anyone)).toEqual(customer('a'));
    }
  };
  const calling = Promise.all(Array.from({ length: 8 }, callOn));
  await eventually(() => expect(made).toBeGreaterThan(100));
  await copies[0]?.server[Symbol.asyncDispose]();
  const before = made;
  await eventually(() => expect(made).toBeGreaterThan(before + 100));
  isOver = true;
  await calling;
});
