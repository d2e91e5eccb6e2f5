import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect, type Peer } from '@parley/rpc/connect';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/ports';
import { afterEach, expect, test } from 'vitest';
import { anyone, customer, streamRpc, tokens, workspaceId } from './peers.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const [older, newer] = ['an-older-token-of-a-test', 'a-newer-token-of-a-test'];
const handlers = { getCustomer: async ({ id }: { id: string }) => customer(id) };

/** Calls until it is stopped. `stop` rejects if a call has failed. */
function callOn(peer: Pick<Peer, 'client'>) {
  const { getCustomer } = peer.client(CustomerServiceService);
  let isStopped = false;
  const answeredBy = new Set<string>();
  const loop = async (): Promise<void> => {
    while (!isStopped) answeredBy.add((await getCustomer({ workspaceId, id: 'c' }, anyone)).firstName);
  };
  const running = loop();
  // Reported when it is awaited.
  running.catch(() => {});
  return {
    answeredBy,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

test('the tokens are replaced in three steps, each by a rolling restart, and no call fails', async () => {
  const ports = [await freePort(), await freePort()];
  const address = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const serveWith = (service: string, port: number) =>
    streamRpc.serve(
      { getCustomer: async ({ id }) => customer(id, `${service} at ${port}`) },
      { port, tokens: { ...tokens, service } },
    );
  const servers = await Promise.all(ports.map((port) => serveWith(older, port)));
  stack.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  const callers = [older, older].map((token) => callOn(stack.use(connect(address, { token }))));
  stack.defer(() => Promise.allSettled(callers.map((caller) => caller.stop())).then(() => {}));

  for (const service of [`${older}, ${newer}`, `${newer},${older}`, newer]) {
    for (const [index, port] of ports.entries()) {
      await servers[index]?.[Symbol.asyncDispose]();
      servers[index] = await serveWith(service, port);
      const [before] = callers.splice(index, 1, callOn(stack.use(connect(address, { token: service }))));
      await before?.stop();
      await eventually(() => {
        for (const { answeredBy } of callers) expect(answeredBy).toContain(`${service} at ${port}`);
      });
    }
  }
  await Promise.all(callers.map((caller) => caller.stop()));
  const former = stack.use(connect(address, { token: older })).client(CustomerServiceService);
  await expect(former.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

test('a running server and client use changed tokens', async () => {
  const serverTokens = { ...tokens, service: older };
  const server = stack.use(await streamRpc.serve(handlers, { tokens: serverTokens }));
  let token = older;
  const open = () =>
    stack.use(connect(server.address, { token: () => token })).client(CustomerServiceService);
  const get = (client: ReturnType<typeof open>) => client.getCustomer({ workspaceId, id: 'a' }, anyone);
  await get(open());
  serverTokens.service = newer;
  await expect(get(open())).rejects.toMatchObject({ code: 'unauthenticated' });
  token = `${newer},${older}`;
  await expect(get(open())).resolves.toEqual(customer('a'));
});
