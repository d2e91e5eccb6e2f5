import { databaseServices } from '@parley/contracts/services';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { AppError } from '@parley/runtime/errors';
import { addMetricReader } from '@parley/runtime/metrics/metric-values';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Surface, startSurface } from '../fakes/surface.ts';

const workspace = `/v1/workspaces/${known.workspaceId}`;
const customerPath = `${workspace}/customers/${encodeURIComponent(known.customerId)}`;
const conversationPath = `/public/v1/workspaces/${known.workspaceId}/conversations/${known.interactionId}`;

/** Delays an answer until its caller has disconnected. */
function never(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());
beforeEach(() => {
  surface.services.before.clear();
  surface.services.anonymisationContinues = false;
});

describe('a service behind', () => {
  test('that does not answer in time causes a 504', async () => {
    const answered = Promise.withResolvers<void>();
    surface.services.before.set('listBots', () => answered.promise);
    const answer = await surface.call('GET', `${workspace}/bots`);
    answered.resolve();
    expect(answer.envelope()).toMatchObject({ code: 504, type: 'timeout', data: null });
  });

  test('that fails causes a 500 without details', async () => {
    surface.services.before.set('listBots', () => {
      throw new Error('relation "secret_table" does not exist');
    });
    const answer = await surface.call('GET', `${workspace}/bots`);
    expect(answer.envelope()).toMatchObject({
      code: 500,
      type: 'internal',
      detail: 'An internal error occurred',
    });
    expect(answer.text).not.toContain('secret_table');
  });

  test('that rejects with a public error has its error returned, with the faults', async () => {
    const faults = [{ pointer: '/answer', detail: 'There is no such answer' }];
    const errors = [
      ['invalid_argument', 400, 'invalid-request'],
      ['already_exists', 409, 'client-message-id-reused'],
      ['failed_precondition', 409, 'not-started'],
      ['gone', 410, 'conversation-ended'],
      ['unprocessable', 422, 'unanswerable-answer'],
    ] as const;
    const credentials = `Bearer ${await session(surface)}`;
    for (const [code, status, type] of errors) {
      surface.services.before.set('postMessage', () => {
        throw new AppError(code, type, 'Some reason', { faults });
      });
      const body = { clientMessageId: 'm', expectedSeq: 2, stepId: 'score', answer: { value: 9 } };
      const answer = await surface.call('POST', `${conversationPath}/messages`, { body, credentials });
      expect(answer.envelope()).toMatchObject({
        code: status,
        type,
        detail: 'Some reason',
        errors: faults,
      });
    }
  });

  test('that rejects the credential of the gateway causes a 500', async () => {
    surface.services.before.set('listBots', () => {
      throw new AppError('unauthenticated', 'unauthenticated', 'The call has no valid credential');
    });
    expect((await surface.call('GET', `${workspace}/bots`)).status).toBe(500);
  });

  test('that rejects the credential of the gateway makes it not ready', async () => {
    await using foreign = await startSurface({ rpcToken: 'the token of another deployment' });
    const answer = await foreign.call('GET', '/readyz', { credentials: null });
    expect(answer.envelope()).toMatchObject({ code: 503, type: 'unavailable' });
  });
});

test('an anonymisation that takes longer than its call causes a 504 with the path of its progress', async () => {
  surface.services.anonymisationContinues = true;
  const answer = await surface.call('POST', `${customerPath}/anonymise`);
  expect(answer.envelope()).toMatchObject({ code: 504, type: 'anonymisation-continues', data: null });
  expect(answer.envelope().detail).toContain(
    `GET ${workspace}/erasures/${known.erasureId} shows its progress`,
  );
});

describe('an unavailable service behind', () => {
  let lacking: Surface;
  beforeAll(async () => {
    lacking = await startSurface();
    await lacking.services.stop('interaction');
  });
  afterAll(() => lacking[Symbol.asyncDispose]());

  test('causes a 503 with Retry-After, and no partial answer', async () => {
    const answer = await lacking.call('GET', customerPath);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.envelope()).toEqual({
      success: false,
      code: 503,
      detail: 'The service is not available at the moment',
      data: null,
      meta: null,
      type: 'unavailable',
      requestId: answer.headers['x-request-id'],
    });
    expect((await lacking.call('GET', `${workspace}/customers`)).status).toBe(200);
  });

  test('causes a 503 for the audit events, and no gap in them', async () => {
    expect((await lacking.call('GET', `${workspace}/audit-events`)).status).toBe(503);
  });

  test('prevents a change whose answer could not be complete', async () => {
    expect((await lacking.call('PATCH', customerPath, { body: { firstName: 'B' } })).status).toBe(503);
    expect(lacking.services.seen.map(({ method }) => method)).not.toContain('updateCustomer');
  });

  test('causes a landing page that asks to come back', async () => {
    const answer = await lacking.call('GET', `/interactions/${known.linkToken}`, { credentials: null });
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
    });
    expect(answer.text).toContain('<h1>Not available now</h1>');
    expect(answer.text).toMatch(/<script type="module" src="[^"]*\/sdk\/v1\/landing-/);
  });
});

test('the unavailable services are named by /readyz, which is 503 once the gateway can serve nothing', async () => {
  await using stopped = await startSurface();
  const options = { credentials: null };
  const readiness = async (query = '') => (await stopped.call('GET', `/readyz${query}`, options)).envelope();
  await stopped.services.stop('webhook');
  await stopped.services.stop('identity');
  expect(await readiness()).toMatchObject({ code: 200, data: { unavailable: ['identity', 'webhook'] } });
  expect(await readiness('?service=interaction')).toMatchObject({ code: 200, data: { unavailable: [] } });
  expect(await readiness('?service=webhook')).toMatchObject({ code: 503, type: 'unavailable' });
  expect(await readiness('?service=egress')).toMatchObject({ code: 400, type: 'invalid-request' });
  await stopped.services.stop('insight');
  expect(await readiness()).toMatchObject({ data: { unavailable: ['identity', 'webhook', 'insight'] } });
  await stopped.services.stop('interaction');
  expect(await readiness()).toMatchObject({ code: 503, type: 'unavailable' });
  expect((await stopped.call('GET', '/healthz', options)).status).toBe(200);
});

test('services whose database has no space are named by /readyz, which stays 200', async () => {
  using _ = addMetricReader('parley.postgres.disk.full', (report) => report(1));
  await eventually(async () => {
    const answer = await surface.call('GET', '/readyz', { credentials: null });
    expect(answer.envelope()).toMatchObject({
      code: 200,
      data: { unavailable: [], outOfSpace: databaseServices },
    });
  });
});

test('a deployment without an insight service is ready, and /readyz does not name it', async () => {
  const addresses = { ...surface.services.addresses, insight: undefined };
  await using without = await startSurface({ addresses });
  const readiness = async (query = '') =>
    (await without.call('GET', `/readyz${query}`, { credentials: null })).envelope();
  expect(await readiness()).toMatchObject({ code: 200, data: { unavailable: [] } });
  expect(await readiness('?service=insight')).toMatchObject({ code: 503, type: 'unavailable' });
});

describe('long polls', () => {
  test('end when the browser disconnects', async () => {
    let gaveUp = false;
    surface.services.before.set('getConversation', async (signal) => {
      await never(signal);
      gaveUp = true;
    });
    const authorization = `Bearer ${await session(surface)}`;
    const browser = new AbortController();
    const poll = fetch(`${surface.url}${conversationPath}?wait=25`, {
      headers: { authorization },
      signal: browser.signal,
    });
    await eventually(() => expect(surface.services.seen.at(-1)?.method).toBe('getConversation'));
    browser.abort();
    await expect(poll).rejects.toThrow();
    await eventually(() => expect(gaveUp).toBe(true));
  });

  test('end with the unchanged conversation when the service waits longer than asked', async () => {
    surface.services.before.set('getConversation', async (signal) => {
      if (Object(surface.services.seen.at(-1)?.request).waitSeconds > 0) await never(signal);
    });
    const credentials = `Bearer ${await session(surface)}`;
    const answer = await surface.call('GET', `${conversationPath}?wait=1`, { credentials });
    expect(answer.envelope()).toMatchObject({ code: 200, data: { seq: 2 } });
  });

  test('end with the unchanged conversation when the gateway stops, and new connections are refused', async () => {
    await using stopping = await startSurface();
    let isFirst = true;
    stopping.services.before.set('getConversation', async (signal) => {
      const waits = isFirst;
      isFirst = false;
      if (waits) await never(signal);
    });
    const credentials = `Bearer ${await session(stopping)}`;
    const poll = stopping.call('GET', `${conversationPath}?wait=25`, { credentials });
    await eventually(() => expect(stopping.services.seen.at(-1)?.method).toBe('getConversation'));
    const stopped = stopping.stop();
    const answer = await poll;
    expect(answer.envelope()).toMatchObject({ code: 200, data: { seq: 2 } });
    expect(answer.headers['connection']).toBe('close');
    await stopped;
    await expect(stopping.call('GET', '/healthz')).rejects.toThrow();
  });
});

test('what is not HTTP is answered with the envelope too', async () => {
  const sent = {
    400: 'NONSENSE\r\n\r\n',
    431: `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  };
  for (const [status, request] of Object.entries(sent)) {
    const socket = connect(Number(new URL(surface.url).port), '127.0.0.1');
    socket.write(request);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
      success: false,
      code: Number(status),
      data: null,
      meta: null,
    });
  }
});

async function session(surface: Surface): Promise<string> {
  const options = { body: { token: known.linkToken }, credentials: null };
  const answer = await surface.call('POST', '/public/v1/link-sessions', options);
  return Object(answer.envelope().data).sessionToken;
}

test('concurrent requests for the keys of receipts share calls, and none gets an earlier answer', async () => {
  const { before, seen } = surface.services;
  seen.length = 0;
  const asked = () => seen.filter(({ method }) => method === 'listErasureKeys').length;
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  before.set('listErasureKeys', () => gates[asked() - 1]?.promise);
  const get = () => fetch(`${surface.url}/.well-known/parley/erasure-keys`);
  const first = get();
  await eventually(() => expect(asked()).toBe(1));

  // They come after the first call has read the keys.
  const later = Array.from({ length: 20 }, get);
  let answered = 0;
  for (const one of later) void one.finally(() => (answered += 1));
  gates[0]?.resolve();
  expect((await first).status).toBe(200);
  await eventually(() => expect(asked()).toBe(2));
  expect(answered).toBe(0);
  gates[1]?.resolve();
  expect((await Promise.all(later)).map(({ status }) => status)).toEqual(later.map(() => 200));
  // Calls that arrived at the gateway after the second call began share the next one.
  expect(asked()).toBeLessThan(later.length / 2);
  expect((await get()).status).toBe(200);
});
