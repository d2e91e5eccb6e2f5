import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { CustomerServiceService } from '@parley/contracts/customer/v1/customer';
import { WebhookServiceService } from '@parley/contracts/webhook/v1/webhook';
import { AppError, invalidRequest } from '@parley/runtime/errors';
import { currentTraceparent, inSpan } from '@parley/runtime/telemetry/telemetry';
import { eventually } from '@parley/testing/eventually';
import { freePort } from '@parley/testing/servers/ports';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  asService,
  anyone,
  customer,
  type CustomerHandlers,
  held,
  startNetwork,
  streamRpc,
  tokens,
} from './peers.ts';
import { plainRpc } from './plain-rpc.ts';

// The contract of README.md. It holds for this package and for plain unary calls of grpc-js.

const megabyte = 1024 * 1024;
const workspaceId = 'w';
const echo: CustomerHandlers['getCustomer'] = async ({ id }) => customer(id);

describe.each([
  ['the stream of connect', streamRpc],
  ['unary calls of grpc-js', plainRpc],
])('%s', (_, rpc) => {
  let stack: AsyncDisposableStack;
  beforeEach(() => {
    stack = new AsyncDisposableStack();
  });
  afterEach(() => stack.disposeAsync());

  const clientOf = (address: string, token = tokens.service) =>
    stack
      .use(rpc.connect(address, { ...asService, token, timeoutMs: 25_000 }))
      .client(CustomerServiceService);

  const clientWith = async (handlers: Partial<CustomerHandlers>) =>
    clientOf(stack.use(await rpc.serve(handlers)).address);

  test('a call carries the request, its id, the caller and the answer', async () => {
    const client = await clientWith({
      getCustomer: async ({ id }, { requestId, caller }) => ({
        ...customer(id, requestId),
        lastName: String(caller),
      }),
    });
    const answer = await client.getCustomer({ workspaceId, id: 'é😀' }, anyone);
    expect(answer).toEqual({ ...customer('é😀', 'r1'), lastName: 'interaction' });
  });

  test('a handler runs in the trace of its caller', async () => {
    const client = await clientWith({ getCustomer: async ({ id }) => customer(id, currentTraceparent()) });
    const traces = ['1', '2', '3'].map((digit) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`);
    const answers = traces.map((parent) =>
      inSpan('test', { parent }, () => client.getCustomer({ workspaceId, id: 'a' }, anyone)),
    );
    expect((await Promise.all(answers)).map(({ firstName }) => firstName)).toEqual(traces);
  });

  test('an error keeps its public fields', async () => {
    const faults = [{ pointer: '/é😀', detail: 'Is not an address' }];
    const client = await clientWith({
      getCustomer: async () => {
        throw invalidRequest(faults);
      },
      ensureCustomer: async () => {
        throw new AppError('resource_exhausted', 'slow-down', 'Too many', { retryAfterSeconds: 7 });
      },
    });
    await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
      code: 'invalid_argument',
      type: 'invalid-request',
      faults,
    });
    await expect(client.ensureCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
      code: 'resource_exhausted',
      type: 'slow-down',
      message: 'Too many',
      retryAfterSeconds: 7,
    });
  });

  test('an unexpected error is internal, and its text is not sent', async () => {
    const client = await clientWith({
      getCustomer: async () => {
        throw new Error('secret detail');
      },
    });
    const call = client.getCustomer({ workspaceId, id: 'a' }, anyone);
    const error = (await call.catch((thrown: unknown) => thrown)) as AppError;
    expect(error).toMatchObject({ code: 'internal', message: 'An internal error occurred' });
    expect(String(error.cause)).not.toContain('secret detail');
  });

  test('a method that the peer does not have fails alone', async () => {
    const server = stack.use(await rpc.serve({ getCustomer: echo }));
    const peer = stack.use(rpc.connect(server.address, { ...asService }));
    const calls = [
      peer.client(WebhookServiceService).listWebhooks({ workspaceId, webhookIds: [] }, anyone),
      peer.client(CustomerServiceService).getCustomer({ workspaceId, id: 'a' }, anyone),
    ];
    const [unknown, found] = await Promise.allSettled(calls);
    expect(unknown).toMatchObject({ status: 'rejected', reason: { code: 'internal' } });
    expect(found).toMatchObject({ status: 'fulfilled', value: { id: 'a' } });
  });

  test('a call needs a credential, and a caller that the method is for', async () => {
    const server = stack.use(await rpc.serve({ getCustomer: echo }));
    const call = (token: string) =>
      clientOf(server.address, token).getCustomer({ workspaceId, id: 'a' }, anyone);
    await expect(call('wrong')).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(call(tokens.operator)).rejects.toMatchObject({
      code: 'permission_denied',
      type: 'caller-not-allowed',
    });
    await expect(call(tokens.service)).resolves.toMatchObject({ id: 'a' });
  });

  test('a call ends at its deadline, or at the default one, and its handler is aborted', async () => {
    const { getCustomer, aborted } = held();
    const server = stack.use(await rpc.serve({ getCustomer }));
    const peer = stack.use(rpc.connect(server.address, { ...asService, timeoutMs: 4_000 }));
    const client = peer.client(CustomerServiceService);
    const calls = [
      client.getCustomer({ workspaceId, id: 'a' }, { requestId: 'r', timeoutMs: 3_000 }),
      client.getCustomer({ workspaceId, id: 'b' }, anyone),
    ];
    for (const ended of await Promise.allSettled(calls)) {
      expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'deadline_exceeded' } });
    }
    await eventually(() => expect(aborted.toSorted()).toEqual(['a', 'b']));
  });

  test('a cancelled call ends at once, and its handler is aborted', async () => {
    const { getCustomer, begun, aborted } = held();
    const client = await clientWith({ getCustomer });
    const controller = new AbortController();
    const options = { ...anyone, signal: controller.signal };
    const call = client.getCustomer({ workspaceId, id: 'a' }, options);
    await eventually(() => expect(begun).toEqual(['a']));
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => expect(aborted).toEqual(['a']));
    const late = client.getCustomer({ workspaceId, id: 'b' }, options);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    expect(begun).toEqual(['a']);
  });

  test('a peer that is disposed of ends its calls', async () => {
    const { getCustomer, begun } = held();
    const server = stack.use(await rpc.serve({ getCustomer }));
    const peer = rpc.connect(server.address, { ...asService });
    const call = peer.client(CustomerServiceService).getCustomer({ workspaceId, id: 'a' }, anyone);
    await eventually(() => expect(begun).toEqual(['a']));
    peer[Symbol.dispose]();
    await expect(call).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('each of many concurrent calls gets its own answer, and a slow one blocks no other', async () => {
    const { getCustomer, begun, release } = held();
    const client = await clientWith({
      getCustomer,
      ensureCustomer: async ({ id }) => {
        if (Number(id) % 3 === 0) await delay(Number(id) % 7);
        return customer(id);
      },
    });
    const slow = client.getCustomer({ workspaceId, id: 'slow' }, anyone);
    await eventually(() => expect(begun).toEqual(['slow']));
    const ids = Array.from({ length: 500 }, (_, index) => String(index));
    const answers = ids.map((id) => client.ensureCustomer({ workspaceId, id }, anyone));
    expect((await Promise.all(answers)).map(({ id }) => id)).toEqual(ids);
    expect(await Promise.race([slow, setImmediate('waits')])).toBe('waits');
    release();
    await expect(slow).resolves.toMatchObject({ id: 'slow' });
  });

  test('large requests and answers arrive whole', async () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `é${index}😀`).join('');
    const large = text.repeat((5 * megabyte) / Buffer.byteLength(text));
    const client = await clientWith({
      getCustomer: async ({ id }) => customer(id, large),
      ensureCustomer: async ({ id }) => customer(String(id.length)),
    });
    const gets = Array.from({ length: 3 }, () => client.getCustomer({ workspaceId, id: 'a' }, anyone));
    const puts = Array.from({ length: 3 }, () => client.ensureCustomer({ workspaceId, id: large }, anyone));
    for (const { firstName } of await Promise.all(gets)) expect(firstName === large).toBe(true);
    for (const { id } of await Promise.all(puts)) expect(id).toBe(String(large.length));
  });

  test('a message of more than 64 MiB fails alone', async () => {
    const tooLarge = 'x'.repeat(64 * megabyte);
    const client = await clientWith({
      getCustomer: async () => customer('', tooLarge),
      ensureCustomer: echo,
    });
    const tooLargeCalls = [
      () => client.getCustomer({ workspaceId, id: 'a' }, anyone),
      () => client.ensureCustomer({ workspaceId, id: tooLarge }, anyone),
    ];
    for (const call of tooLargeCalls) {
      // Repeated, because a busy process pauses for such a message, and a server refuses calls after a pause.
      await eventually(async () => {
        const other = client.ensureCustomer({ workspaceId, id: 'b' }, anyone);
        expect(await Promise.allSettled([call(), other])).toMatchObject([
          { status: 'rejected', reason: { code: 'internal' } },
          { status: 'fulfilled', value: { id: 'b' } },
        ]);
      });
    }
  });

  test('a lost connection ends its calls as unavailable, aborts their handlers, and retries none', async () => {
    const { getCustomer, begun, aborted } = held();
    const server = stack.use(await rpc.serve({ getCustomer, ensureCustomer: echo }));
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
    expect(begun).toHaveLength(3);
  });

  test('a server that stops answers the calls in flight', async () => {
    const { getCustomer, begun, release } = held();
    const server = stack.use(await rpc.serve({ getCustomer }));
    const call = clientOf(server.address).getCustomer({ workspaceId, id: 'a' }, anyone);
    await eventually(() => expect(begun).toEqual(['a']));
    const stopped = server[Symbol.asyncDispose]();
    release();
    await expect(call).resolves.toMatchObject({ id: 'a' });
    await stopped;
  });

  test('calls to a stopped server fail at once, and a restarted one serves again', async () => {
    const port = await freePort();
    const server = await rpc.serve({ getCustomer: echo }, { port });
    const client = clientOf(server.address);
    await client.getCustomer({ workspaceId, id: 'a' }, anyone);
    await server[Symbol.asyncDispose]();
    await expect(client.getCustomer({ workspaceId, id: 'a' }, anyone)).rejects.toMatchObject({
      code: 'unavailable',
    });
    stack.use(await rpc.serve({ getCustomer: echo }, { port }));
    await eventually(() => client.getCustomer({ workspaceId, id: 'b' }, anyone));
  });

  test('calls go to all replicas', async () => {
    const served: string[] = [];
    const start = async (name: string) => {
      const getCustomer: CustomerHandlers['getCustomer'] = async ({ id }) => {
        served.push(name);
        return customer(id);
      };
      return stack.use(await rpc.serve({ getCustomer })).address;
    };
    const client = clientOf(`ipv4:${await start('one')},${await start('two')}`);
    await eventually(async () => {
      await client.getCustomer({ workspaceId, id: 'a' }, anyone);
      expect(new Set(served)).toEqual(new Set(['one', 'two']));
    });
  });
});
