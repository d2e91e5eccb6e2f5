import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { connect } from '@parley/rpc/connect';
import { quietLogger } from '@parley/testing/quiet';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { customer, streamRpc, workspaceId } from './peers.ts';

// What an operator sees of a caller that a service refuses.

let stack: AsyncDisposableStack;
let address: string;
let refusals: Record<string, unknown>[];
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  refusals = [];
  const warn = (line: Record<string, unknown>, message: string): void => {
    if (message === 'a caller was refused') refusals.push(line);
  };
  const logger = { ...quietLogger, warn } as typeof quietLogger;
  ({ address } = stack.use(await streamRpc.serve({ getCustomer: async () => customer('a') }, { logger })));
});
afterEach(() => stack.disposeAsync());

const { path, requestSerialize, responseDeserialize } = CustomerServiceService.getCustomer;

/** Makes a call as tools do, and returns its error. */
function unaryError(metadata: Metadata): Promise<ServiceError | null> {
  const client = new Client(address, credentials.createInsecure());
  stack.defer(() => client.close());
  return new Promise((resolve) => {
    const request = { workspaceId, id: 'a' };
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, metadata, resolve);
  });
}

const expected = { path, peerAddress: '127.0.0.1', type: 'unauthenticated' };

test("the log line of a refused caller has the request's id and the caller's address", async () => {
  const peer = stack.use(connect(address, { token: 'wrong-token-of-a-test', caller: 'gateway' }));
  const call = peer.client(CustomerServiceService).getCustomer({ workspaceId, id: 'a' }, { requestId: 'r7' });
  await expect(call).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(refusals).toEqual([expect.objectContaining({ ...expected, requestId: 'r7', caller: 'unknown' })]);
});

test('a refused unary call has the id that it states, else one that its trailer states', async () => {
  const stated = new Metadata();
  stated.set('x-request-id', 'of-another-team');
  const malformed = new Metadata();
  malformed.set('x-request-id', 'a b');
  const errors = [await unaryError(stated), await unaryError(malformed), await unaryError(new Metadata())];
  const ids = errors.map((error) => error?.metadata.get('x-request-id')[0]);
  expect(ids[0]).toBe('of-another-team');
  for (const id of ids.slice(1)) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(refusals).toEqual(
    ids.map((requestId): unknown => expect.objectContaining({ ...expected, requestId, caller: 'none' })),
  );
});

test('a refused use of reflection is reported too', async () => {
  const client = new Client(address, credentials.createInsecure());
  stack.defer(() => client.close());
  const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
  const raw = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest(reflection, raw, raw);
  await new Promise((resolve) => stream.once('error', resolve));
  expect(refusals).toEqual([
    expect.objectContaining({ ...expected, path: reflection, requestId: expect.stringMatching(/./) }),
  ]);
});
