import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { afterEach, expect, test, vi } from 'vitest';
import { anyone, startServer, customer, tokens, workspaceId } from './peers.ts';

// A name whose addresses change. What the resolver answers is made up, the rest is real.

const stack = new AsyncDisposableStack();
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await stack.disposeAsync();
});

test('a peer that is closed ends the calls at addresses that its name has no more, and leaves them', async () => {
  const begun: string[] = [];
  const aborted: string[] = [];
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const server = stack.use(
    await startServer({
      getCustomer: async ({ id }, { signal }) => {
        begun.push(id);
        signal.addEventListener('abort', () => aborted.push(id));
        await go;
        return customer(id);
      },
    }),
  );
  stack.defer(release);

  // Nobody listens at the second one, which makes the name be looked up again.
  let isGone = false;
  const lookup = async () =>
    (isGone ? ['127.0.0.2'] : ['127.0.0.1', '127.0.0.2']).map((address) => ({ address, family: 4 }));
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as never);
  syncBuiltinESMExports();
  const peer = connect(`dns:///copies.test:${server.address.split(':')[1]}`, { token: tokens.service });
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
