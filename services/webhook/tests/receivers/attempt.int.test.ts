import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, expect, test } from 'vitest';
import { attemptErrorOf, OwnFault } from '../../src/sending/attempt-error.ts';
import { patient, post as postThrough, rawServer, sending } from './sending.ts';

const sender = sending(patient);
afterAll(() => sender[Symbol.asyncDispose]());
const post = (url: string) => postThrough(sender, url);

test.each([200, 201, 202, 204, 299])('%i is success', async (status) => {
  await using receiver = await startReceiver(() => ({ status }));
  expect(await post(receiver.url)).toMatchObject({ status, error: null });
});

test.each([300, 304, 400, 401, 404, 410, 429, 500, 503])('%i is a failure', async (status) => {
  await using receiver = await startReceiver(() => ({ status }));
  expect(await post(receiver.url)).toMatchObject({ status, error: `http_${status}` });
});

// Outpost and Convoy follow redirects; Outpost counts one that it does not follow as a success.
test.each([301, 302, 303, 307, 308])(
  'a redirect with %i is a failure and is not followed',
  async (status) => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver(() => ({ status, headers: { location: elsewhere.url } }));
    expect(await post(receiver.url)).toMatchObject({ status, error: `http_${status}` });
    expect(elsewhere.requests).toEqual([]);
  },
);

test('the answer is stored unchanged', async () => {
  await using receiver = await startReceiver(() => ({ status: 500, body: 'über\0 all' }));
  expect((await post(receiver.url)).excerpt.toString()).toBe('über\0 all');
});

test('early hints before the answer change nothing', async () => {
  await using server = await rawServer((socket) => {
    socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  });
  expect(await post(`http://${server.host}/`)).toMatchObject({ status: 204, error: null });
});

test('a closed port, an unknown name and a lack of TLS are different errors', async () => {
  const receiver = await startReceiver();
  expect(await post(receiver.url.replace('http:', 'https:'))).toMatchObject({ error: 'tls_protocol' });
  await receiver[Symbol.asyncDispose]();
  expect(await post(receiver.url)).toMatchObject({ error: 'refused' });
  // hookdeck/outpost#314: such deliveries were never retried.
  expect(await post('http://does-not-exist.invalid/')).toMatchObject({ error: 'dns' });
});

test('an unresponsive receiver delays no other attempts at its origin', async () => {
  const answering = Promise.withResolvers<{ status: number }>();
  await using receiver = await startReceiver((request) =>
    request.url === '/hook?hang' ? answering.promise : { status: 200 },
  );
  const hanging = Array.from({ length: 20 }, () => post(`${receiver.url}?hang`));
  expect(await post(receiver.url)).toMatchObject({ status: 200, error: null });
  answering.resolve({ status: 202 });
  for (const result of await Promise.all(hanging)) expect(result).toMatchObject({ status: 202, error: null });
});

test('closing the sender ends attempts in flight without a result', async () => {
  const closing = sending({ totalTimeoutMs: 60_000 });
  const reached = Promise.withResolvers<void>();
  await using receiver = await startReceiver(() => {
    reached.resolve();
    return 'hang';
  });
  const { origin } = new URL(receiver.url);
  const sendBefore = () => Number.POSITIVE_INFINITY;
  const request = { origin, path: '/', headers: {}, body: Buffer.of(), sendBefore };
  const result = closing.post(request);
  await reached.promise;
  await closing[Symbol.asyncDispose]();
  expect(await result).toBeUndefined();
  expect(await closing.post(request)).toBeUndefined();
});

test('an attempt has the latency of its steps, with those of a connection only if it opened one', async () => {
  await using receiver = await startReceiver();
  const known = { durationMs: expect.any(Number), latency: { tlsMs: null, firstByteMs: expect.any(Number) } };
  const first = await post(receiver.url);
  expect(first).toMatchObject(known);
  expect(first.latency).toMatchObject({ dnsMs: expect.any(Number), connectMs: expect.any(Number) });
  const second = await post(receiver.url);
  expect(second).toMatchObject(known);
  expect(second.latency).toMatchObject({ dnsMs: null, connectMs: null });
});

test('a lack of resources on this machine is an own fault', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']) {
    expect(() => attemptErrorOf(Object.assign(new Error(code), { code }))).toThrow(OwnFault);
  }
});

test('errors that a receiver’s address can cause are no own faults', () => {
  for (const code of ['EADDRNOTAVAIL', 'ENETUNREACH', 'EHOSTUNREACH']) {
    expect(attemptErrorOf(Object.assign(new Error(code), { code }))).toBe('refused');
  }
});
