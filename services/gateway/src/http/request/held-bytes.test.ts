import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@parley/testing/eventually';
import { expect, test } from 'vitest';
import { createHeldBytes } from './held-bytes.ts';
import { type RequestContext, send } from '../answer/request-context.ts';

const refusal = { code: 'resource_exhausted', type: 'rate-limited', retryAfterSeconds: 1 };

test('a client has at most the limit, others are not affected, and released bytes are free again', () => {
  const bytes = createHeldBytes(100);
  const [a, b] = [bytes.of('a'), bytes.of('b')];
  a.hold(60);
  const release = bytes.of('a').hold(30);
  a.require(10);
  expect(() => a.require(11)).toThrow(expect.objectContaining(refusal));
  b.require(100);
  release();
  release();
  a.require(40);
  expect(() => a.require(41)).toThrow(expect.objectContaining(refusal));
});

test('an answer is held until its client has read it, and one that fits into the socket is not', async () => {
  const transfers = createHeldBytes(1).of('a');
  await using stack = new AsyncDisposableStack();
  const server = createServer((request, response) => {
    const context = { request, response, fields: {}, transfers } as unknown as RequestContext;
    send(context, 200, Buffer.alloc(Number(request.headers['x-bytes'])), {});
  });
  stack.defer(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const ask = (bytes: number) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    stack.defer(() => void socket.destroy());
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Bytes: ${bytes}\r\nConnection: close\r\n\r\n`);
    return socket;
  };
  await buffer(ask(1_000));
  transfers.require(1);
  const slow = ask(32 * 1024 * 1024).pause();
  await eventually(() => expect(() => transfers.require(1)).toThrow('in transfer'));
  await buffer(slow);
  await eventually(() => transfers.require(1));
});
