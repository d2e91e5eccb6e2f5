import { execFile, spawnSync } from 'node:child_process';
import { Agent, request, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '@parley/testing/eventually';
import { repeatedly } from '@parley/testing/repeatedly';
import { afterEach, describe, expect, test } from 'vitest';
import { serveHttp } from '../../src/http/server/http-server.ts';
import { startSurface } from '../fakes/surface.ts';

let stack = new AsyncDisposableStack();
afterEach(async () => {
  await stack.disposeAsync();
  stack = new AsyncDisposableStack();
});

interface Asked {
  /** Whether the connection has carried an earlier request. */
  isKept: boolean;
  /** Undefined if the connection broke. */
  status?: number | undefined;
  connection?: string | undefined;
}

/** A client that keeps its connection until the server closes it. */
function clientOf(url: string): (path: string) => Promise<Asked> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  stack.defer(() => agent.destroy());
  return (path) =>
    new Promise((resolve) => {
      const sent = request(url + path, { agent }, (response) => {
        const { statusCode: status, headers } = response;
        const answer = { isKept: sent.reusedSocket, status, connection: headers.connection };
        response.resume().once('end', () => resolve(answer));
      });
      sent.once('error', () => resolve({ isKept: sent.reusedSocket }));
      sent.end();
    });
}

test('a thousand clients connect at once while the event loop is busy', async () => {
  await using server = await serveHttp({ host: '127.0.0.1', port: 0 }, () => {}, { info: () => {} });
  const port = server.address.split(':').at(-1);
  const client = `
    const { connect } = require('node:net');
    let left = 1_000;
    for (let number = left; number > 0; number -= 1)
      connect(${port}, '127.0.0.1').once('connect', () => --left === 0 && process.exit(0));`;
  // Nothing is accepted before it ends.
  const { status } = spawnSync(process.execPath, ['--eval', client], { timeout: 20_000 });
  expect(status).toBe(0);
});

test('new clients wait for a part of the turns of a busy event loop', async () => {
  let heard = 0;
  const count: RequestListener = () => (heard += 1);
  await using server = await serveHttp({ host: '127.0.0.1', port: 0 }, count, { info: () => {} });
  const port = server.address.split(':').at(-1);
  const clients = 64;
  const client = `
    const { connect } = require('node:net');
    let left = ${clients};
    for (let number = left; number > 0; number -= 1)
      connect(${port}, '127.0.0.1').end('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => --left === 0 && process.exit(0));`;
  expect(spawnSync(process.execPath, ['--eval', client], { timeout: 20_000 }).status).toBe(0);
  let turns = 0;
  for (; heard < clients; turns += 1) await setImmediate();
  expect(turns).toBeLessThan(clients / 2);
});

test('a port that another program listens on is refused', async () => {
  const listen = { host: '127.0.0.1', port: 0 };
  await using server = await serveHttp(listen, () => {}, { info: () => {} });
  const port = Number(server.address.split(':').at(-1));
  await expect(serveHttp({ ...listen, port }, () => {}, { info: () => {} })).rejects.toThrow('EADDRINUSE');
});

test('of gateways that start at the same moment, one gets the port', async () => {
  const listen = { host: '127.0.0.1', port: 0 };
  const server = await serveHttp(listen, () => {}, { info: () => {} });
  const port = Number(server.address.split(':').at(-1));
  await server[Symbol.asyncDispose]();
  const module = resolve(import.meta.dirname, '../../src/http/server/http-server.ts');
  // Each starts one again and again, in the same milliseconds, and prints from when to when it had the port.
  const program = `
    const { serveHttp } = await import(${JSON.stringify(module)});
    const { setTimeout } = await import('node:timers/promises');
    const now = () => Number(process.hrtime.bigint() / 1_000n);
    for (let round = 0; round < 100; round += 1) {
      const at = Math.ceil(now() / 20_000) * 20_000;
      await setTimeout(Math.max(0, (at - now()) / 1_000 - 2));
      while (now() < at);
      try {
        const server = await serveHttp({ host: '127.0.0.1', port: ${port} }, () => {}, { info: () => {} });
        const from = now();
        await setTimeout(5);
        console.log(from, now());
        await server[Symbol.asyncDispose]();
      } catch (error) {
        if (error.code !== 'EADDRINUSE') throw error;
      }
    }`;
  const run = promisify(execFile);
  const started = ['--input-type=module', '-e', program];
  const gateways = [1, 2].map(() => run(process.execPath, started, { timeout: 120_000 }));
  const printed = (await Promise.all(gateways)).map(({ stdout }) => stdout.trim().split('\n'));
  const times = printed.map((lines) => lines.map((line) => line.split(' ').map(Number)));
  const [some = [], others = []] = times;
  expect(some.length + others.length).toBeGreaterThan(50);
  const isShared = ([from = 0, to = 0]: number[]): boolean =>
    others.some(([otherFrom = 0, otherTo = 0]) => from < otherTo && otherFrom < to);
  expect(some.filter(isShared)).toEqual([]);
});

describe('a stopping gateway', () => {
  test('announces it on kept connections, and closes them with the answer', async () => {
    const surface = stack.use(await startSurface());
    const [ready, other] = [clientOf(surface.url), clientOf(surface.url)];
    expect((await ready('/readyz')).status).toBe(200);
    expect((await other('/healthz')).status).toBe(200);
    const stopped = surface.stop();
    expect(await ready('/readyz')).toEqual({ isKept: true, status: 503, connection: 'close' });
    // The other client is still connected, so the gateway continues to serve.
    expect(await ready('/readyz')).toEqual({ isKept: false, status: 503, connection: 'close' });
    expect(await other('/healthz')).toEqual({ isKept: true, status: 200, connection: 'close' });
    await stopped;
    expect((await ready('/readyz')).status).toBeUndefined();
  });

  test('breaks no connection with consecutive requests', async () => {
    const surface = stack.use(await startSurface());
    const asked: Asked[] = [];
    const clients = Array.from({ length: 16 }, () => clientOf(surface.url));
    const call = async (ask: (path: string) => Promise<Asked>) => asked.push(await ask('/healthz'));
    const calling = clients.map((ask) => repeatedly(() => call(ask)));
    await eventually(() => expect(asked.length).toBeGreaterThan(500));
    await surface.stop();
    await Promise.all(calling.map(({ stop }) => stop()));
    const kept = asked.filter(({ isKept }) => isKept);
    expect(kept.length).toBeGreaterThan(400);
    expect(kept.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

test('input that is not a request has a log line with id, status and reason, and none of its bytes', async () => {
  const lines: unknown[] = [];
  const logger = { info: (...line: unknown[]) => lines.push(line) };
  const listen = { host: '127.0.0.1', port: 0 };
  const server = stack.use(await serveHttp(listen, (_request, response) => response.end(), logger));
  const refused = [
    ['GET / HTTP/1.1\r\nHost: x\r\nSec ret: x\r\n\r\n', 400, 'HPE_INVALID_HEADER_TOKEN'],
    ['GET / HTTP/1.1\r\nHost: secret\r\nHost: other\r\n\r\n', 400, 'AMBIGUOUS_REQUEST'],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Secret: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HPE_HEADER_OVERFLOW'],
  ] as const;
  for (const [sent, status, reason] of refused) {
    const socket = connect(Number(server.address.split(':')[1]), '127.0.0.1');
    socket.write(sent);
    const requestId = /^X-Request-Id: (\S+)/m.exec(await text(socket))?.[1];
    expect(lines.splice(0)).toEqual([[{ requestId, status, reason }, 'request refused']]);
  }
});

test('an unread answer is dropped', async () => {
  const answer = Buffer.alloc(32 * 1024 * 1024);
  const ended: string[] = [];
  const listener: RequestListener = ({ url }, response) => {
    response.once('close', () => ended.push(`${url} ${response.writableFinished}`)).end(answer);
  };
  const logger = { info: () => undefined };
  const server = stack.use(await serveHttp({ host: '127.0.0.1', port: 0 }, listener, logger, 2_000));
  const port = Number(server.address.split(':')[1]);
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    stack.defer(() => void socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    return socket;
  };
  ask('/unread').pause();
  const read = await buffer(ask('/read'));
  expect(read.length).toBeGreaterThan(answer.length);
  await eventually(() => expect(ended.toSorted()).toEqual(['/read true', '/unread false']));
});

test('a Host that is not a name or address is rejected', async () => {
  const listen = { host: '127.0.0.1', port: 0 };
  const logger = { info: () => {} };
  const server = stack.use(await serveHttp(listen, (_request, response) => response.end(), logger));
  const port = Number(server.address.split(':').at(-1));
  const statusFor = async (host: string, version = '1.1'): Promise<number> => {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET / HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return Number((await text(socket)).split(' ')[1]);
  };
  const names = [
    '',
    'x',
    'api.example.com',
    'x:',
    'x:80',
    '127.0.0.1:3000',
    '[::1]',
    '[::1]:80',
    'a_b.svc',
    '%c3%a9',
  ];
  for (const host of [...names, ' x\t']) expect([host, await statusFor(host)]).toEqual([host, 200]);
  const others = [
    'a b',
    'a b/c@d',
    'u@x',
    'x/',
    'a:b',
    'a:b:c',
    '::1',
    '[::1',
    '[x]',
    '<x>',
    'a,b',
    'x?',
    '%zz',
    'é',
  ];
  for (const host of others) {
    expect([host, await statusFor(host)]).toEqual([host, 400]);
    expect([host, await statusFor(host, '1.0')]).toEqual([host, 400]);
  }
});
