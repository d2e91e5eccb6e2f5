import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { known } from '../fakes/known.ts';
import { type Answer, type Surface, startSurface } from '../fakes/surface.ts';

let surface: Surface;
let customerSession: string;
let linkSession: string;

const publicPath = `/public/v1/workspaces/${known.workspaceId}`;
const conversationPath = `${publicPath}/conversations/${known.interactionId}`;
const shop = 'https://shop.example';
const landing = 'https://talk.example';

beforeAll(async () => {
  surface = await startSurface();
  customerSession = await sessionOf('POST', `${publicPath}/sessions`, { customerToken: known.customerToken });
  linkSession = await sessionOf('POST', '/public/v1/link-sessions', { token: known.linkToken });
});
afterAll(() => surface[Symbol.asyncDispose]());

async function sessionOf(method: string, path: string, body: unknown): Promise<string> {
  const answer = await surface.call(method, path, { body, credentials: null });
  return Object(answer.envelope().data).sessionToken;
}

function browse(
  method: string,
  path: string,
  body?: unknown,
  headers = {},
  token = customerSession,
): Promise<Answer> {
  return surface.call(method, path, { body, headers, credentials: `Bearer ${token}` });
}

describe('sessions', () => {
  test('a customer token becomes a session', async () => {
    const body = { customerToken: known.customerToken };
    const answer = await surface.call('POST', `${publicPath}/sessions`, { body, credentials: null });
    const session = { sessionToken: expect.any(String), expiresIn: 900, pollAfter: 60 };
    expect(answer.envelope().data).toEqual(session);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('a wrong customer token is a 401, an unknown workspace a 404', async () => {
    const body = { customerToken: 'wrong' };
    const wrong = await surface.call('POST', `${publicPath}/sessions`, { body, credentials: null });
    expect(wrong.envelope()).toMatchObject({ code: 401, type: 'invalid-customer-token' });
    const unknown = `/public/v1/workspaces/${known.botId}/sessions`;
    expect((await surface.call('POST', unknown, { body, credentials: null })).status).toBe(404);
    expect((await surface.call('POST', '/public/v1/workspaces/nope/sessions', { body })).status).toBe(404);
  });

  test('a customer token becomes a session without branding that cannot be read', async () => {
    const body = { customerToken: known.customerToken };
    surface.services.before.set('getBranding', () => {
      throw new Error('no');
    });
    const { status } = await surface.call('POST', `${publicPath}/sessions`, { body, credentials: null });
    surface.services.before.delete('getBranding');
    expect(status).toBe(200);
  });

  test('a customer token becomes no session if the fence of its customer cannot be read', async () => {
    const body = { customerToken: known.customerToken };
    surface.services.before.set('getFence', () => {
      throw new Error('no');
    });
    const { status } = await surface.call('POST', `${publicPath}/sessions`, { body, credentials: null });
    surface.services.before.delete('getFence');
    expect(status).toBe(500);
  });

  test('a link becomes a session of its interaction; an unknown one and one of a draft are the same 404', async () => {
    const body = { token: known.linkToken };
    const answer = await surface.call('POST', '/public/v1/link-sessions', { body, credentials: null });
    expect(answer.envelope().data).toEqual({
      sessionToken: expect.any(String),
      expiresIn: 900,
      workspaceId: known.workspaceId,
      interactionId: known.interactionId,
      status: 'Pending',
      botName: 'NPS <b>',
    });
    const [unknown, draft] = await Promise.all(
      ['x', known.draftLinkToken].map((token) =>
        surface.call('POST', '/public/v1/link-sessions', {
          body: { token },
          credentials: null,
          headers: { 'x-request-id': 'same' },
        }),
      ),
    );
    expect(unknown?.envelope()).toMatchObject({ code: 404, type: 'not-found' });
    expect(draft?.text).toBe(unknown?.text);
  });

  test('without a valid session every call is the same 401', async () => {
    const unsigned = `${customerSession.split('.').slice(0, 2).join('.')}.AAAA`;
    for (const credentials of [null, 'Bearer x', `Bearer ${unsigned}`, `Basic ${customerSession}`]) {
      const headers = { 'x-request-id': 'same' };
      const answer = await surface.call('GET', `${publicPath}/pending`, { credentials, headers });
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="parley"');
      expect(answer.envelope()).toMatchObject({ code: 401, type: 'invalid-session', requestId: 'same' });
    }
  });

  test('a session of one workspace finds nothing in another', async () => {
    const other = `/public/v1/workspaces/${known.otherWorkspaceId}/conversations/${known.interactionId}`;
    expect((await browse('GET', other)).envelope()).toMatchObject({ code: 404, type: 'not-found' });
  });

  test('an API key is not a session, and a session not an API key', async () => {
    expect((await surface.call('GET', `${publicPath}/pending`)).status).toBe(401);
    expect((await browse('GET', '/v1/workspaces')).status).toBe(401);
  });
});

describe('the conversation', () => {
  const snapshot = {
    status: 'InProgress',
    seq: 2,
    entries: [{ seq: 1, type: 'bot', body: 'Hello', timestamp: 1.5 }],
    input: { stepId: 'score', type: 'nps', required: true, min: 0, max: 10 },
    awaiting: null,
    progress: 0.5,
    expiresAt: '2026-11-21T09:30:00.123000',
    botName: 'NPS <b>',
  };
  const message = { clientMessageId: 'm1', expectedSeq: 2, stepId: 'score', answer: { value: 9 } };
  const asked = (method: string) =>
    Object(surface.services.seen.findLast((seen) => seen.method === method)?.request);

  test('is read, started and answered, each with the snapshot', async () => {
    expect((await browse('GET', conversationPath)).envelope().data).toEqual(snapshot);
    expect((await browse('POST', `${conversationPath}/start`)).envelope().data).toEqual(snapshot);
    expect((await browse('POST', `${conversationPath}/messages`, message)).envelope().data).toEqual(snapshot);
    expect((await browse('GET', `${publicPath}/pending`)).envelope()).toMatchObject({
      code: 200,
      data: null,
    });
  });

  test('no cache may store what a session reads, but its tag works', async () => {
    for (const path of [conversationPath, `${publicPath}/pending`]) {
      const read = await browse('GET', path);
      const tag = String(read.headers['etag']);
      expect([read.status, read.headers['cache-control']]).toEqual([200, 'no-store']);
      const again = await browse('GET', path, undefined, { 'if-none-match': tag });
      expect([again.status, again.headers['cache-control'], again.headers['etag']]).toEqual([
        304,
        'no-store',
        tag,
      ]);
    }
  });

  test('the services get the session of the call', async () => {
    await browse('GET', `${conversationPath}?after=2&wait=1`);
    const { session, after, waitSeconds } = asked('getConversation');
    expect({ after, waitSeconds }).toEqual({ after: 2, waitSeconds: 1 });
    expect(session.subject).toEqual({ $case: 'customerId', value: known.customerId });
    expect(session.fenceVersion).toBe(3);
    await browse('GET', conversationPath, undefined, {}, linkSession);
    const link = { interactionId: known.interactionId, linkVersion: 1, hasEnded: null };
    expect(asked('getConversation').session.subject).toEqual({ $case: 'interaction', value: link });
  });

  test('each form of an answer arrives unchanged', async () => {
    const forms: [object, object][] = [
      [{ value: ['a', 'b'] }, { $case: 'valueJson', value: '["a","b"]' }],
      [{ value: null }, { $case: 'valueJson', value: 'null' }],
      [{ value: false }, { $case: 'valueJson', value: 'false' }],
      [{ text: '' }, { $case: 'text', value: '' }],
      [{ skip: true }, { $case: 'skip', value: true }],
    ];
    for (const [answer, arrived] of forms) {
      expect((await browse('POST', `${conversationPath}/messages`, { ...message, answer })).status).toBe(200);
      expect(asked('postMessage').answer).toEqual(arrived);
    }
  });

  test('an answer that is not exactly one of the forms is a 400', async () => {
    for (const answer of [
      {},
      { value: 1, text: 'a' },
      { skip: false },
      { text: 1 },
      { value: 'a\0' },
      'a',
      null,
    ]) {
      const refused = await browse('POST', `${conversationPath}/messages`, { ...message, answer });
      expect(refused.envelope().errors?.[0]?.pointer, JSON.stringify(answer)).toMatch(/^\/answer/);
    }
  });

  test('bad values of after and wait are a 400', async () => {
    for (const query of ['after=-1', 'after=x', 'wait=26', 'wait=-1', 'wait=1.5', 'wait=']) {
      expect((await browse('GET', `${conversationPath}?${query}`)).status, query).toBe(400);
    }
  });

  test('a stale message is a 409 with the current snapshot', async () => {
    const answer = await browse('POST', `${conversationPath}/messages`, { ...message, expectedSeq: 0 });
    expect(answer.envelope()).toMatchObject({
      success: false,
      code: 409,
      type: 'stale-sequence',
      data: snapshot,
      meta: null,
    });
  });

  test('a body over 16 KiB is a 413, announced or not, and one of 16 KiB is accepted', async () => {
    const text = JSON.stringify(message);
    expect((await browse('POST', `${conversationPath}/messages`, text.padEnd(16 * 1024))).status).toBe(200);
    const large = text.padEnd(16 * 1024 + 1);
    const refused = await browse('POST', `${conversationPath}/messages`, large);
    expect(refused.envelope()).toMatchObject({ code: 413, type: 'body-too-large' });
    expect(refused.envelope().detail).toContain('16 KiB');
    const chunked = await fetch(`${surface.url}${conversationPath}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customerSession}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
    await chunked.text();
    const session = { body: { customerToken: 'x'.repeat(16 * 1024) }, credentials: null };
    expect((await surface.call('POST', `${publicPath}/sessions`, session)).status).toBe(413);
  });

  test('starts in the requested language; body and language are optional', async () => {
    for (const [body, locale] of [
      [undefined, null],
      [{}, null],
      [{ locale: 'pt-BR' }, 'pt-BR'],
      [{ locale: 'zh-Hant-TW-u-nu-latn' }, 'zh-Hant-TW-u-nu-latn'],
    ] as const) {
      expect((await browse('POST', `${conversationPath}/start`, body)).status).toBe(200);
      expect(asked('startConversation').locale).toBe(locale);
    }
    for (const locale of [
      '',
      'e',
      'en_US',
      'en-',
      '<b>',
      `en-${'x'.repeat(9)}`,
      `en${'-abcdefgh'.repeat(4)}`,
      5,
      null,
    ]) {
      const refused = await browse('POST', `${conversationPath}/start`, { locale });
      expect(refused.envelope().errors?.[0]?.pointer, JSON.stringify(locale)).toBe('/locale');
    }
  });
});

describe('CORS', () => {
  const preflight = (path: string, origin: string, method: string) =>
    surface.call('OPTIONS', path, {
      credentials: null,
      headers: { origin, 'access-control-request-method': method },
    });

  test('a preflight from an allowed origin or the landing page gets its headers', async () => {
    for (const origin of [shop, landing]) {
      const answer = await preflight(`${conversationPath}/messages`, origin, 'POST');
      expect(answer.status).toBe(204);
      expect(answer.text).toBe('');
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('the allowed domains are read once for many calls', async () => {
    await preflight(`${conversationPath}/messages`, shop, 'POST');
    surface.services.seen.length = 0;
    for (let calls = 0; calls < 5; calls += 1) await preflight(`${conversationPath}/messages`, shop, 'POST');
    expect(surface.services.seen).toEqual([]);
  });

  test('a foreign origin gets no allow header, and no session', async () => {
    for (const origin of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example',
      'null',
    ]) {
      const asked = await preflight(`${publicPath}/sessions`, origin, 'POST');
      expect(asked.status).toBe(204);
      expect(asked.headers['access-control-allow-origin']).toBeUndefined();
      const body = { customerToken: known.customerToken };
      const refused = await surface.call('POST', `${publicPath}/sessions`, { body, headers: { origin } });
      expect(refused.envelope()).toMatchObject({ code: 403, type: 'foreign-origin' });
      expect(refused.headers['vary']).toBe('Origin');
      const read = await browse('GET', conversationPath, undefined, { origin });
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('an allowed page may read answers, errors included', async () => {
    const answer = await browse('GET', `${conversationPath}?wait=99`, undefined, { origin: shop });
    expect(answer.status).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe(shop);
  });

  test('an allowed page may also read errors of unknown routes', async () => {
    const call = (method: string, path: string, headers = {}) =>
      surface.call(method, path, { credentials: null, headers: { origin: shop, ...headers } });
    const refused: [Promise<Answer>, number][] = [
      [call('GET', conversationPath, { accept: 'text/html' }), 406],
      [call('POST', conversationPath), 405],
      [call('GET', `${conversationPath}/nothing`), 404],
      [call('GET', `${publicPath}/conversations/%ff`), 400],
    ];
    for (const [answered, status] of refused) {
      const { status: given, headers } = await answered;
      expect([given, headers['access-control-allow-origin'], headers['vary']]).toEqual([
        status,
        shop,
        'Origin',
      ]);
      if (status === 405) expect(headers['allow']).toBe('GET, HEAD, OPTIONS');
    }
    for (const path of [`${conversationPath}/nothing`, `${publicPath}/conversations/%ff`]) {
      const asked = await preflight(path, shop, 'GET');
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, shop]);
      const foreign = await preflight(path, 'https://evil.example', 'GET');
      expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
      const read = await call('GET', path, { origin: 'https://evil.example' });
      expect(read.headers['access-control-allow-origin']).toBeUndefined();
    }
    for (const path of [
      '/v1/nothing',
      '/v1/%ff',
      '/public/v1',
      '/public/v1/nothing',
      '/public/v1/workspaces/x/y',
    ]) {
      const { status, headers } = await call('GET', path);
      expect([status >= 400, headers['access-control-allow-origin']]).toEqual([true, undefined]);
    }
  });

  test('only the landing page can use links', async () => {
    const open = (origin: string) =>
      surface.call('POST', '/public/v1/link-sessions', {
        body: { token: known.linkToken },
        headers: { origin },
      });
    expect((await open(landing)).headers['access-control-allow-origin']).toBe(landing);
    expect((await open(shop)).status).toBe(403);
    const asked = await preflight('/public/v1/link-sessions', shop, 'POST');
    expect(asked.headers['access-control-allow-origin']).toBeUndefined();
  });
});
