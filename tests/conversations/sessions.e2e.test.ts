import { createHmac } from 'node:crypto';
import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mintToken, type SdkSecret } from '../customers/customer-token.ts';
import { butRequestId } from '../api/identical.ts';
import { openSession } from './public-sessions.ts';
import { npsBot } from './sample-bots.ts';
import { browserWith, openBrowser } from './conversation.ts';

// Contract, section 7: the credentials for a session, and what it can access.

const { baseUrl } = inject('local');
const nowhere = '01890000-0000-7000-8000-000000000000';

let workspace: TestWorkspace;
let other: TestWorkspace;
let sdk: SdkSecret;
let botId: string;

beforeAll(async () => {
  workspace = await createWorkspace(baseUrl, inject('operator'));
  other = await createWorkspace(baseUrl, inject('operator'));
  sdk = (await workspace.api.post<SdkSecret>('/sdk-secret/rotate')).body.data;
  botId = await workspace.publish(npsBot);
});

const create = async (body: object = {}) => {
  const fields = { customerId: 'c', botId, status: 'Pending', ...body };
  return (await workspace.api.post<{ id: string; link: string }>('/interactions', fields)).body.data;
};

describe('a customer token', () => {
  test('signed by the client with the SDK secret opens a session, with three fields', async () => {
    const { status, body } = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, 'c'));
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: {
        sessionToken: expect.any(String) as string,
        expiresIn: expect.any(Number) as number,
        pollAfter: expect.any(Number) as number,
      },
      meta: null,
    });
    expect(body.data.expiresIn).toBeGreaterThan(0);
    const { id } = await create();
    const pending = await browserWith(baseUrl, workspace.id, body.data.sessionToken).api.get('/pending');
    expect(pending.body.data).toMatchObject({ interactionId: id });
  });

  test('fetched from the API is valid too, and has its expiry', async () => {
    await workspace.api.post('/customers', { id: 'fetched' });
    const { status, body } = await workspace.api.post<{ customerToken: string; expiresAt: string }>(
      '/customers/fetched/token',
    );
    expect([status, Object.keys(body.data).toSorted()]).toEqual([200, ['customerToken', 'expiresAt']]);
    expect(body.data.expiresAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/);
    const seconds = (Date.parse(`${body.data.expiresAt}Z`) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    const [, claims = ''] = body.data.customerToken.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: 'fetched',
      aud: `parley:${workspace.id}`,
    });
    expect((await openSession(baseUrl, workspace.id, body.data.customerToken)).status).toBe(200);
  });

  test.each(['a/b', '😀 ü', '客户', "'; --", 'x'.repeat(255)])('for the customer %j', async (id) => {
    const { body } = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, id));
    const { id: interactionId } = await create({ customerId: id });
    const pending = await browserWith(baseUrl, workspace.id, body.data.sessionToken).api.get('/pending');
    expect(pending.body.data).toMatchObject({ interactionId });
  });

  test('for an unknown customer shows nothing and creates no customer', async () => {
    const { status, body } = await openSession(
      baseUrl,
      workspace.id,
      mintToken(sdk, workspace.id, 'not yet'),
    );
    expect(status).toBe(200);
    const pending = await browserWith(baseUrl, workspace.id, body.data.sessionToken).api.get('/pending');
    expect([pending.status, pending.body.data]).toEqual([200, null]);
    expect((await workspace.api.get('/customers/not%20yet')).status).toBe(404);
  });

  const now = Math.floor(Date.now() / 1000);
  const minted = (options: { claims?: object; header?: object }) => () =>
    mintToken(sdk, workspace.id, 'c', options);
  test.each<[string, () => string]>([
    ['of nonsense', () => 'nonsense'],
    ['of three parts of nonsense', () => 'a.b.c'],
    ['without a signature', () => mintToken(sdk, workspace.id, 'c').replace(/[^.]+$/, '')],
    ['with a forged signature', () => mintToken({ ...sdk, secret: 'guess' }, workspace.id, 'c')],
    [
      'signed with the API secret',
      () => mintToken({ ...sdk, secret: workspace.apiSecret }, workspace.id, 'c'),
    ],
    ['signed with nothing', () => mintToken({ ...sdk, secret: '' }, workspace.id, 'c')],
    [
      'changed after signing',
      () => {
        const [header, , signature] = mintToken(sdk, workspace.id, 'c').split('.');
        const [, payload] = mintToken({ ...sdk, secret: 'x' }, workspace.id, 'someone else').split('.');
        return [header, payload, signature].join('.');
      },
    ],
    [
      'of algorithm none',
      () => {
        const [, payload] = mintToken(sdk, workspace.id, 'c').split('.');
        return `${Buffer.from(JSON.stringify({ alg: 'none', kid: sdk.kid })).toString('base64url')}.${payload}.`;
      },
    ],
    ['with algorithm none that is signed', minted({ header: { alg: 'none' } })],
    [
      'of HS512',
      () => {
        const [, payload] = mintToken(sdk, workspace.id, 'c').split('.');
        const header = Buffer.from(JSON.stringify({ alg: 'HS512', kid: sdk.kid })).toString('base64url');
        const signature = createHmac('sha512', sdk.secret).update(`${header}.${payload}`).digest('base64url');
        return `${header}.${payload}.${signature}`;
      },
    ],
    ['without a kid', minted({ header: { kid: undefined } })],
    ['with an unknown kid', minted({ header: { kid: 'other' } })],
    ['with a kid that is a list', minted({ header: { kid: [sdk?.kid] } })],
    ['that has expired', minted({ claims: { iat: now - 7200, exp: now - 3600 } })],
    ['that never expires', minted({ claims: { exp: undefined } })],
    ['with a text as expiry', minted({ claims: { exp: String(now + 600) } })],
    ['that lives for more than 24 hours', minted({ claims: { exp: now + 25 * 3600 } })],
    ['that is not valid yet', minted({ claims: { nbf: now + 3600 } })],
    ['from the future', minted({ claims: { iat: now + 3600, exp: now + 7200 } })],
    ['for nobody', minted({ claims: { sub: undefined } })],
    ['for an empty id', minted({ claims: { sub: '' } })],
    ['for ..', minted({ claims: { sub: '..' } })],
    ['for an id that is a number', minted({ claims: { sub: 5 } })],
    ['for an id of 256 characters', minted({ claims: { sub: 'x'.repeat(256) } })],
    ['without an audience', minted({ claims: { aud: undefined } })],
    [
      'for the workspace without the prefix',
      () => mintToken(sdk, workspace.id, 'c', { claims: { aud: workspace.id } }),
    ],
    ['for another workspace', () => mintToken(sdk, other.id, 'c')],
  ])('%s opens no session: a 401 with the reason', async (_name, token) => {
    const { status, body } = await openSession(baseUrl, workspace.id, token());
    expect(status).toBe(401);
    expect(butRequestId(body)).toEqual({
      success: false,
      code: 401,
      detail: expect.stringMatching(/^The customer token is not valid: it\w* /) as string,
      data: null,
      meta: null,
      type: 'invalid-customer-token',
    });
  });

  test('of one workspace opens no session in another, with any audience', async () => {
    await other.api.post('/sdk-secret/rotate');
    for (const audience of [workspace.id, other.id]) {
      expect((await openSession(baseUrl, other.id, mintToken(sdk, audience, 'c'))).status).toBe(401);
    }
  });

  test('of the secret before the last rotation is valid, of an older one not', async () => {
    const own = await createWorkspace(baseUrl, inject('operator'));
    const secrets: SdkSecret[] = [];
    const statuses = () =>
      Promise.all(
        secrets.map(async (one) => (await openSession(baseUrl, own.id, mintToken(one, own.id, 'c'))).status),
      );
    for (let round = 0; round < 3; round += 1) {
      secrets.push((await own.api.post<SdkSecret>('/sdk-secret/rotate')).body.data);
    }
    expect(await statuses()).toEqual([401, 200, 200]);
  });

  test.each([nowhere, 'no-id'])('in the workspace %s: 404', async (id) => {
    const { status, body } = await openSession(baseUrl, id, mintToken(sdk, workspace.id, 'c'));
    expect([status, body.code, body.data]).toEqual([404, 404, null]);
  });

  test.each<[unknown]>([[undefined], [null], [1], [''], [['x']]])('%j is none: 400', async (token) => {
    const { status, body } = await openSession(baseUrl, workspace.id, token);
    expect([status, body.errors?.map(({ pointer }) => pointer)]).toEqual([400, ['/customerToken']]);
  });
});

describe('a session', () => {
  let interactionId: string;
  beforeAll(async () => {
    interactionId = (await create({ customerId: 'mine' })).id;
  });

  test.each<[string, () => string | undefined]>([
    ['none', () => undefined],
    ['nonsense', () => 'Bearer x'],
    ['an API key', () => basic(workspace.apiKey, workspace.apiSecret)],
    ['an API key as a bearer', () => `Bearer ${workspace.apiKey}:${workspace.apiSecret}`],
    ['a customer token', () => `Bearer ${mintToken(sdk, workspace.id, 'mine')}`],
    [
      'a forged one',
      () =>
        `Bearer ${mintToken(sdk, workspace.id, 'mine', { claims: { aud: 'parley:session', ws: workspace.id } })}`,
    ],
  ])('that is %s: one identical 401 everywhere', async (_name, authorization) => {
    const calls = api(`${baseUrl}/public/v1/workspaces/${workspace.id}`, authorization());
    const answers = await Promise.all([
      calls.get('/pending'),
      calls.get(`/conversations/${interactionId}`),
      calls.get(`/conversations/${nowhere}`),
      calls.post(`/conversations/${interactionId}/start`),
      calls.post(`/conversations/${interactionId}/messages`, {}),
    ]);
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      expect(butRequestId(body)).toMatchObject({
        success: false,
        code: 401,
        data: null,
        meta: null,
        type: 'invalid-session',
      });
    }
  });

  test('is no credential of the API', async () => {
    const { body } = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, 'mine'));
    const calls = api(`${baseUrl}/v1/workspaces/${workspace.id}`, `Bearer ${body.data.sessionToken}`);
    expect((await calls.get('/customers')).status).toBe(401);
  });

  test('reaches its customer’s interactions; drafts, unknown, foreign and malformed ids are one identical 404', async () => {
    const browser = await openBrowser(baseUrl, workspace, 'mine');
    const draft = (await create({ customerId: 'mine', status: 'Draft' })).id;
    const theirs = (await create({ customerId: 'theirs' })).id;
    const otherBot = await other.publish(npsBot);
    const elsewhere = await other.api.post<{ id: string }>('/interactions', {
      customerId: 'mine',
      botId: otherBot,
      status: 'Pending',
    });
    const message = { clientMessageId: 'm', expectedSeq: 0, stepId: 'score', answer: { value: 1 } };
    const bodies = new Set<string>();
    for (const id of [draft, theirs, elsewhere.body.data.id, nowhere, 'no-id']) {
      const answers = await Promise.all([
        browser.api.get(`/conversations/${id}`),
        browser.api.get(`/conversations/${id}?after=0&wait=1`),
        browser.api.post(`/conversations/${id}/start`),
        browser.api.post(`/conversations/${id}/messages`, message),
      ]);
      for (const { status, body } of answers) {
        expect(status).toBe(404);
        bodies.add(JSON.stringify(butRequestId(body)));
      }
    }
    expect(bodies.size).toBe(1);
    expect((await browser.api.get(`/conversations/${interactionId}`)).status).toBe(200);
  });

  test('reaches no other workspace: 404, as for an unknown one', async () => {
    const { body } = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, 'mine'));
    for (const id of [other.id, nowhere, 'no-id']) {
      const { status } = await browserWith(baseUrl, id, body.data.sessionToken).api.get('/pending');
      expect(status).toBe(404);
    }
  });
});

describe('pending', () => {
  const waiting = async (customerId: string) => {
    const { body } = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, customerId));
    const answer = await browserWith(baseUrl, workspace.id, body.data.sessionToken).api.get<{
      interactionId: string;
      more: number;
    } | null>('/pending');
    expect(answer.status).toBe(200);
    return answer.body.data;
  };

  test('is null, or has the nine fields', async () => {
    expect(await waiting('eight')).toBeNull();
    const { id } = await create({ customerId: 'eight', priority: 'High', expiry: 1000 });
    expect(await waiting('eight')).toEqual({
      interactionId: id,
      status: 'Pending',
      type: 'NPS',
      priority: 'High',
      botName: 'NPS follow-up',
      teaser: expect.stringMatching(/^Hi there!/) as string,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+$/) as string,
      more: 0,
      effort: { questionsMin: 2, questionsMax: 4, minutes: 1 },
    });
  });
});
