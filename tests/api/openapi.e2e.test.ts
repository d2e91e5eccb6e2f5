import { basic } from '@parley/testing/api';
import { type ApiDocument, Contract } from '@parley/testing/setup/contract';
import { expect, inject, test } from 'vitest';
import { sendHttp } from './http-request.ts';
import { operationsOf } from './operations.ts';

const { baseUrl } = inject('local');

test('the description is public, and has a tag for revalidation', async () => {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await answer.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: '/' }] });
  const tag = answer.headers.get('etag') ?? '';
  const again = await fetch(`${baseUrl}/openapi.json`, { headers: { 'if-none-match': tag } });
  expect(again.status).toBe(304);
  const head = await fetch(`${baseUrl}/openapi.json`, { method: 'HEAD' });
  expect([head.status, head.headers.get('etag')]).toEqual([200, tag]);
  const posted = await fetch(`${baseUrl}/openapi.json`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a local run has ten times the limits of a deployment, a hundred times for browsers, and documents them', () => {
  expect(inject('openapi')['x-limits']).toMatchObject({
    callsPerSecond: 2000,
    callsBurst: 4000,
    sessionsPerMinute: 6000,
    pendingPerMinute: 1200,
    conversationCallsPerMinute: 12_000,
    messagesPerMinute: 3000,
    workspaceLookupsPerMinute: 60_000,
    signInsPerMinute: 30_000,
    authFailuresPerMinute: 1000,
  });
});

test('every example of a conversation works in a local run unchanged, but for a bot without revisions', async () => {
  // No other test uses the interaction of these examples.
  const { apiKey, apiSecret } = inject('local');
  const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as ApiDocument;
  const operations = new Map(operationsOf(description).map((one) => [one.operationId, one]));
  const send = async (operationId: string, authorization?: string, change: object = {}, status = 200) => {
    const { path = '', method = '', parameters, requestBody } = operations.get(operationId) ?? {};
    const given = new Map(parameters?.map(({ name = '', example }) => [name, String(example)]));
    const example = requestBody?.content['application/json'].example;
    const answer = await fetch(
      baseUrl + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given.get(name) ?? ''),
      {
        method,
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        ...(example !== undefined && { body: JSON.stringify({ ...example, ...change }) }),
      },
    );
    const { data, ...rest } = (await answer.json()) as { data: Record<string, string> };
    expect(answer.status, `${operationId} ${JSON.stringify(rest)}`).toBe(status);
    return data;
  };

  const { sessionToken } = await send('createLinkSession');
  const underSession = Array.from(operations.values())
    .filter(({ security }) => security.some((one) => 'session' in one))
    .map(({ operationId }) => operationId);
  expect(underSession).toHaveLength(5);
  for (const operationId of underSession) {
    await send(operationId, `Bearer ${sessionToken}`, {}, operationId === 'reviseAnswer' ? 403 : 200);
  }

  const { customerToken } = await send('createCustomerToken', basic(apiKey, apiSecret));
  await send('createSession', undefined, { customerToken });
});

test('the page needs no other host, runs nothing inline and documents this API', async () => {
  const page = await fetch(`${baseUrl}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  const html = await page.text();
  expect(html).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on[a-z]+=/);
  const named = Array.from(
    html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g),
    ([, url = '']) => url,
  );
  expect(named).toEqual(['docs/reference.css', 'docs/reference.js']);
  for (const { operationId } of operationsOf(inject('openapi'))) {
    expect(html).toContain(`<section class="operation" id="${operationId}"`);
  }
  for (const path of ['docs', ...named]) {
    const asset = await fetch(`${baseUrl}/${path}`);
    expect(asset.status, path).toBe(200);
    const tag = asset.headers.get('etag') ?? '';
    expect((await fetch(asset.url, { headers: { 'if-none-match': tag } })).status, path).toBe(304);
  }
});

test('the key of a local run is on the page only, and only under a loopback name', async () => {
  const { apiKey, apiSecret } = inject('local');
  const shows = async (path: string, host: string) => {
    const { status, text } = await sendHttp(baseUrl, { path, headers: { host } });
    expect(status).toBe(200);
    return text.includes(apiKey) || text.includes(apiSecret);
  };
  const { host, port } = new URL(baseUrl);
  expect(await shows('/docs', host)).toBe(true);
  expect(await shows('/docs', `localhost:${port}`)).toBe(true);
  expect(await shows('/docs', `rebound.example:${port}`)).toBe(false);
  expect(await shows('/openapi.json', host)).toBe(false);
});

test('the page has no other files than those it needs', async () => {
  for (const path of [
    '/docs/package.json',
    '/docs/..%2fpackage.json',
    '/docs/../src/app.ts',
    '/docs/index.html',
  ]) {
    expect((await sendHttp(baseUrl, { path })).status, path).toBe(404);
  }
  expect((await sendHttp(baseUrl, { path: '/docs', method: 'POST' })).status).toBe(405);
});

test('an answer that does not match its description is detected', () => {
  const contract = new Contract(inject('openapi') satisfies ApiDocument);
  const path = `/v1/workspaces/${crypto.randomUUID()}`;
  const data = { id: crypto.randomUUID(), name: 'Shop', allowedDomains: [] };
  const envelope = { success: true, code: 200, detail: 'Request completed successfully', data, meta: null };
  const fields = {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'r',
    etag: `"${'x'.repeat(22)}"`,
    ratelimit: '"key";r=399;t=1',
    'ratelimit-policy': '"key";q=400;w=2',
  };
  const failure = {
    success: false,
    code: 409,
    detail: '',
    data: null,
    meta: null,
    type: 'lost-race',
    requestId: 'r',
  };
  const faultOf = (status: number, body: object, headers: Record<string, string> = fields) =>
    contract.faultOf({
      method: 'GET',
      path,
      status,
      headers: new Headers(headers),
      body: JSON.stringify(body),
    });
  const without = (...names: string[]): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  expect(faultOf(200, envelope)).toBeUndefined();
  expect(faultOf(200, { ...envelope, data: { ...data, secret: 1 } })).toContain('additional properties');
  expect(faultOf(200, { ...envelope, data: { ...data, name: 1 } })).toContain('/data/name must be string');
  expect(faultOf(200, envelope, { ...fields, etag: '' })).toContain('ETag');
  expect(faultOf(200, envelope, without('ratelimit'))).toContain('RateLimit is missing');
  expect(faultOf(200, envelope, { ...fields, 'retry-after': '1' })).toContain('Retry-After is not described');
  expect(faultOf(409, failure)).toContain('the status is not described');
  const others = without('etag');
  const refused = { ...failure, code: 429, type: 'too-many-failures' };
  expect(faultOf(429, refused, { ...others, 'retry-after': '1' })).toBeUndefined();
  expect(faultOf(429, refused, { ...without('etag', 'ratelimit'), 'retry-after': '1' })).toContain(
    'RateLimit is missing',
  );
  expect(faultOf(404, { ...failure, code: 404, type: 'not-found' }, others)).toBeUndefined();
  expect(faultOf(404, { ...failure, code: 404 }, others)).toContain('/type must be equal to one of');
});
