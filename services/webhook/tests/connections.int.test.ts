import { eventually } from '@parley/testing/eventually';
import { afterAll, expect, test } from 'vitest';
import { answering, post, rawServer, sending } from './sending.ts';

const sender = sending({ lookup: async () => ['127.0.0.1'], totalTimeoutMs: 10_000 });
afterAll(() => sender[Symbol.asyncDispose]());

// hookdeck/outpost#1017: a connection per delivery, until there were no ports left.
test('a connection is used again, and one at a time', async () => {
  await using receiver = await rawServer(answering());
  for (let index = 0; index < 20; index += 1) await post(sender, `http://${receiver.host}/`);
  expect(receiver.connections).toHaveLength(1);
  await Promise.all(Array.from({ length: 10 }, () => post(sender, `http://${receiver.host}/`)));
  expect(receiver.connections).toHaveLength(10);
  await Promise.all(Array.from({ length: 10 }, () => post(sender, `http://${receiver.host}/`)));
  expect(receiver.connections).toHaveLength(10);
});

test('a connection that the receiver closes is not used again', async () => {
  await using receiver = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  for (let index = 0; index < 5; index += 1) {
    expect(await post(sender, `http://${receiver.host}/`)).toMatchObject({ error: null });
  }
  expect(receiver.connections).toHaveLength(5);
});

test('however many origins there are, some hundred idle connections are kept, the latest', async () => {
  await using receiver = await rawServer(answering());
  const open = (): number =>
    receiver.connections.filter((socket) => !socket.readableEnded && !socket.destroyed).length;
  for (let from = 0; from < 3_000; from += 100) {
    const batch = Array.from({ length: 100 }, (_one, index) =>
      post(sender, `http://tenant-${from + index}.example:${receiver.port}/`),
    );
    for (const result of await Promise.all(batch)) expect(result.error).toBeNull();
    await eventually(() => expect(open()).toBeLessThanOrEqual(256));
  }
  expect(receiver.connections).toHaveLength(3_000);
  await post(sender, `http://tenant-2999.example:${receiver.port}/`);
  expect(receiver.connections).toHaveLength(3_000);
  await post(sender, `http://tenant-0.example:${receiver.port}/`);
  expect(receiver.connections).toHaveLength(3_001);
});

test('idle connections are closed after some seconds, or when the receiver wants it', async () => {
  await using receiver = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=3\r\ncontent-length: 0\r\n\r\n');
  });
  await post(sender, `http://${receiver.host}/`);
  await eventually(() => expect(receiver.connections[0]?.readableEnded).toBe(true), { timeoutMs: 4_000 });
});

test('closing the sender closes all connections', async () => {
  await using receiver = await rawServer(answering());
  const closing = sending();
  await Promise.all(Array.from({ length: 10 }, () => post(closing, `http://${receiver.host}/`)));
  await closing[Symbol.asyncDispose]();
  await eventually(() => {
    for (const socket of receiver.connections) expect(socket.readableEnded || socket.destroyed).toBe(true);
  });
});
