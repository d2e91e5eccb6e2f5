import { networkInterfaces } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { afterEach, expect, test, vi } from 'vitest';
import { asService, anyone, customer, type CustomerHandlers, streamRpc, workspaceId } from './peers.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const echo: CustomerHandlers['getCustomer'] = async ({ id }) => customer(id);

const hasIPv6 = Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === '::1'));

test.skipIf(!hasIPv6)('an IPv6 address in brackets works for listening and connecting', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }, { host: '::1' }));
  expect(server.address).toMatch(/^\[::1\]:\d+$/);
  const client = stack.use(connect(server.address, { ...asService })).client(CustomerServiceService);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toEqual(customer('a'));
});

test('a proxy in the environment is not used', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const proxy = `http://127.0.0.1:${await freePort()}`;
  for (const name of ['grpc_proxy', 'http_proxy', 'https_proxy']) vi.stubEnv(name, proxy);
  stack.defer(() => void vi.unstubAllEnvs());
  const client = stack.use(connect(server.address, { ...asService })).client(CustomerServiceService);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toEqual(customer('a'));
});

test('a peer is serving while it runs, for a client whose credential it accepts', async () => {
  const port = await freePort();
  const server = await streamRpc.serve({}, { port });
  const peer = stack.use(connect(server.address, { ...asService }));
  await expect(peer.isServing()).resolves.toBe(true);
  const other = stack.use(connect(server.address, { token: 'wrong' }));
  await expect(other.isServing()).resolves.toBe(false);
  await server[Symbol.asyncDispose]();
  await expect(peer.isServing()).resolves.toBe(false);
  stack.use(await streamRpc.serve({}, { port }));
  await eventually(async () => expect(await peer.isServing()).toBe(true));
});

test('the cause of a call without an answer names the method', async () => {
  const peer = stack.use(connect(`127.0.0.1:${await freePort()}`, { ...asService }));
  const { getCustomer } = peer.client(CustomerServiceService);
  await expect(getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unavailable',
    cause: {
      message: '/parley.customer.v1.CustomerService/GetCustomer got no answer',
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    },
  });
});

test('a call outlives the shutdown even when a keepalive ping falls due meanwhile', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const getCustomer: CustomerHandlers['getCustomer'] = async ({ id }) => {
    begin();
    // Longer than the keepalive interval of four seconds, shorter than the five that a shutdown waits.
    await setTimeout(4_250);
    return customer(id);
  };
  const server = stack.use(await streamRpc.serve({ getCustomer }));
  const client = stack.use(connect(server.address, { ...asService })).client(CustomerServiceService);
  const call = client.getCustomer({ workspaceId, id: 'a' }, { requestId: 'r', timeoutMs: 10_000 });
  await begun;
  await server[Symbol.asyncDispose]();
  await expect(call).resolves.toMatchObject({ id: 'a' });
});
