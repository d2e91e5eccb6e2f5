import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { api, basic, createWorkspace, type Envelope, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type HttpAnswer, sendHttp } from './http-request.ts';

// Contract, section 1: the envelope and every status without its own test file.

const { baseUrl } = inject('local');
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let workspace: TestWorkspace;
let authorization: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  authorization = basic(workspace.apiKey, workspace.apiSecret);
  await workspace.api.post('/customers', { id: 'c', firstName: 'Anna' });
});

const inWorkspace = (path: string): string => `/v1/workspaces/${workspace.id}${path}`;
const envelopeOf = ({ text }: HttpAnswer): Envelope<unknown> => JSON.parse(text) as Envelope<unknown>;

/** A raw request with the key. */
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string | Buffer) =>
  sendHttp(baseUrl, {
    method,
    path: inWorkspace(path),
    headers: { authorization, ...headers },
    ...(body && { body }),
  });

const json = { 'content-type': 'application/json' };

/** Every error has this form. */
function expectError(answer: HttpAnswer, status: number, type?: string): Envelope<unknown> {
  const envelope = envelopeOf(answer);
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  const fields = ['success', 'code', 'detail', 'data', 'meta', 'type', 'requestId'];
  expect(Object.keys(envelope).filter((field) => field !== 'errors')).toEqual(fields);
  expect(envelope).toMatchObject({ success: false, code: status, data: null, meta: null });
  expect(envelope.detail).not.toBe('');
  expect(envelope.type).toMatch(/^[a-z]+(-[a-z]+)*$/);
  if (type) expect(envelope.type).toBe(type);
  expect(envelope.requestId).toBe(answer.headers['x-request-id']);
  return envelope;
}

describe('success', () => {
  test.each([
    ['GET', '/customers', undefined],
    ['GET', '/customers/c', undefined],
    ['GET', '/interactions', undefined],
    ['GET', '/bots', undefined],
    ['GET', '/webhooks', undefined],
    ['GET', '', undefined],
    ['PATCH', '/customers/c', '{"lastName":"B"}'],
    ['POST', '/customers', '{"id":"five fields"}'],
    ['POST', '/customers/c/anonymise', undefined],
  ])('%s %s has exactly the five fields, and the request id in the header', async (method, path, body) => {
    const answer = await send(method, path, body ? json : {}, body);
    const envelope = envelopeOf(answer);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(Object.keys(envelope)).toEqual(['success', 'code', 'detail', 'data', 'meta']);
    expect(envelope).toMatchObject({ success: true, code: 200, detail: 'Request completed successfully' });
    expect(answer.headers['x-request-id']).toMatch(uuid);
    expect(answer.headers['x-powered-by']).toBeUndefined();
  });
});

describe('X-Request-Id', () => {
  test.each(['abc', 'A-1.b_2', '01890000-0000-7000-8000-000000000000', 'x'.repeat(128)])(
    '%j is kept',
    async (id) => {
      const good = await send('GET', '/customers', { 'x-request-id': id });
      expect(good.headers['x-request-id']).toBe(id);
      const bad = await send('GET', '/customers?page=0', { 'x-request-id': id });
      expect(expectError(bad, 400).requestId).toBe(id);
    },
  );

  test.each(['', ' ', 'a b', 'x'.repeat(1000), '<script>', 'a,b', 'ü'])('%j is replaced', async (id) => {
    const { headers } = await send('GET', '/customers', { 'x-request-id': id });
    expect(headers['x-request-id']).toMatch(uuid);
  });

  test('is unique for each request', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send('GET', '/customers')));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(10);
  });
});

describe('404', () => {
  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v2/workspaces',
    '/V1/workspaces',
    '/workspaces',
    '/v1/workspaces/',
    '/v1/unknown',
    '//v1/workspaces',
    '/v1/workspaces/../workspaces',
    '/v1//workspaces',
    '/public/v1',
    '/public/v1/unknown',
    '/public/workspaces',
    '/v1/workspaces/x/y/z',
  ])('%s is no route: the envelope, for every method', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expectError(
        await sendHttp(baseUrl, { method, path, headers: { authorization } }),
        404,
        'unknown-route',
      );
    }
  });

  test.each([
    '/customers/',
    '/Customers',
    '/customers/c/',
    '/customers/c/anonymize',
    '/interactions/x/y',
    '/apikeys/',
  ])('%s in a workspace is no route', async (path) => {
    expectError(await send('GET', path), 404, 'unknown-route');
  });

  test('is the same without credentials', async () => {
    for (const path of ['/', '/V1/workspaces', '/v1/unknown', '/public/v1/x', inWorkspace('/nope')])
      expectError(await sendHttp(baseUrl, { path }), 404, 'unknown-route');
  });
});

describe('405', () => {
  test.each([
    ['PUT', '', 'GET, HEAD'],
    ['PUT', '/customers', 'DELETE, GET, HEAD, POST'],
    ['PUT', '/customers/c', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/customers/c', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/customers/c/anonymise', 'POST'],
    ['GET', '/customers/c/anonymise', 'POST'],
    ['HEAD', '/customers/c/anonymise', 'POST'],
    ['GET', '/apikeys/rotate', 'POST'],
    ['PUT', '/interactions', 'DELETE, GET, HEAD, POST'],
    ['POST', '/interactions/x', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/interactions/bulk', 'POST'],
    ['PATCH', '/bots', 'GET, HEAD, POST'],
    ['DELETE', '/bots/x', 'GET, HEAD'],
    ['PUT', '/webhooks/x', 'DELETE, GET, HEAD, PATCH'],
    ['OPTIONS', '/customers', 'DELETE, GET, HEAD, POST'],
    ['TRACE', '/customers', 'DELETE, GET, HEAD, POST'],
    ['PROPFIND', '/customers', 'DELETE, GET, HEAD, POST'],
  ])('%s %s lists the allowed methods', async (method, path, allowed) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(405);
    expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(allowed.split(', '));
    if (method !== 'HEAD') expectError(answer, 405, 'method-not-allowed');
  });

  test('is the same without credentials', async () => {
    const answer = await sendHttp(baseUrl, { method: 'PUT', path: inWorkspace('/customers') });
    expectError(answer, 405, 'method-not-allowed');
    expect(answer.headers.allow).toBe('GET, HEAD, POST, DELETE');
  });

  test('of the workspaces and the public API', async () => {
    for (const [path, allowed] of [
      ['/v1/workspaces', 'GET, HEAD'],
      ['/public/v1/link-sessions', 'POST, OPTIONS'],
      [`/public/v1/workspaces/${workspace.id}/sessions`, 'POST, OPTIONS'],
      [`/public/v1/workspaces/${workspace.id}/pending`, 'GET, HEAD, OPTIONS'],
    ] as const) {
      const answer = await sendHttp(baseUrl, { method: 'DELETE', path, headers: { authorization } });
      expectError(answer, 405, 'method-not-allowed');
      expect(answer.headers.allow).toBe(allowed);
    }
  });
});

describe('406', () => {
  test.each([
    'text/html',
    'image/*',
    'application/xml',
    'application/json;q=0',
    'text/plain, text/html;q=0.5',
  ])('Accept: %s excludes JSON; the error is still JSON', async (accept) => {
    expectError(await send('GET', '/customers', { accept }), 406, 'not-acceptable');
  });

  test.each([
    '*/*',
    'application/*',
    'application/json',
    'text/html, */*;q=0.1',
    'text/html, application/json;q=0.1',
    'Application/JSON; charset=utf-8',
  ])('Accept: %s includes it', async (accept) => {
    expect((await send('GET', '/customers', { accept })).status).toBe(200);
  });

  test('is checked before any effect', async () => {
    const { status } = await send(
      'POST',
      '/customers',
      { ...json, accept: 'text/html' },
      '{"id":"not accepted"}',
    );
    expect(status).toBe(406);
    expect((await send('GET', '/customers/not%20accepted')).status).toBe(404);
  });
});

describe('413', () => {
  const limit = 256 * 1024;
  const bodyOf = (bytes: number): string => `{"id":"big"${' '.repeat(bytes - 12)}}`;

  test('a body of 256 KiB is accepted, one byte more is rejected', async () => {
    expect((await send('POST', '/customers', json, bodyOf(limit))).status).toBe(200);
    expectError(await send('POST', '/customers', json, bodyOf(limit + 1)), 413, 'body-too-large');
  });

  test('in chunks of unknown length too', async () => {
    const headers = { ...json, 'transfer-encoding': 'chunked' };
    expectError(await send('POST', '/customers', headers, bodyOf(limit + 1)), 413);
  });

  test('is answered before a slow body, although the connection closes', async () => {
    const { hostname, port } = new URL(baseUrl);
    const headers = { ...json, authorization, connection: 'close', 'content-length': String(limit + 1) };
    const sent = request({ hostname, port, method: 'POST', path: inWorkspace('/customers'), headers });
    sent.flushHeaders();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(await readText(answer))).toMatchObject({ code: 413, type: 'body-too-large' });
    sent.destroy();
  });

  test('is answered although the connection closes while the body is on its way', async () => {
    const headers = { ...json, connection: 'close' };
    const calls = Array.from({ length: 10 }, () =>
      send('POST', '/customers', headers, Buffer.alloc(3_000_000, ' ')),
    );
    for (const answer of await Promise.all(calls)) expectError(answer, 413);
  });

  test('for PATCH, for interactions and for a call without a body too', async () => {
    expectError(await send('PATCH', '/customers/c', json, bodyOf(limit + 1)), 413);
    expectError(await send('POST', '/apikeys/rotate', json, bodyOf(limit + 1)), 413);
    expectError(await send('POST', '/interactions', json, bodyOf(limit + 1)), 413);
  });
});

describe('415', () => {
  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonp'],
    ['json'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=iso-8859-1'],
    [''],
  ])('a body of type %j', async (type) => {
    const created = await send('POST', '/customers', { 'content-type': type }, '{"id":"typed"}');
    expectError(created, 415, 'unsupported-media-type');
    expectError(await send('PATCH', '/customers/c', { 'content-type': type }, '{"firstName":"x"}'), 415);
  });

  test('a body without a type, and one that is compressed', async () => {
    expectError(await send('POST', '/customers', {}, '{"id":"typed"}'), 415);
    expectError(
      await send('POST', '/customers', { ...json, 'content-encoding': 'gzip' }, Buffer.from('x')),
      415,
    );
  });

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('%s is JSON', async (type) => {
    expect((await send('PATCH', '/customers/c', { 'content-type': type }, '{"firstName":"x"}')).status).toBe(
      200,
    );
  });
});

describe('400 for a body that cannot be read', () => {
  test.each<[string, string | Buffer]>([
    ['an open brace', '{'],
    ['a field without a value', '{"id":}'],
    ['a trailing comma', '{"id":"x",}'],
    ['single quotes', "{'id':'x'}"],
    ['a comment', '{"id":"x"}//'],
    ['two values', '{"id":"x"}{"id":"y"}'],
    ['NaN', '{"id":NaN}'],
    ['a raw line end in a text', '{"id":"a\nb"}'],
    ['blank space', '   '],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x69, 0x64, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['UTF-16', Buffer.from('{"id":"x"}', 'utf16le')],
    ['a hundred levels', '['.repeat(100) + ']'.repeat(100)],
    ['a thousand levels', '['.repeat(1000) + ']'.repeat(1000)],
    ['a hundred thousand levels', '['.repeat(100_000)],
  ])('%s', async (_name, body) => {
    const envelope = expectError(await send('POST', '/customers', json, body), 400, 'malformed-json');
    expect(envelope.detail).not.toMatch(/position|token|stack/i);
  });

  test('names of the object prototype are unknown fields too', async () => {
    for (const field of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const answer = await send(
        'POST',
        '/customers',
        json,
        `{"id":"proto ${field}","${field}":{"firstName":"x"}}`,
      );
      const envelope = expectError(answer, 400);
      expect(envelope.errors?.map(({ pointer }) => pointer)).toEqual([`/${field}`]);
    }
  });

  test('a repeated field is rejected, with its place', async () => {
    const answer = await send(
      'POST',
      '/customers',
      json,
      '{"id":"twice","firstName":"one","firstName":"two"}',
    );
    const { errors } = expectError(answer, 400, 'malformed-json');
    expect(errors).toEqual([{ pointer: '/firstName', detail: 'Is repeated' }]);
  });

  test('every fault has a pointer and a text, and other errors have no list', async () => {
    const faulty = await workspace.api.post('/customers', { id: 1, firstName: 2, lastName: 3, email: 4 });
    for (const fault of faulty.body.errors ?? []) expect(Object.keys(fault)).toEqual(['pointer', 'detail']);
    expect(faulty.body.errors).toHaveLength(4);
    const missing = await workspace.api.get('/customers/nobody');
    expect(missing.body).not.toHaveProperty('errors');
  });
});

describe('HEAD', () => {
  test.each([
    '/customers',
    '/customers/c',
    '/interactions',
    '/bots',
    '/webhooks',
    '',
    '/customers/nobody',
    '/customers?page=0',
  ])('%s returns the header of GET without the body', async (path) => {
    const id = { 'x-request-id': 'head' };
    const [get, head] = [await send('GET', path, id), await send('HEAD', path, id)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    const changing = ['date', 'ratelimit', 'connection', 'keep-alive'];
    const kept = (answer: HttpAnswer) =>
      Object.entries(answer.headers).filter(([name]) => !changing.includes(name));
    expect(Object.fromEntries(kept(head))).toEqual(Object.fromEntries(kept(get)));
  });
});

describe('the rate limit', () => {
  test('has the fields of the IETF draft, on success and on errors', async () => {
    for (const path of ['/customers', '/customers/nobody']) {
      const { headers } = await send('GET', path);
      expect(headers['ratelimit-policy']).toMatch(/^"[\w-]+";q=\d+(;w=\d+)?/);
      expect(headers['ratelimit']).toMatch(/^"[\w-]+";r=\d+(;t=\d+)?/);
    }
  });
});

describe('HTTP', () => {
  test('a request with an unexpected body is answered', async () => {
    expect((await send('GET', '/customers', { ...json, 'content-length': '2' }, '{}')).status).toBe(200);
    expect((await send('POST', '/customers/c/anonymise', json, '{}')).status).toBe(200);
  });

  test('Expect: 100-continue does not stop a client that waits for it', async () => {
    const answer = await send(
      'PATCH',
      '/customers/c',
      { ...json, expect: '100-continue' },
      '{"firstName":"x"}',
    );
    expect(answer.status).toBe(200);
  });

  test('header fields that are too large are rejected in the envelope', async () => {
    const answer = await send('GET', '/customers', { 'x-large': 'x'.repeat(20_000) });
    expectError(answer, 431);
  });

  test('no cache may store errors', async () => {
    const answer = await api(`${baseUrl}/v1`, undefined).get('/workspaces');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('the API sends no CORS headers', async () => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await send(method, '/customers', {
        origin: 'http://127.0.0.1:3000',
        'access-control-request-method': 'GET',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});
