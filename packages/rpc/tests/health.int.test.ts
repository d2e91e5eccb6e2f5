import { Client, credentials } from '@grpc/grpc-js';
import { type HealthCheckResponse, HealthService } from '@parley/contracts/health';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { createGrantVerifier, keyGrantSeconds } from '@parley/rpc/grants';
import { testGrants } from '@parley/testing/peers/callers';
import { eventually } from '@parley/testing/eventually';
import { serve } from '../src/server/serve.ts';
import { customer, streamRpc, tokens, workspaceId } from './peers.ts';

test.each([
  ['', 'NOT_SERVING'],
  ['process', 'SERVING'],
])('without a database, the health of service "%s" is %s', async (service, expected) => {
  await using stack = new AsyncDisposableStack();
  const server = stack.use(
    await serve({
      listen: { host: '127.0.0.1', port: 0 },
      services: [],
      tokens,
      logger,
      isReady: async () => false,
    }),
  );
  const client = new Client(server.address, credentials.createInsecure());
  stack.defer(() => client.close());
  const { path, requestSerialize, responseDeserialize } = HealthService.check;
  const { promise, resolve, reject } = Promise.withResolvers<HealthCheckResponse | undefined>();
  client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, answer) =>
    error ? reject(error) : resolve(answer),
  );
  expect((await promise)?.status).toBe(expected);
});

test('a service whose clock is far from that of identity is not ready, answers 503, and says so', async () => {
  await using stack = new AsyncDisposableStack();
  const minutes = 20 * 60_000;
  const lines: object[] = [];
  const note = (line: object): unknown => lines.push(line);
  const now = (): Date => new Date(Date.now() - minutes);
  const readKeys = async () => ({ keys: testGrants.keys, now: now() });
  const server = stack.use(
    await streamRpc.serve(
      { getCustomer: async () => customer('a') },
      {
        grants: createGrantVerifier(undefined, readKeys),
        logger: { ...logger, error: note, warn: note } as unknown as typeof logger,
      },
    ),
  );
  const peer = stack.use(connect(server.address, { token: tokens.service, caller: 'gateway' }));
  await eventually(async () => expect(await peer.isServing()).toBe(false));
  expect(lines).toEqual([{ aheadSeconds: 1_200 }]);

  const grant = testGrants.issue(
    { workspaceIds: [workspaceId], holder: { $case: 'apiKey', value: 'k' } },
    keyGrantSeconds - minutes / 1_000,
  );
  const { getCustomer } = peer.client(CustomerServiceService);
  await expect(getCustomer({ workspaceId, id: 'a' }, { requestId: 'r7', grant })).rejects.toMatchObject({
    code: 'unavailable',
  });
  const message = 'it has expired: the clock of this process is 1200 s ahead of that of identity';
  expect(lines.at(-1)).toMatchObject({ requestId: 'r7', err: { message } });
});
