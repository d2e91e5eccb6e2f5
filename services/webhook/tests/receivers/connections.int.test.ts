import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { distrustCertificate, trustCertificate } from '@parley/testing/peers/certificate';
import { answering, patient, post, rawServer, sending } from './sending.ts';

const sender = sending({ ...patient, lookup: async () => ['127.0.0.1'] });
beforeAll(trustCertificate);
afterAll(async () => {
  distrustCertificate();
  await sender[Symbol.asyncDispose]();
});

// hookdeck/outpost#1017: a connection per delivery, until no ports were left.
test('a connection is reused, for one request at a time', async () => {
  await using receiver = await rawServer(answering());
  for (let index = 0; index < 20; index += 1) await post(sender, `http://${receiver.host}/`);
  expect(receiver.connections).toHaveLength(1);
  await Promise.all(Array.from({ length: 10 }, () => post(sender, `http://${receiver.host}/`)));
  expect(receiver.connections).toHaveLength(10);
  await Promise.all(Array.from({ length: 10 }, () => post(sender, `http://${receiver.host}/`)));
  expect(receiver.connections).toHaveLength(10);
});

test('a connection that the receiver closes is not reused', async () => {
  await using receiver = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  for (let index = 0; index < 5; index += 1) {
    expect(await post(sender, `http://${receiver.host}/`)).toMatchObject({ error: null });
  }
  expect(receiver.connections).toHaveLength(5);
});

test.each<[string, (socket: Socket) => void]>([
  ['closes', (socket) => socket.end()],
  ['resets', (socket) => socket.resetAndDestroy()],
])('a kept connection that its receiver %s at the next request costs no attempt', async (_, cut) => {
  const requests: string[] = [];
  await using receiver = await rawServer((socket, received) => {
    requests.push(received.toString());
    if (requests.length === 2) cut(socket);
    else answering()(socket);
  });
  await post(sender, `http://${receiver.host}/`);
  const result = await post(sender, `http://${receiver.host}/`);
  expect(result).toMatchObject({ status: 200, error: null, latency: { connectMs: expect.any(Number) } });
  expect(receiver.connections).toHaveLength(2);
  expect(requests[2]).toBe(requests[1]);
});

test('a connection is reused over TLS too', async () => {
  let requests = 0;
  const respond = (socket: Socket): void => {
    requests += 1;
    if (requests === 2) socket.end();
    else answering()(socket);
  };
  await using receiver = await rawServer(respond, { tls: {} });
  await post(sender, `https://receiver.example:${receiver.port}/`);
  expect(await post(sender, `https://receiver.example:${receiver.port}/`)).toMatchObject({ error: null });
  expect([requests, receiver.connections.length]).toEqual([3, 2]);
});

// Some servers reject a name with the dot.
test('the TLS server name has no trailing dot, and an address has none', async () => {
  const names: unknown[] = [];
  const respond = (socket: Socket): void => {
    names.push((socket as TLSSocket).servername);
    answering()(socket);
  };
  await using receiver = await rawServer(respond, { tls: {} });
  for (const name of ['receiver.example', 'receiver.example.', '127.0.0.1']) {
    expect(await post(sender, `https://${name}:${receiver.port}/`), name).toMatchObject({ error: null });
  }
  expect(names).toEqual(['receiver.example', 'receiver.example', false]);
});

test('a receiver that closes each connection after an answer without notice costs no attempt', async () => {
  await using receiver = await rawServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  for (let index = 0; index < 100; index += 1) {
    expect((await post(sender, `http://${receiver.host}/`)).error).toBeNull();
  }
});

test('a request is sent again once, and only if no byte of an answer came', async () => {
  let requests = 0;
  await using closing = await rawServer((socket) => {
    requests += 1;
    if (requests === 1) answering()(socket);
    else socket.end();
  });
  await post(sender, `http://${closing.host}/`);
  expect(await post(sender, `http://${closing.host}/`)).toMatchObject({ status: null, error: 'reset' });
  expect(requests).toBe(3);
  // No connection is kept now.
  expect(await post(sender, `http://${closing.host}/`)).toMatchObject({ status: null, error: 'reset' });
  expect(requests).toBe(4);

  await using beginning = await rawServer((socket) => {
    if (socket.bytesWritten === 0) answering()(socket);
    else socket.end('H');
  });
  await post(sender, `http://${beginning.host}/`);
  expect((await post(sender, `http://${beginning.host}/`)).error).not.toBeNull();
  expect(beginning.connections).toHaveLength(1);
});

test('a receiver that has dropped all kept connections costs no attempt', async () => {
  await using receiver = await rawServer((socket) => {
    if (socket.bytesWritten === 0) answering()(socket);
    else socket.resetAndDestroy();
  });
  const posts = () => Promise.all(Array.from({ length: 5 }, () => post(sender, `http://${receiver.host}/`)));
  await posts();
  expect(await post(sender, `http://${receiver.host}/`)).toMatchObject({ error: null });
  for (const result of await posts()) expect(result).toMatchObject({ error: null });
});

test('a request that is sent again has no extra time', async () => {
  let requests = 0;
  await using receiver = await rawServer((socket) => {
    requests += 1;
    if (requests === 1) answering()(socket);
    if (requests === 2) setTimeout(() => socket.destroy(), 5_000);
  });
  await using hurried = sending({ totalTimeoutMs: 6_000 });
  await post(hurried, `http://${receiver.host}/`);
  const result = await post(hurried, `http://${receiver.host}/`);
  expect([requests, result.error]).toEqual([3, 'timeout_total']);
  expect(result.durationMs).toBeLessThan(11_000);
});

test('idle connections are limited over all origins: the newest stay open', async () => {
  await using receiver = await rawServer(answering());
  const open = (): number =>
    receiver.connections.filter((socket) => !socket.readableEnded && !socket.destroyed).length;
  for (let from = 0; from < 1_000; from += 100) {
    const batch = Array.from({ length: 100 }, (_one, index) =>
      post(sender, `http://tenant-${from + index}.example:${receiver.port}/`),
    );
    for (const result of await Promise.all(batch)) expect(result.error).toBeNull();
    await eventually(() => expect(open()).toBeLessThanOrEqual(512));
  }
  expect(receiver.connections).toHaveLength(1_000);
  await post(sender, `http://tenant-999.example:${receiver.port}/`);
  expect(receiver.connections).toHaveLength(1_000);
  await post(sender, `http://tenant-0.example:${receiver.port}/`);
  expect(receiver.connections).toHaveLength(1_001);
});

/** Answers each request with the receiver's keep-alive time. */
const keeping =
  (seconds: number) =>
  (socket: Socket): void => {
    socket.write(`HTTP/1.1 200 OK\r\nkeep-alive: timeout=${seconds}\r\ncontent-length: 0\r\n\r\n`);
  };

test('an idle connection is closed after some seconds, or at the time of the receiver’s Keep-Alive', async () => {
  await using lasting = await rawServer(keeping(3_600));
  await using receiver = await rawServer(answering());
  await post(sender, `http://${receiver.host}/`);
  for (let index = 0; index < 100; index += 1) await post(sender, `http://${lasting.host}/`);
  await post(sender, `http://${receiver.host}/`);
  expect(receiver.connections).toHaveLength(1);
  await eventually(() => expect(receiver.connections[0]?.readableEnded).toBe(true));
  await post(sender, `http://${lasting.host}/`);
  expect(lasting.connections).toHaveLength(1);
});

// It may be closed when the next request arrives.
test('a connection that the receiver will close within two seconds is not kept', async () => {
  await using receiver = await rawServer(keeping(2));
  for (let index = 1; index <= 5; index += 1) {
    await post(sender, `http://${receiver.host}/`);
    expect(receiver.connections).toHaveLength(index);
  }
  await eventually(() => expect(receiver.connections.every((socket) => socket.readableEnded)).toBe(true));
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
