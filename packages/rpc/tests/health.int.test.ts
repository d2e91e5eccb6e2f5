import { Client, credentials } from '@grpc/grpc-js';
import { type HealthCheckResponse, HealthService } from '@parley/contracts/health';
import { quietLogger as logger } from '@parley/testing/quiet';
import { expect, test } from 'vitest';
import { serve } from '../src/serve.ts';
import { tokens } from './peers.ts';

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
