import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@parley/testing/eventually';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClientOptions,
  createClient,
  NoAnswerError,
  type ParleyError,
  type WorkspaceClient,
} from '../src/client.ts';

// The calls of the client, and its handling of answers that the service gives only under faults.

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Nothing comes behind the body, not even its end. */
  isOpen?: boolean;
}

const ok = { status: 200, body: JSON.stringify({ success: true, code: 200, data: { id: 'x' }, meta: null }) };
const failed = (code: number, type: string, headers?: Record<string, string>): Reply => ({
  status: code,
  ...(headers && { headers }),
  body: JSON.stringify({
    success: false,
    code,
    detail: 'No',
    data: null,
    meta: null,
    type,
    requestId: `r-${code}`,
  }),
});

/** A server that gives these answers in turn and repeats the last one, or cuts the connection. */
async function startServer(...replies: (Reply | 'cut' | 'hang')[]) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const reply = replies[Math.min(requests.push({ method, url, headers }), replies.length) - 1] ?? 'hang';
    if (reply === 'hang') return;
    if (reply === 'cut') response.destroy();
    else if (reply.isOpen) response.writeHead(reply.status, reply.headers).write(reply.body);
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl, apiKey: 'key', apiSecret: 'secret', ...options }).workspace('w');
  return { requests, client, [Symbol.asyncDispose]: close };
}

const fields = { customerId: 'c', botId: 'b' };

test('a creation is retried with the same key after each kind of temporary failure', async () => {
  const passing = [failed(503, 'unavailable'), 'cut', { status: 502, body: '<html>' }, ok] as const;
  await using server = await startServer(...passing);
  expect(await server.client({ retries: 3 }).interactions.create(fields)).toEqual({ id: 'x' });
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
  expect(server.requests[0]?.headers).toMatchObject({
    authorization: `Basic ${btoa('key:secret')}`,
    accept: 'application/json',
    'content-type': 'application/json',
  });
});

test('each creation has a key of its own, or the given one', async () => {
  await using server = await startServer(ok);
  const { interactions } = server.client();
  await interactions.create(fields);
  await interactions.create(fields);
  await interactions.create(fields, { idempotencyKey: 'mine' });
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('a rotation or a retry of a delivery is not repeated when it may have had its effect', async () => {
  for (const reply of ['cut', failed(503, 'unavailable')] as const) {
    for (const call of [
      ({ keys }) => keys.rotateApiKeySecret(),
      ({ webhooks }) => webhooks.rotateSigningSecret('h', { overlapSeconds: 0 }),
      ({ webhooks }) => webhooks.deliveries.retry('h', 'd'),
    ] satisfies ((client: WorkspaceClient) => unknown)[]) {
      await using server = await startServer(reply, ok);
      await expect(call(server.client())).rejects.toMatchObject({ name: 'ParleyError' });
      expect(server.requests).toHaveLength(1);
      expect(server.requests[0]?.headers['idempotency-key']).toBeUndefined();
    }
  }
});

test('a rotation that was rejected without an effect is retried', async () => {
  for (const refusal of [failed(429, 'rate-limited', { 'retry-after': '0' }), failed(409, 'lost-race')]) {
    await using server = await startServer(refusal, ok);
    expect(await server.client().keys.rotateApiKeySecret()).toEqual({ id: 'x' });
    expect(server.requests).toHaveLength(2);
  }
});

test('a change whose answer was lost never reports a conflict with itself', async () => {
  const lost = [
    ['cut', { status: undefined, type: 'no-answer' }],
    [failed(503, 'unavailable', { 'retry-after': '0' }), { status: 503, type: 'unavailable' }],
  ] as const;
  for (const [answer, failure] of lost) {
    for (const conflict of [failed(412, 'precondition-failed'), failed(409, 'illegal-transition')]) {
      await using server = await startServer(answer, failed(429, 'rate-limited'), conflict);
      const given = server.client().customers.update('c', { lastName: 'B' }, { ifMatch: '"1.x"' });
      await expect(given).rejects.toMatchObject(failure);
      expect(server.requests).toHaveLength(3);
    }
  }
});

test('a change without a lost answer reports its conflict', async () => {
  for (const before of [failed(429, 'rate-limited'), failed(409, 'lost-race')]) {
    await using server = await startServer(before, failed(412, 'precondition-failed'));
    const given = server.client().customers.update('c', { lastName: 'B' }, { ifMatch: '"1.x"' });
    await expect(given).rejects.toMatchObject({ status: 412, type: 'precondition-failed' });
  }
});

test('a permanent failure is reported at once, with all fields of the answer', async () => {
  await using server = await startServer(failed(404, 'not-found'));
  const error = await server
    .client()
    .customers.get('a/b')
    .catch((thrown: unknown) => thrown as ParleyError);
  expect(error).toMatchObject({
    status: 404,
    type: 'not-found',
    detail: 'No',
    message: '404 not-found – No',
    requestId: 'r-404',
    errors: [],
    data: null,
  });
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/workspaces/w/customers/a%2Fb']);
});

test('arguments that cannot be sent are a TypeError, and nothing is sent', async () => {
  await using server = await startServer(ok);
  const { customers } = server.client();
  const misspelt = { timeoutMs: 1000, timeout: 1000 };
  for (const given of [
    customers.get(''),
    customers.get('.'),
    customers.get('half a pair \ud800'),
    customers.get('c', { timeoutMs: Number.POSITIVE_INFINITY }),
    customers.get('c', { timeoutMs: 2 ** 31 }),
    customers.get('c', { timeoutMs: 0 }),
    customers.get('c', { timeoutMs: Number.NaN }).answer(),
    customers.create({ id: 'c' }, { idempotencyKey: 'no\nheader' }),
    customers.create({ id: 'c' }, misspelt),
    customers.list({}, misspelt),
  ]) {
    await expect(given).rejects.toBeInstanceOf(TypeError);
  }
  for (const options of [
    { timeoutMs: -1 },
    { timeoutMs: 2 ** 40 },
    { retries: -1 },
    { retries: Number.NaN },
    misspelt,
    { apiKey: '' },
    { apiSecret: '' },
    { apiSecret: undefined as unknown as string },
  ]) {
    expect(() => server.client(options)).toThrow(TypeError);
  }
  expect(server.requests).toEqual([]);
});

test('a call is retried after its Retry-After', async () => {
  await using server = await startServer(failed(429, 'rate-limited', { 'retry-after': '1' }), ok);
  const limited = { status: 429, type: 'rate-limited', retryAfterSeconds: 1 };
  await expect(server.client({ retries: 0 }).customers.get('c')).rejects.toMatchObject(limited);

  await using retried = await startServer(failed(429, 'rate-limited', { 'retry-after': '1' }), ok);
  const startedAt = performance.now();
  expect(await retried.client().customers.get('c')).toEqual({ id: 'x' });
  // Timers may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

test('a Retry-After with a date is respected', async () => {
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 22, 10, 0, seconds)).toUTCString();
  const late = failed(429, 'rate-limited', { date: at(0), 'retry-after': at(61) });
  await using server = await startServer(late);
  await expect(server.client().customers.get('c')).rejects.toMatchObject({ retryAfterSeconds: 61 });
  expect(server.requests).toHaveLength(1);
});

test('a long Retry-After is left to the caller', async () => {
  await using server = await startServer(failed(429, 'too-many-failures', { 'retry-after': '61' }));
  await expect(server.client().customers.get('c')).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 61,
  });
  expect(server.requests).toHaveLength(1);
});

test('an attempt without an answer times out and is retried; the final failure has the reason', async () => {
  await using server = await startServer('hang', ok);
  expect(await server.client({ timeoutMs: 1000 }).customers.get('c')).toEqual({ id: 'x' });

  await using silent = await startServer('hang');
  const given = silent.client({ timeoutMs: 100, retries: 1 }).customers.get('c');
  await expect(given).rejects.toMatchObject({
    status: undefined,
    type: 'no-answer',
    detail: expect.stringMatching(/^There was no answer: .*timeout/),
    cause: { name: 'TimeoutError' },
  });
});

test('an export may be silent for two minutes, or the longer limit of the caller; then it has no answer', async () => {
  const lines = (...all: object[]) => all.map((line) => `${JSON.stringify(line)}\n`).join('');
  const cut = { status: 200, body: lines({ id: 'a', cursor: '1' }), isOpen: true };
  const rest = lines({ id: 'b', cursor: '2' }, { end: true, rows: 1, cursor: '3' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());

  await using server = await startServer(cut, { status: 200, body: rest });
  const rows = server.client().interactions.export()[Symbol.asyncIterator]();
  expect(await rows.next()).toMatchObject({ value: { id: 'a' } });
  let isSettled = false;
  const next = rows.next().finally(() => (isSettled = true));
  await vi.advanceTimersByTimeAsync(119_999);
  expect([isSettled, server.requests.length]).toEqual([false, 1]);
  await vi.waitFor(() => expect(server.requests).toHaveLength(2), 60_000);
  expect(await next).toMatchObject({ value: { id: 'b' } });
  expect(server.requests[1]?.url).toContain('cursor=1');

  await using silent = await startServer(cut);
  const csv = (await silent.client({ timeoutMs: 200_000 }).interactions.export().csv()).getReader();
  await csv.read();
  let failure: unknown;
  const read = csv.read().catch((error: unknown) => (failure = error));
  await vi.advanceTimersByTimeAsync(199_999);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await read;
  expect(failure).toBeInstanceOf(NoAnswerError);
  expect(failure).toMatchObject({
    detail: expect.stringMatching(/timeout$/),
    cause: { name: 'TimeoutError' },
  });
});

test('a failed connection has its reason', async () => {
  const server = await startServer(ok);
  await server[Symbol.asyncDispose]();
  await expect(server.client({ retries: 0 }).customers.get('c')).rejects.toMatchObject({
    type: 'no-answer',
    detail: expect.stringMatching(/^There was no answer: connect ECONNREFUSED 127\.0\.0\.1:\d+$/),
  });
});

test('the number of retries is limited by the option', async () => {
  await using server = await startServer(failed(503, 'unavailable'));
  for (const retries of [0, 1]) {
    const given = server.client({ retries }).customers.get('c');
    await expect(given).rejects.toMatchObject({ status: 503 });
  }
  expect(server.requests).toHaveLength(3);
});

test('a deletion whose answer was lost counts as done when the retry finds nothing', async () => {
  await using server = await startServer('cut', failed(404, 'not-found'));
  expect(await server.client().webhooks.delete('h')).toBeNull();
});

test('a rejected deletion does not count as done, even if the object is then missing', async () => {
  for (const refusal of [failed(429, 'rate-limited', { 'retry-after': '0' }), failed(409, 'lost-race')]) {
    await using server = await startServer(refusal, failed(404, 'not-found'));
    await expect(server.client().webhooks.delete('h')).rejects.toMatchObject({ status: 404 });
    expect(server.requests).toHaveLength(2);
  }
});

test('a redirect is not followed, and an answer of another server is reported as such', async () => {
  await using target = await startServer(ok);
  for (const reply of [
    { status: 307, headers: { location: '/elsewhere' } },
    { status: 200, body: 'hello' },
    { status: 200, body: 'null' },
    { status: 500, body: '' },
  ]) {
    await using server = await startServer(reply, ok);
    await expect(server.client().customers.create({ id: 'c' })).rejects.toMatchObject({
      status: reply.status,
      type: 'unexpected-answer',
    });
    expect(server.requests).toHaveLength(1);
  }
  expect(target.requests).toEqual([]);
});

test('an aborted call rejects with the reason of its signal: before, during and between its attempts', async () => {
  await using silent = await startServer('hang');
  await using away = await startServer(failed(503, 'unavailable', { 'retry-after': '30' }));
  const reason = new Error('not needed any more');
  await expect(silent.client().customers.get('c', { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
  expect(silent.requests).toEqual([]);
  for (const server of [silent, away]) {
    const controller = new AbortController();
    const given = server.client().customers.get('c', { signal: controller.signal });
    const refused = expect(given).rejects.toBe(reason);
    await eventually(() => expect(server.requests).toHaveLength(1));
    controller.abort(reason);
    await refused;
    expect(server.requests).toHaveLength(1);
  }
});

test('answer() returns the header too, and a failure is reported once', async () => {
  const headers = { etag: '"7.x"', 'x-request-id': 'r', 'idempotency-replayed': 'true' };
  await using server = await startServer({ ...ok, headers }, failed(404, 'not-found'));
  const { customers } = server.client();
  const expected = { data: { id: 'x' }, etag: '"7.x"', requestId: 'r', isReplayed: true };
  expect(await customers.get('c').answer()).toEqual(expected);
  await expect(customers.get('c').answer()).rejects.toMatchObject({ status: 404 });
});
