import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { basicOf, type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
beforeAll(async () => {
  surface = await startSurface();
});
afterAll(() => surface[Symbol.asyncDispose]());

const workspace = `/v1/workspaces/${known.workspaceId}`;

describe('credentials', () => {
  test('every fault of the credentials has the same 401', async () => {
    const faults = [
      null,
      'Basic',
      'Basic !!!',
      'Bearer abc',
      basicOf('no colon'),
      basicOf(':'),
      basicOf(`${known.apiKey}:wrong`),
      basicOf(`${known.apiKey}:${known.wrongApiSecret}`),
      basicOf(`prl_key_9999999999999999999999:${known.apiSecret}`),
      `Basic ${Buffer.from([0xff, 0x3a, 0xff]).toString('base64')}`,
    ];
    for (const credentials of faults) {
      const answer = await surface.call('GET', '/v1/workspaces', {
        credentials,
        headers: { 'x-request-id': 'same' },
      });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="parley", charset="UTF-8"');
      expect(answer.envelope()).toEqual({
        success: false,
        code: 401,
        detail: 'The request has no valid API key and secret',
        data: null,
        meta: null,
        type: 'invalid-credentials',
        requestId: 'same',
      });
    }
  });

  test('the scheme is matched in any case', async () => {
    const credentials = basicOf(`${known.apiKey}:${known.apiSecret}`).replace('Basic', 'bAsIc ');
    expect((await surface.call('GET', '/v1/workspaces', { credentials })).status).toBe(200);
  });
});

describe('routes', () => {
  test('a browser at / gets a page whose links work; a program gets the 404 of an unknown route', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await surface.call('GET', '/', { headers: browser, credentials: null });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const links = Array.from(page.text.matchAll(/href="([^"]+)"/g), ([, href = '']) => href);
    expect(links).toEqual(expect.arrayContaining(['/docs', '/guides', '/readyz']));
    expect(links).not.toContain('/demo');
    for (const link of links) {
      const { status } = await surface.call('GET', link, { headers: { accept: '*/*' }, credentials: null });
      expect(status, link).toBe(200);
    }
    for (const accept of ['*/*', 'application/json']) {
      const { status, envelope } = await surface.call('GET', '/', { headers: { accept } });
      expect([status, envelope().type]).toEqual([404, 'unknown-route']);
    }
  });

  test('a browser at an unknown address gets a page; the API and programs get the envelope', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/nowhere', '/docs/nothing', '/%ff', '/logos/x/y.png']) {
      const page = await surface.call('GET', path, { headers: browser, credentials: null });
      expect([page.status, page.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<title>There is no such page</title>');
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      const { envelope } = await surface.call('GET', path, { credentials: null });
      expect(envelope().success, path).toBe(false);
    }
    for (const path of [
      '/v1/nowhere',
      '/public/v1/nowhere',
      '//v1/workspaces',
      '/v2/workspaces',
      '/readyz//x',
      '/v1;x',
    ]) {
      const { envelope } = await surface.call('GET', path, { headers: browser });
      expect(envelope(), path).toMatchObject({ code: 404, type: 'unknown-route' });
    }
    const { envelope } = await surface.call('POST', '/nowhere', { headers: browser });
    expect(envelope()).toMatchObject({ code: 404, type: 'unknown-route' });
  });

  test('a path that is not percent-encoded UTF-8 is a 400', async () => {
    const answer = await surface.call('GET', `${workspace}/customers/%ff`);
    expect(answer.envelope()).toMatchObject({ code: 400, type: 'malformed-path' });
  });

  test('a workspace that the key cannot access is 404, like one that does not exist', async () => {
    const headers = { 'x-request-id': 'same' };
    const foreign = await surface.call('GET', `/v1/workspaces/${known.foreignWorkspaceId}/bots`, { headers });
    const unknown = await surface.call('GET', `/v1/workspaces/${known.botId}/bots`, { headers });
    const absurd = await surface.call('GET', '/v1/workspaces/nope/bots', { headers });
    expect(foreign.status).toBe(404);
    expect(unknown.text).toBe(foreign.text);
    expect(absurd.text).toBe(foreign.text);
  });

  test('a malformed id is not found, without a call to a service', async () => {
    const long = 'x'.repeat(256);
    for (const path of [
      'interactions/nope',
      'bots/1',
      'webhooks/%00',
      `customers/${long}`,
      'customers/a%00b',
    ]) {
      surface.services.seen.length = 0;
      const answer = await surface.call('GET', `${workspace}/${path}`);
      expect(answer.envelope(), path).toMatchObject({ code: 404, type: 'not-found' });
      expect(surface.services.seen.map(({ method }) => method)).toEqual(['authenticate']);
    }
  });
});

describe('bodies', () => {
  describe('a call without a body', () => {
    const customer = `${workspace}/customers/${encodeURIComponent(known.customerId)}`;
    const webhook = `${workspace}/webhooks/${known.webhookId}`;
    const calls = [
      ['POST', `${workspace}/apikeys/rotate`],
      ['POST', `${workspace}/sdk-secret/rotate`],
      ['POST', `${customer}/anonymise`],
      ['POST', `${customer}/token`],
      ['POST', `${webhook}/test`],
      ['DELETE', webhook],
    ] as const;

    test.each(calls)('%s %s rejects a body with content, and has no effect', async (method, path) => {
      const faults = [
        ['{"a":1}', 400, 'invalid-request', ['/a']],
        ['[]', 400, 'invalid-request', ['']],
        ['null', 400, 'invalid-request', ['']],
        ['nonsense', 400, 'malformed-json', ['']],
      ] as const;
      for (const [body, code, type, pointers] of faults) {
        surface.services.seen.length = 0;
        const answer = await surface.call(method, path, { body });
        expect(answer.envelope(), body).toMatchObject({ code, type });
        expect(pointersOf(answer), body).toEqual(pointers);
        expect(surface.services.seen.map(({ method: call }) => call)).toEqual(['authenticate']);
      }
      const typed = await surface.call(method, path, {
        body: 'a=1',
        headers: { 'content-type': 'text/plain' },
      });
      expect(typed.envelope()).toMatchObject({ code: 415, type: 'unsupported-media-type' });
    });

    test('accepts none, an empty chunked one of any type, and the empty object', async () => {
      const path = `${customer}/anonymise`;
      expect((await surface.call('POST', path)).status).toBe(200);
      expect((await surface.call('POST', path, { body: {} })).status).toBe(200);
      const chunked = await fetch(`${surface.url}${path}`, {
        method: 'POST',
        headers: {
          authorization: basicOf(`${known.apiKey}:${known.apiSecret}`),
          'content-type': 'text/plain',
        },
        body: new Blob([]).stream(),
        duplex: 'half',
      });
      expect(await chunked.json()).toMatchObject({ code: 200 });
    });
  });

  test('all faults of a body are reported at once, each with its pointer', async () => {
    const body = { id: '..', firstName: 1, email: 'nope', lastName: '\0', 'a/b~c': true };
    const answer = await surface.call('POST', `${workspace}/customers`, { body });
    expect(answer.envelope()).toMatchObject({ code: 400, type: 'invalid-request' });
    expect(pointersOf(answer)).toEqual(['/a~1b~0c', '/email', '/firstName', '/id', '/lastName']);
  });

  test('a missing body is a fault of the body', async () => {
    const answer = await surface.call('POST', `${workspace}/customers`);
    expect(answer.status).toBe(400);
    expect(pointersOf(answer)).toEqual(['']);
  });

  test('an empty change is rejected', async () => {
    const paths = [
      `customers/${encodeURIComponent(known.customerId)}`,
      `interactions/${known.interactionId}`,
    ];
    for (const path of paths) {
      const answer = await surface.call('PATCH', `${workspace}/${path}`, { body: {} });
      expect(answer.status).toBe(400);
      expect(pointersOf(answer)).toEqual(['']);
    }
  });

  test('the limits of a new interaction apply', async () => {
    const fits = { customerId: 'c', botId: known.botId };
    const refused: [string, object][] = [
      ['/botId', { ...fits, botId: 'nope' }],
      ['/botId', { customerId: 'c' }],
      ['/botKey', { ...fits, botKey: 'nps' }],
      ['/botKey', { customerId: 'c', botKey: 'No Key' }],
      ['/customerId', { botId: known.botId }],
      ['/status', { ...fits, status: 'draft' }],
      ['/priority', { ...fits, priority: null }],
      ['/expiry', { ...fits, expiry: -1 }],
      ['/expiry', { ...fits, expiry: '60' }],
      ['/expiry', { ...fits, expiry: 11 * 366 * 86_400 }],
      ['/context/0/value', { ...fits, context: [{ key: 'k', value: 'é'.repeat(1025) }] }],
      [
        '/context/1/key',
        {
          ...fits,
          context: [
            { key: 'k', value: '' },
            { key: 'k', value: '' },
          ],
        },
      ],
      ['/context', { ...fits, context: manyValues(9) }],
    ];
    for (const [pointer, body] of refused) {
      const answer = await surface.call('POST', `${workspace}/interactions`, { body });
      expect(pointersOf(answer), pointer).toEqual([pointer]);
    }
    const all = await surface.call('POST', `${workspace}/interactions`, { body: { status: 'draft' } });
    expect(pointersOf(all)).toEqual(['/botId', '/customerId', '/status']);
    const infinite = `{"customerId":"c","botId":"${known.botId}","expiry":1e999}`;
    expect(pointersOf(await surface.call('POST', `${workspace}/interactions`, { body: infinite }))).toEqual([
      '/expiry',
    ]);
    const most = { ...fits, expiry: null, context: manyValues(8) };
    expect((await surface.call('POST', `${workspace}/interactions`, { body: most })).status).toBe(200);
  });
});

function manyValues(count: number): { key: string; value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value: 'x'.repeat(2048) }));
}

function pointersOf(answer: { envelope(): { errors?: { pointer: string }[] | undefined } }): string[] {
  return (answer.envelope().errors ?? []).map(({ pointer }) => pointer).sort();
}
