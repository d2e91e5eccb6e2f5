import { createHash } from 'node:crypto';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect, type Peer } from '@parley/rpc/connect';
import type { RpcTokens } from '@parley/rpc/context';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { repeatedly } from '@parley/testing/repeatedly';
import { afterEach, expect, test } from 'vitest';
import { anyone, customer, startNetwork, streamRpc, tokens, workspaceId } from './peers.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const [older, newer] = ['an-older-token-of-a-test', 'a-newer-token-of-a-test'];
const caller = 'interaction';
const handlers = { getCustomer: async ({ id }: { id: string }) => customer(id) };

/** Calls until it is stopped. `stop` rejects if a call has failed. */
function callOn(peer: Pick<Peer, 'client'>) {
  const { getCustomer } = peer.client(CustomerServiceService);
  const answeredBy = new Set<string>();
  const { stop } = repeatedly(async () =>
    answeredBy.add((await getCustomer({ workspaceId, id: 'c' }, anyone)).firstName),
  );
  return { answeredBy, stop };
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
  const callers = [older, older].map((token) => callOn(stack.use(connect(address, { token, caller }))));
  stack.defer(() => Promise.allSettled(callers.map((one) => one.stop())).then(() => {}));

  for (const service of [`${older}, ${newer}`, `${newer},${older}`, newer]) {
    for (const [index, port] of ports.entries()) {
      await servers[index]?.[Symbol.asyncDispose]();
      servers[index] = await serveWith(service, port);
      const [before] = callers.splice(
        index,
        1,
        callOn(stack.use(connect(address, { token: service, caller }))),
      );
      await before?.stop();
      await eventually(() => {
        for (const { answeredBy } of callers) expect(answeredBy).toContain(`${service} at ${port}`);
      });
    }
  }
  await Promise.all(callers.map((one) => one.stop()));
  const former = stack.use(connect(address, { token: older, caller })).client(CustomerServiceService);
  await expect(former.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unauthenticated',
  });
});

test('a running server and client use changed tokens', async () => {
  const serverTokens = { ...tokens, service: older };
  const server = stack.use(await streamRpc.serve(handlers, { tokens: serverTokens }));
  let token = older;
  const open = () =>
    stack.use(connect(server.address, { token: () => token, caller })).client(CustomerServiceService);
  const get = (client: ReturnType<typeof open>) => client.getCustomer({ workspaceId, id: 'a' }, anyone);
  await get(open());
  serverTokens.service = newer;
  await expect(get(open())).rejects.toMatchObject({ code: 'unauthenticated' });
  token = `${newer},${older}`;
  await expect(get(open())).resolves.toEqual(customer('a'));
});

test('without a restart, the token of a caller is replaced in three steps, and the old one ends', async () => {
  const callersWith = (...accepted: string[]) =>
    new Map(accepted.map((one) => [createHash('sha256').update(one).digest('hex'), caller] as const));
  const serverTokens: RpcTokens = { ...tokens, callers: callersWith(older) };
  const server = stack.use(await streamRpc.serve(handlers, { tokens: serverTokens }));
  let token = older;
  const network = stack.use(await startNetwork(server.address));
  const peer = stack.use(connect(network.address, { token: () => token, caller, connectionMsMax: 100 }));
  const isRenewed = (): Promise<void> => {
    const before = network.connections();
    return eventually(() => expect(network.connections()).toBeGreaterThan(before + 2));
  };
  const calling = callOn(peer);
  stack.defer(() => calling.stop());
  const getWith = (one: string) =>
    stack
      .use(connect(server.address, { token: one }))
      .client(CustomerServiceService)
      .getCustomer({ workspaceId, id: 'a' }, anyone);
  await expect(getWith(newer)).rejects.toMatchObject({ code: 'unauthenticated' });
  serverTokens.callers = callersWith(older, newer);
  await expect(getWith(newer)).resolves.toEqual(customer('a'));
  token = `${newer},${older}`;
  await isRenewed();
  serverTokens.callers = callersWith(newer);
  await expect(getWith(older)).rejects.toMatchObject({ code: 'unauthenticated' });
  await isRenewed();
  await calling.stop();
});

test('a caller that a running server refuses is accepted soon after the setting is right, without a restart', async () => {
  const serverTokens: RpcTokens = { ...tokens, service: older };
  const server = stack.use(await streamRpc.serve(handlers, { tokens: serverTokens }));
  const { getCustomer } = stack
    .use(connect(server.address, { token: newer, caller }))
    .client(CustomerServiceService);
  const get = () => getCustomer({ workspaceId, id: 'a' }, anyone);
  await expect(get()).rejects.toMatchObject({ code: 'unauthenticated' });
  serverTokens.service = newer;
  await eventually(() => expect(get()).resolves.toEqual(customer('a')));
});
