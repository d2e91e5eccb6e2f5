import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asService, anyone, customer, held, streamRpc, workspaceId } from './peers.ts';

// A name whose addresses change. Only the answers of the resolver are simulated.

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await stack.disposeAsync();
});

test('a call to a name whose only replica stops goes to its successor', async () => {
  const { getCustomer, begun, release } = held();
  const ensureCustomer = async () => customer('from its predecessor');
  const first = stack.use(await streamRpc.serve({ getCustomer, ensureCustomer }));
  const port = Number(first.address.split(':')[1]);
  const second = { ensureCustomer: async () => customer('from its successor') };
  stack.use(await streamRpc.serve(second, { port, host: '127.0.0.2' }));
  let host = '127.0.0.1';
  vi.spyOn(dns, 'lookup').mockImplementation((async () => [{ address: host, family: 4 }]) as never);
  syncBuiltinESMExports();
  const peer = stack.use(connect(`dns:///replicas.test:${port}`, { ...asService }));
  const client = peer.client(CustomerServiceService);
  const call = client.getCustomer({ workspaceId, id: 'a' }, anyone);
  await eventually(() => expect(begun).toEqual(['a']));

  host = '127.0.0.2';
  const stopped = first[Symbol.asyncDispose]();
  const another = client.ensureCustomer({ workspaceId, id: 'b' }, anyone);
  await expect(another).resolves.toMatchObject({ id: 'from its successor' });
  release();
  await expect(call).resolves.toMatchObject({ id: 'a' });
  await stopped;
});

test('closing a peer ends the calls to addresses that its name no longer has', async () => {
  const { getCustomer, begun, aborted } = held();
  const server = stack.use(await streamRpc.serve({ getCustomer }));

  // The second address refuses connections, so the name is looked up again.
  let isGone = false;
  const lookup = async () =>
    (isGone ? ['127.0.0.2'] : ['127.0.0.1', '127.0.0.2']).map((address) => ({ address, family: 4 }));
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
  syncBuiltinESMExports();
  const peer = connect(`dns:///replicas.test:${server.address.split(':')[1]}`, { ...asService });
  const client = peer.client(CustomerServiceService);
  const call = client.getCustomer({ workspaceId, id: 'a' }, anyone);
  await eventually(() => expect(begun).toEqual(['a']));
  isGone = true;
  const another = () => client.getCustomer({ workspaceId, id: 'b' }, { requestId: 'r', timeoutMs: 100 });
  await eventually(() => expect(another()).rejects.toMatchObject({ code: 'unavailable' }));
  expect(aborted).not.toContain('a');

  peer[Symbol.dispose]();
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  await eventually(() => expect(aborted).toContain('a'));
});
