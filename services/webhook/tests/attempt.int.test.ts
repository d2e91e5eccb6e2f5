import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { startReceiver } from '@parley/testing/receiver';
import { afterAll, expect, test } from 'vitest';
import { openSender } from '../src/attempt.ts';

const totalTimeoutMs = 500;
const sender = openSender({ allowsPrivate: true, connectTimeoutMs: 200, totalTimeoutMs });
afterAll(() => sender[Symbol.asyncDispose]());

const post = (url: string, through = sender) => {
  const { origin, pathname, search } = new URL(url);
  const headers = { 'content-type': 'application/json' };
  return through.post({ origin, path: pathname + search, headers, body: Buffer.from('{}') });
};

/** A server that says whatever `talk` says once a request has come. */
async function rawServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => talk(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

test.each([200, 201, 202, 204, 299])('%i is success', async (status) => {
  await using receiver = await startReceiver(() => ({ status }));
  expect(await post(receiver.url)).toMatchObject({ status, error: null });
});

test.each([300, 304, 400, 401, 404, 410, 429, 500, 503])('%i is a failure', async (status) => {
  await using receiver = await startReceiver(() => ({ status }));
  expect(await post(receiver.url)).toMatchObject({ status, error: `http_${status}` });
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i is a failure and is not followed',
  async (status) => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver(() => ({ status, headers: { location: elsewhere.url } }));
    expect(await post(receiver.url)).toMatchObject({ status, error: `http_${status}` });
    expect(elsewhere.requests).toEqual([]);
  },
);

test('the answer is kept as it came', async () => {
  await using receiver = await startReceiver(() => ({ status: 500, body: 'über\0 all' }));
  expect((await post(receiver.url))?.excerpt.toString()).toBe('über\0 all');
});

test('an endless answer is read to 16 KiB and judged by its status', async () => {
  const pour = (status: string) =>
    rawServer((socket) => {
      socket.write(`HTTP/1.1 ${status}\r\n\r\n`);
      const more = (): void => {
        while (!socket.destroyed && socket.write('x'.repeat(4_000)));
      };
      socket.on('drain', more);
      more();
    });
  await using success = await pour('200 OK');
  const result = await post(success.url);
  expect(result).toMatchObject({ status: 200, error: null });
  expect(result?.excerpt.toString()).toBe('x'.repeat(16 * 1024));
  await using failure = await pour('500 Oops');
  expect(await post(failure.url)).toMatchObject({ status: 500, error: 'http_500' });
});

test('an answer that drips is a failure once the time is up, also with 200', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const dripping = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(dripping));
  });
  const result = await post(server.url);
  expect(result).toMatchObject({ status: 200, error: 'timeout_total' });
  expect(result?.durationMs).toBeGreaterThanOrEqual(totalTimeoutMs - 5);
  expect(result?.durationMs).toBeLessThan(3 * totalTimeoutMs);
});

test('headers that never end are a failure once the time is up', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const dripping = setInterval(() => socket.write('x: y\r\n'), 20);
    socket.once('close', () => clearInterval(dripping));
  });
  expect(await post(server.url)).toMatchObject({ status: null, error: 'timeout_total' });
});

test('no answer at all is a failure once the time is up', async () => {
  await using receiver = await startReceiver(() => 'hang');
  expect(await post(receiver.url)).toMatchObject({ status: null, error: 'timeout_total' });
});

test('a connection that is closed or reset in the middle is a failure', async () => {
  await using closing = await rawServer((socket) => socket.end());
  expect(await post(closing.url)).toMatchObject({ status: null, error: 'reset' });
  await using resetting = await rawServer((socket) => socket.resetAndDestroy());
  expect(await post(resetting.url)).toMatchObject({ status: null, error: 'reset' });
  await using cutting = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
  });
  expect(await post(cutting.url)).toMatchObject({ status: 200, error: 'reset' });
});

test('what is no HTTP is a failure', async () => {
  await using server = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
  expect(await post(server.url)).toMatchObject({ status: null, error: 'protocol' });
});

test('an upgrade that nobody asked for is a failure', async () => {
  await using server = await rawServer((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await post(server.url)).toMatchObject({ status: null, error: 'reset' });
});

test('early hints before the answer change nothing', async () => {
  await using server = await rawServer((socket) => {
    socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  });
  expect(await post(server.url)).toMatchObject({ status: 204, error: null });
});

test('nobody listening, no such name and no TLS are told apart', async () => {
  const receiver = await startReceiver();
  expect(await post(receiver.url.replace('http:', 'https:'))).toMatchObject({ error: 'tls' });
  await receiver[Symbol.asyncDispose]();
  expect(await post(receiver.url)).toMatchObject({ error: 'refused' });
  expect(await post('http://does-not-exist.invalid/')).toMatchObject({ error: 'dns' });
});

test('a receiver that hangs does not hold other attempts at the same origin', async () => {
  await using receiver = await startReceiver((request) =>
    request.url === '/hook?hang' ? 'hang' : { status: 200 },
  );
  const hanging = Array.from({ length: 20 }, () => post(`${receiver.url}?hang`));
  expect((await post(receiver.url))?.durationMs).toBeLessThan(totalTimeoutMs);
  for (const result of await Promise.all(hanging)) expect(result).toMatchObject({ error: 'timeout_total' });
});

test('closing the sender ends what is under way, without an outcome', async () => {
  const closing = openSender({ allowsPrivate: true, connectTimeoutMs: 200, totalTimeoutMs: 60_000 });
  let reached = (): void => {};
  const started = new Promise<void>((resolve) => (reached = resolve));
  await using receiver = await startReceiver(() => {
    reached();
    return 'hang';
  });
  const result = post(receiver.url, closing);
  await started;
  await closing[Symbol.asyncDispose]();
  expect(await result).toBeUndefined();
});

test('a name that leads to a private address is not connected to, unless that is allowed', async () => {
  await using outside = openSender({ allowsPrivate: false, connectTimeoutMs: 200, totalTimeoutMs });
  await using receiver = await startReceiver();
  const named = receiver.url.replace('127.0.0.1', 'localhost');
  expect(await post(named, outside)).toMatchObject({ status: null, error: 'blocked_address' });
  expect(receiver.requests).toEqual([]);
  expect(await post(named)).toMatchObject({ status: 200, error: null });
});
