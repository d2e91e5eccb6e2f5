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
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { connect } from '@parley/rpc/connect';
import {
  bodyBytesMax,
  callFrame,
  FrameKind,
  frame,
  frameReader,
  prefixed,
  streamPath,
} from '@parley/rpc/frame';
import { parentOfRequest, currentTraceparent, inSpan, startTelemetry } from '@parley/runtime/telemetry';
import { eventually } from '@parley/testing/eventually';
import { afterEach, expect, test } from 'vitest';
import {
  anyone,
  customer,
  type CustomerHandlers,
  startNetwork,
  startServer,
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
  return stack.use(connect(address, { token: tokens.service })).client(CustomerServiceService);
}

/** A handler that runs until it is released or its call is given up. */
function held() {
  const begun: string[] = [];
  const aborted: string[] = [];
  const { promise: go, resolve: release } = Promise.withResolvers<void>();
  const getCustomer: CustomerHandlers['getCustomer'] = async ({ id }, { signal }) => {
    begun.push(id);
    signal.addEventListener('abort', () => aborted.push(id));
    await go;
    return customer(id);
  };
  return { getCustomer, begun, aborted, release };
}

/** A stream as another program would open it. */
function openRawStream(address: string, token = tokens.service): ClientDuplexStream<Buffer, Buffer> {
  const client = new Client(address, credentials.createInsecure());
  stack.defer(() => client.close());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  const same = (bytes: Buffer): Buffer => bytes;
  const stream = client.makeBidiStreamRequest(streamPath, same, same, metadata);
  stack.defer(() => stream.cancel());
  return stream.on('error', () => {});
}

function rawCall(id: number, customerId: string, timeoutMs = 30_000): Buffer {
  const { path, requestSerialize } = CustomerServiceService.getCustomer;
  const message = requestSerialize({ workspaceId, id: customerId });
  return callFrame(id, timeoutMs, prefixed(path), 'r', '', message);
}

test('a caller that gives up is told at once, and the handler learns of it', async () => {
  const { getCustomer, begun, aborted, release } = held();
  const server = stack.use(await startServer({ getCustomer }));
  const controller = new AbortController();
  const call = clientOf(server.address).getCustomer(
    { workspaceId, id: 'a' },
    { ...anyone, signal: controller.signal },
  );
  await eventually(() => expect(begun).toEqual(['a']));
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  await eventually(() => expect(aborted).toEqual(['a']));
  release();
});

test('a handler learns that the deadline has passed from a caller that does not say so', async () => {
  const { getCustomer, aborted, release } = held();
  const server = stack.use(await startServer({ getCustomer }));
  openRawStream(server.address).write(rawCall(1, 'a', 50));
  await eventually(() => expect(aborted).toEqual(['a']));
  release();
});

test('calls that the network cuts off are unavailable, their handlers learn of it, and the next one is served', async () => {
  const { getCustomer, begun, aborted, release } = held();
  const server = stack.use(await startServer({ getCustomer, ensureCustomer: echo }));
  const network = stack.use(await startNetwork(server.address));
  const client = clientOf(network.address);
  const calls = ['a', 'b', 'c'].map((id) => client.getCustomer({ workspaceId, id }, anyone));
  await eventually(() => expect(begun).toHaveLength(3));
  network.cut();
  for (const ended of await Promise.allSettled(calls)) {
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  await eventually(() => expect(aborted).toHaveLength(3));
  await eventually(() => client.ensureCustomer({ workspaceId, id: 'd' }, anyone));
  release();
});

test('messages of many frames arrive whole, and small calls pass them', async () => {
  const text = Array.from({ length: 1000 }, (_, index) => `é${index}😀`).join('');
  const large = text.repeat((5 * megabyte) / Buffer.byteLength(text));
  const server = stack.use(
    await startServer({
      getCustomer: async ({ id }) => customer(id, large),
      ensureCustomer: async ({ id }) => customer(String(id.length)),
      anonymiseCustomer: async () => ({}),
    }),
  );
  const client = clientOf(server.address);
  let largeDone = 0;
  const count = <T>(answer: T): T => {
    largeDone += 1;
    return answer;
  };
  const gets = Array.from({ length: 3 }, () =>
    client.getCustomer({ workspaceId, id: 'a' }, anyone).then(count),
  );
  const puts = Array.from({ length: 3 }, () =>
    client.ensureCustomer({ workspaceId, id: large }, anyone).then(count),
  );
  await client.anonymiseCustomer({ workspaceId, id: 'small' }, anyone);
  expect(largeDone).toBe(0);
  for (const { firstName } of await Promise.all(gets)) expect(firstName === large).toBe(true);
  for (const { id } of await Promise.all(puts)) expect(id).toBe(String(large.length));
});

test('a message that is too large fails alone', async () => {
  const tooLarge = 'x'.repeat(64 * megabyte);
  const server = stack.use(
    await startServer({ getCustomer: async () => customer('', tooLarge), ensureCustomer: echo }),
  );
  const client = clientOf(server.address);
  const calls = [
    client.getCustomer({ workspaceId, id: 'a' }, anyone),
    client.ensureCustomer({ workspaceId, id: tooLarge }, anyone),
    client.ensureCustomer({ workspaceId, id: 'b' }, anyone),
  ];
  expect(await Promise.allSettled(calls)).toMatchObject([
    { status: 'rejected', reason: { code: 'internal' } },
    { status: 'rejected', reason: { code: 'internal' } },
    { status: 'fulfilled', value: { id: 'b' } },
  ]);
});

test('a peer that takes nothing holds no call beyond its deadline, and only so many of them', async () => {
  const server = stack.use(
    await startServer({ getCustomer: async () => customer('a'), ensureCustomer: echo }),
  );
  const network = stack.use(await startNetwork(server.address));
  const client = clientOf(network.address);
  await client.ensureCustomer({ workspaceId, id: 'a' }, anyone);
  network.stall();
  const id = 'x'.repeat(megabyte);
  const startedAt = performance.now();
  const calls = Array.from({ length: 200 }, () =>
    client.getCustomer({ workspaceId, id }, { requestId: 'r', timeoutMs: 300 }),
  );
  const codes = (await Promise.allSettled(calls)).map((ended) =>
    ended.status === 'rejected' ? (ended.reason as { code: string }).code : 'answered',
  );
  const waited = codes.filter((code) => code === 'deadline_exceeded');
  // The deadline has ended them, and not the keepalive, which takes a peer of four seconds' silence for a dead one.
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  expect(waited.length).toBeGreaterThan(50);
  expect(waited.length).toBeLessThan(70);
  expect(codes.filter((code) => code === 'unavailable')).toHaveLength(calls.length - waited.length);
  network.resume();
  await expect(client.ensureCustomer({ workspaceId, id: 'b' }, anyone)).resolves.toMatchObject({ id: 'b' });
});

test('a caller that takes no answers is answered no more until it does', async () => {
  let begun = 0;
  const server = stack.use(
    await startServer({
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

test('a stream of something else is ended, and the others go on', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
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

test('who has no credential can make a server read little: no parts of a large body, and no large gRPC message', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
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

test('a method that the peer does not have fails alone', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
  const peer = stack.use(connect(server.address, { token: tokens.service }));
  const calls = [
    peer.client(WebhookServiceService).listWebhooks({ workspaceId }, anyone),
    peer.client(CustomerServiceService).getCustomer({ workspaceId, id: 'a' }, anyone),
  ];
  expect(await Promise.allSettled(calls)).toMatchObject([
    { status: 'rejected', reason: { code: 'internal' } },
    { status: 'fulfilled', value: { id: 'a' } },
  ]);
});

test('a name is looked up, and stands for all its addresses', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
  const port = server.address.split(':')[1];
  const client = clientOf(`dns:///localhost:${port}`);
  await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).resolves.toMatchObject({ id: 'a' });
  const nobody = clientOf(`dns:///nobody.invalid:${port}`);
  await expect(nobody.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

test('a peer that is closed ends its calls', async () => {
  const { getCustomer, begun, release } = held();
  const server = stack.use(await startServer({ getCustomer }));
  const peer = connect(server.address, { token: tokens.service });
  const call = peer.client(CustomerServiceService).getCustomer({ workspaceId, id: 'a' }, anyone);
  await eventually(() => expect(begun).toEqual(['a']));
  peer[Symbol.dispose]();
  await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  release();
});

test('a handler works in the trace of its caller', async () => {
  await startTelemetry('test', {});
  const server = stack.use(
    await startServer({ getCustomer: async ({ id }) => customer(id, currentTraceparent()) }),
  );
  const client = clientOf(server.address);
  const traces = ['1', '2', '3'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
  const answers = traces.map((traceparent) =>
    inSpan('test', { parent: parentOfRequest(traceparent) }, () =>
      client.getCustomer({ workspaceId, id: 'a' }, anyone),
    ),
  );
  expect((await Promise.all(answers)).map(({ firstName }) => firstName)).toEqual(traces);
});

test('tools may make plain unary calls, with the same credentials', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
  const client = new Client(server.address, credentials.createInsecure());
  stack.defer(() => client.close());
  const codeOf = (
    { path, requestSerialize }: { path: string; requestSerialize(value: never): Buffer },
    request: object,
    token?: string,
  ): Promise<status> => {
    const metadata = new Metadata();
    if (token) metadata.set('authorization', `Bearer ${token}`);
    const { promise, resolve } = Promise.withResolvers<status>();
    const same = (bytes: Buffer): Buffer => bytes;
    const message = requestSerialize(request as never);
    client.makeUnaryRequest(path, same, same, message, metadata, (error) =>
      resolve(error?.code ?? status.OK),
    );
    return promise;
  };
  const { getCustomer, listCustomers } = CustomerServiceService;
  expect(await codeOf(getCustomer, { workspaceId, id: 'a' }, tokens.operator)).toBe(status.OK);
  expect(await codeOf(getCustomer, { workspaceId, id: 'a' }, 'wrong')).toBe(status.UNAUTHENTICATED);
  expect(await codeOf(listCustomers, { workspaceId }, tokens.service)).toBe(status.PERMISSION_DENIED);
  for (const token of [undefined, tokens.service, tokens.operator]) {
    expect(await codeOf(HealthService.check, { service: '' }, token)).toBe(status.OK);
  }
  expect(await codeOf(HealthService.check, { service: '' }, 'wrong')).toBe(status.UNAUTHENTICATED);
});

test('frames of another kind than those of a client are passed over', async () => {
  const server = stack.use(await startServer({ getCustomer: echo }));
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
