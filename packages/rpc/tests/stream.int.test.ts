import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { HealthService } from '@parley/contracts/health';
import { connectAsCallers } from '@parley/testing/peers/callers';
import { eventually } from '@parley/testing/eventually';
import { afterEach, expect, test } from 'vitest';
import {
  bodyBytesMax,
  callFrame,
  FrameKind,
  frame,
  frameReader,
  lengthPrefixed,
  streamPath,
} from '../src/wire/frame.ts';
import {
  anyone,
  customer,
  type CustomerHandlers,
  held,
  startNetwork,
  streamRpc,
  tokens,
  workspaceId,
} from './peers.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

const megabyte = 1024 * 1024;
const echo: CustomerHandlers['getCustomer'] = async ({ id }) => customer(id);

function clientOf(address: string) {
  return stack
    .use(connectAsCallers(address, { token: tokens.service, timeoutMs: 25_000 }))
    .client(CustomerServiceService);
}

/** Opens a stream without `connect`. */
function openRawStream(address: string, token = tokens.service): ClientDuplexStream<Buffer, Buffer> {
  const client = new Client(address, credentials.createInsecure());
  stack.defer(() => client.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  metadata.set('x-parley-caller', 'interaction');
  const rawBytes = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest(streamPath, rawBytes, rawBytes, metadata);
  stack.defer(() => stream.cancel());
  return stream.on('error', () => {});
}

function rawCall(id: number, customerId: string, timeoutMs = 30_000): Buffer {
  const { path, requestSerialize } = CustomerServiceService.getCustomer;
  const message = requestSerialize({ workspaceId, id: customerId });
  return callFrame(id, timeoutMs, lengthPrefixed(path), 'r', '', '', message);
}

test('the server enforces the deadline itself', async () => {
  const { getCustomer, aborted } = held();
  const server = stack.use(await streamRpc.serve({ getCustomer }));
  openRawStream(server.address).write(rawCall(1, 'a', 50));
  await eventually(() => expect(aborted).toEqual(['a']));
});

test('a small call passes large requests and answers', async () => {
  const large = 'x'.repeat(5 * megabyte);
  const server = stack.use(
    await streamRpc.serve({
      getCustomer: async ({ id }) => customer(id, large),
      ensureCustomer: async () => customer(''),
      anonymiseCustomer: async () => ({ erasureId: '', continues: false }),
    }),
  );
  const client = clientOf(server.address);
  let largeDone = 0;
  const calls = [
    ...Array.from({ length: 3 }, () => client.getCustomer({ workspaceId, id: 'a' }, anyone)),
    ...Array.from({ length: 3 }, () => client.ensureCustomer({ workspaceId, id: large }, anyone)),
  ].map((call) => call.then(() => (largeDone += 1)));
  await client.anonymiseCustomer({ workspaceId, id: 'small', requestedBy: '' }, anyone);
  expect(largeDone).toBe(0);
  await Promise.all(calls);
});

test('a stalled peer holds a limited number of calls, each until its deadline', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: async () => customer('a') }));
  const network = stack.use(await startNetwork(server.address));
  const client = clientOf(network.address);
  await client.getCustomer({ workspaceId, id: 'a' }, anyone);
  network.stall();
  const id = 'x'.repeat(megabyte);
  const calls = Array.from({ length: 200 }, () =>
    client.getCustomer({ workspaceId, id }, { requestId: 'r', timeoutMs: 1_000 }),
  );
  const codes = (await Promise.allSettled(calls)).map((ended) =>
    ended.status === 'rejected' ? (ended.reason as { code: string }).code : 'answered',
  );
  const waited = codes.filter((code) => code === 'deadline_exceeded');
  // The keepalive would end them as unavailable.
  expect(waited.length).toBeGreaterThan(50);
  expect(waited.length).toBeLessThan(70);
  const others = codes.filter((code) => code !== 'deadline_exceeded');
  expect(new Set(others)).toEqual(new Set(['unavailable']));
  network.resume();
  await expect(client.getCustomer({ workspaceId, id: 'b' }, anyone)).resolves.toMatchObject({ id: 'a' });
});

test('the server reads no more calls from a client that does not read its answers', async () => {
  let begun = 0;
  const server = stack.use(
    await streamRpc.serve({
      getCustomer: async ({ id }) => {
        begun += 1;
        return customer(id, 'x'.repeat(megabyte / 20));
      },
    }),
  );
  const stream = openRawStream(server.address);
  const answered = new Set<number>();
  stream.on(
    'data',
    frameReader(2 * megabyte, (_kind, id) => answered.add(id)),
  );
  const calls = 500;
  stream.write(rawCall(1, 'a'));
  await eventually(() => expect(answered.size).toBe(1));
  stream.pause();
  for (let id = 2; id <= calls; id += 1) stream.write(rawCall(id, 'a'));
  await eventually(() => expect(begun).toBeGreaterThan(80));
  let before = 0;
  await eventually(() => {
    const last = before;
    before = begun;
    expect(begun).toBe(last);
  });
  expect(begun).toBeLessThan(300);
  stream.resume();
  await eventually(() => expect(answered.size).toBe(calls));
});

test('a malformed stream ends alone', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const client = clientOf(server.address);
  await client.getCustomer({ workspaceId, id: 'a' }, anyone);
  const stream = openRawStream(server.address);
  const { promise: ended, resolve: end } = Promise.withResolvers<StatusObject>();
  stream.once('status', end);
  stream.write(Buffer.from('GET / HTTP/1.1'));
  stream.resume();
  expect(await ended).toMatchObject({ code: status.INVALID_ARGUMENT });
  await expect(client.getCustomer({ workspaceId, id: 'b' }, anyone)).resolves.toMatchObject({ id: 'b' });
});

test('a client without a credential cannot send parts of a large body, nor a large gRPC message', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const statusAfter = async (token: string, ...batches: Buffer[]): Promise<status> => {
    const stream = openRawStream(server.address, token);
    const { promise: ended, resolve: end } = Promise.withResolvers<StatusObject>();
    stream.once('status', end).resume();
    for (const batch of batches) stream.write(batch);
    stream.end();
    return (await ended).code;
  };
  const part = frame(FrameKind.part, 1, Buffer.alloc(bodyBytesMax));
  const [call, large] = [rawCall(1, 'a'), Buffer.alloc(2 * megabyte)];
  expect(await statusAfter('wrong', call)).toBe(status.OK);
  expect(await statusAfter('wrong', part)).toBe(status.INVALID_ARGUMENT);
  expect(await statusAfter(tokens.service, part)).toBe(status.OK);
  for (const token of ['wrong', tokens.service]) {
    expect(await statusAfter(token, large)).toBe(status.RESOURCE_EXHAUSTED);
  }
});

test('a name is looked up', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const port = server.address.split(':')[1];
  const client = clientOf(`dns:///localhost:${port}`);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toMatchObject({ id: 'a' });
  const nobody = clientOf(`dns:///nobody.invalid:${port}`);
  await expect(nobody.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('tools can make unary calls, with the same credentials', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const client = new Client(server.address, credentials.createInsecure());
  stack.defer(() => client.close());
  const codeOf = (
    { path, requestSerialize }: { path: string; requestSerialize(value: never): Buffer },
    request: object,
    token?: string,
  ): Promise<status> => {
    const metadata = new Metadata();
    if (token) metadata.set('authorization', `Bearer ${token}`);
    metadata.set('x-parley-caller', 'interaction');
    const { promise, resolve } = Promise.withResolvers<status>();
    const rawBytes = (bytes: Buffer): Buffer => bytes;
    const message = requestSerialize(request as never);
    client.makeUnaryRequest(path, rawBytes, rawBytes, message, metadata, (error) =>
      resolve(error?.code ?? status.OK),
    );
    return promise;
  };
  const { getCustomer, ensureCustomer } = CustomerServiceService;
  expect(await codeOf(getCustomer, { workspaceId, id: 'a' }, tokens.service)).toBe(status.OK);
  expect(await codeOf(getCustomer, { workspaceId, id: 'a' }, tokens.operator)).toBe(status.PERMISSION_DENIED);
  expect(await codeOf(getCustomer, { workspaceId, id: 'a' }, 'wrong')).toBe(status.UNAUTHENTICATED);
  expect(await codeOf(ensureCustomer, { workspaceId, id: 'a' }, tokens.service)).toBe(
    status.FAILED_PRECONDITION,
  );
  for (const token of [undefined, tokens.service, tokens.operator]) {
    expect(await codeOf(HealthService.check, { service: '' }, token)).toBe(status.OK);
  }
  expect(await codeOf(HealthService.check, { service: '' }, 'wrong')).toBe(status.UNAUTHENTICATED);
});

test('frames of unknown kinds are ignored', async () => {
  const server = stack.use(await streamRpc.serve({ getCustomer: echo }));
  const stream = openRawStream(server.address);
  const kinds: number[] = [];
  stream.on(
    'data',
    frameReader(megabyte, (kind) => kinds.push(kind)),
  );
  const strange = Buffer.concat(
    [FrameKind.answer, FrameKind.stopping, 200].map((kind) => {
      const bytes = Buffer.alloc(9);
      bytes[0] = kind;
      return bytes;
    }),
  );
  stream.write(Buffer.concat([strange, rawCall(1, 'a')]));
  await eventually(() => expect(kinds).toEqual([FrameKind.answer]));
});
