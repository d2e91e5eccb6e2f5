import { api, basic, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { butRequestId } from './identical.ts';

// Seed: Workspaces, API keys, Authentication. Contract, sections 1 and 2.

interface Workspace {
  id: string;
  name: string;
  allowedDomains: string[];
}

const { baseUrl } = inject('local');
const operator = inject('operator');
const nowhere = '01890000-0000-7000-8000-000000000000';
const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let first: TestWorkspace;
/** Its key can also access `first`. */
let second: TestWorkspace;

beforeAll(async () => {
  first = await createWorkspace(baseUrl, operator, { allowedDomains: ['https://shop.example.com'] });
  second = await createWorkspace(baseUrl, operator, { accessIds: [first.id] });
});

const callsOf = ({ apiKey, apiSecret }: TestWorkspace) => api(`${baseUrl}/v1`, basic(apiKey, apiSecret));

describe('workspaces', () => {
  test('the list has those that the key can access, with exactly three fields, and no paging', async () => {
    const { status, body } = await callsOf(first).get<Workspace[]>('/workspaces');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      code: 200,
      detail: 'Request completed successfully',
      data: [{ id: first.id, name: 'Test', allowedDomains: ['https://shop.example.com'] }],
      meta: null,
    });
    expect(first.id).toMatch(uuidv7);
  });

  test('a key with access to two workspaces lists and accesses both', async () => {
    const { body } = await callsOf(second).get<Workspace[]>('/workspaces');
    expect(body.data.map(({ id }) => id).toSorted()).toEqual([first.id, second.id].toSorted());
    for (const { id } of [first, second]) {
      expect((await callsOf(second).get<Workspace>(`/workspaces/${id}`)).body.data.id).toBe(id);
      expect((await callsOf(second).get(`/workspaces/${id}/customers`)).status).toBe(200);
    }
  });

  test('a single one has the three fields and meta null', async () => {
    const { body } = await callsOf(first).get(`/workspaces/${first.id}`);
    expect(body.data).toEqual({ id: first.id, name: 'Test', allowedDomains: ['https://shop.example.com'] });
    expect(body.meta).toBeNull();
  });

  test('branding is updated in parts, cleared by null, and returned as a whole, with a URL of the logo', async () => {
    const logo = await readFile(new URL('../leaf.png', import.meta.url));
    const asDataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
    const none = {
      displayName: null,
      logoUrl: null,
      accentColor: null,
      endText: null,
      endLink: null,
      privacyText: null,
    };
    const before = await first.api.get('/branding');
    expect(before.body.data).toEqual(none);
    const endLink = { url: 'https://shop.example.com/teas', label: 'Back to the shop' };
    const text = {
      displayName: 'Fog & Leaf',
      accentColor: '#1F5C4A',
      endText: 'Thank you!',
      endLink,
      privacyText: 'Read by us only',
    };
    const { status, body } = await first.api.patch<{ logoUrl: string }>('/branding', {
      ...text,
      logo: asDataUrl(logo),
    });
    const whole = {
      ...text,
      accentColor: '#1f5c4a',
      logoUrl: expect.stringContaining(`/logos/${first.id}/`),
    };
    expect([status, body.data]).toEqual([200, whole]);
    const image = await fetch(body.data.logoUrl);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(logo);

    // The gateway rejects the link, the identity service the image.
    for (const [faulty, pointer] of [
      [{ endLink: { url: 'https://u:p@shop.example.com', label: 'Shop' } }, '/endLink/url'],
      [{ logo: asDataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')) }, '/logo'],
    ] as const) {
      const answer = await first.api.patch('/branding', faulty);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([expect.objectContaining({ pointer })]);
    }
    const stale = await first.api.patch(
      '/branding',
      { endText: 'x' },
      { 'if-match': before.headers.get('etag') ?? '' },
    );
    expect(stale.status).toBe(412);
    const cleared = await first.api.patch('/branding', { logo: null, endLink: null, endText: null });
    expect(cleared.body.data).toEqual({ ...whole, logoUrl: null, endLink: null, endText: null });
    expect((await first.api.get('/branding')).body.data).toEqual(cleared.body.data);
    expect((await second.api.get('/branding')).body.data).toEqual(none);
  });

  test.each([
    ['GET', ''],
    ['GET', '/branding'],
    ['PATCH', '/branding'],
    ['GET', '/customers'],
    ['GET', '/customers/c'],
    ['POST', '/customers'],
    ['PATCH', '/customers/c'],
    ['POST', '/customers/c/anonymise'],
    ['POST', '/customers/c/token'],
    ['GET', '/interactions'],
    ['GET', `/interactions/${nowhere}`],
    ['POST', '/interactions'],
    ['PATCH', `/interactions/${nowhere}`],
    ['GET', '/bots'],
    ['GET', `/bots/${nowhere}`],
    ['POST', '/bots'],
    ['GET', `/bots/${nowhere}/versions`],
    ['POST', `/bots/${nowhere}/versions`],
    ['GET', `/bots/${nowhere}/draft`],
    ['DELETE', `/bots/${nowhere}/draft`],
    ['GET', '/bot-drafts'],
    ['GET', '/bot-templates'],
    ['GET', '/webhooks'],
    ['GET', `/webhooks/${nowhere}`],
    ['POST', '/webhooks'],
    ['PATCH', `/webhooks/${nowhere}`],
    ['DELETE', `/webhooks/${nowhere}`],
    ['POST', `/webhooks/${nowhere}/secret/rotate`],
    ['POST', '/apikeys/rotate'],
    ['POST', '/sdk-secret/rotate'],
  ])('%s %s: a foreign, an unknown and a malformed workspace id are one 404', async (method, path) => {
    const calls = callsOf(first);
    const options = method === 'GET' ? {} : { body: { x: 1 } };
    const answers = await Promise.all(
      [second.id, nowhere, 'no-id'].map((id) => calls.call(method, `/workspaces/${id}${path}`, options)),
    );
    const bodies = answers.map(({ body }) => butRequestId(body));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(bodies[0]).toMatchObject({ success: false, code: 404, data: null, meta: null, type: 'not-found' });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });
});

describe('credentials', () => {
  const right = () => `${first.apiKey}:${first.apiSecret}`;
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each<[string, () => string | undefined]>([
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['another scheme', () => `Bearer ${base64(right())}`],
    ['the scheme alone', () => 'Basic'],
    ['credentials that are not base64', () => 'Basic %%%'],
    ['credentials that are not encoded', () => `Basic ${right()}`],
    ['no colon', () => `Basic ${base64(first.apiKey)}`],
    ['no key', () => `Basic ${base64(`:${first.apiSecret}`)}`],
    ['no secret', () => `Basic ${base64(`${first.apiKey}:`)}`],
    ['key and secret exchanged', () => `Basic ${base64(`${first.apiSecret}:${first.apiKey}`)}`],
    ['an unknown key', () => `Basic ${base64(`prl_key_${'0'.repeat(22)}:${first.apiSecret}`)}`],
    ['the secret of another key', () => `Basic ${base64(`${first.apiKey}:${second.apiSecret}`)}`],
    ['a secret in other letter case', () => `Basic ${base64(right().toUpperCase())}`],
    ['a secret with a space behind it', () => `Basic ${base64(`${right()} `)}`],
    ['a secret with NUL behind it', () => `Basic ${base64(`${right()}\0`)}`],
    ['bytes that are not UTF-8', () => `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0xff]).toString('base64')}`],
    ['credentials twice', () => `Basic ${base64(right())}, Basic ${base64(right())}`],
    ['a very long secret', () => `Basic ${base64(`${first.apiKey}:${'x'.repeat(5000)}`)}`],
  ])('%s: 401, one identical body for all, with a Basic challenge', async (_name, header) => {
    const faulty = await api(`${baseUrl}/v1`, header()).get('/workspaces');
    const { requestId, ...body } = faulty.body;
    expect(faulty.status).toBe(401);
    expect(faulty.headers.get('www-authenticate')).toMatch(/^Basic\b/);
    expect(requestId).toBe(faulty.headers.get('x-request-id'));
    expect(body).toEqual({
      success: false,
      code: 401,
      detail: 'The request has no valid API key and secret',
      data: null,
      meta: null,
      type: 'invalid-credentials',
    });
  });

  test('401 precedes every check of the resource or the body', async () => {
    const calls = api(`${baseUrl}/v1`, undefined);
    const answers = await Promise.all([
      calls.get(`/workspaces/${first.id}`),
      calls.get(`/workspaces/${nowhere}`),
      calls.get(`/workspaces/${first.id}/customers?pageSize=0`),
      calls.post(`/workspaces/${first.id}/customers`, '{'),
      calls.post(`/workspaces/${first.id}/customers`, 'x', { 'content-type': 'text/plain' }),
      calls.post(`/workspaces/${first.id}/apikeys/rotate`, undefined, { 'idempotency-key': 'k' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  test('the scheme is accepted in any letter case', async () => {
    expect((await api(`${baseUrl}/v1`, `bAsIc ${base64(right())}`).get('/workspaces')).status).toBe(200);
  });
});

describe('rotating the secret', () => {
  const rotate = (calls: ReturnType<typeof api>, headers?: Record<string, string>) =>
    calls.post<{ secret: string }>('/apikeys/rotate', undefined, headers);

  test('returns the new secret once, and the old one is invalid at once', async () => {
    const workspace = await createWorkspace(baseUrl, operator);
    let { apiSecret } = workspace;
    for (let round = 0; round < 3; round += 1) {
      const old = api(`${baseUrl}/v1/workspaces/${workspace.id}`, basic(workspace.apiKey, apiSecret));
      // A cache may have the key.
      await Promise.all(Array.from({ length: 5 }, () => old.get('/customers')));
      const { status, body, headers } = await rotate(old);
      expect(status).toBe(200);
      expect(body).toEqual({
        success: true,
        code: 200,
        detail: 'Request completed successfully',
        data: { secret: expect.stringMatching(/^prl_sec_[0-9A-Za-z]{49}$/) as string },
        meta: null,
      });
      expect(headers.get('cache-control')).toBe('no-store');
      const after = await Promise.all([old.get('/customers'), old.get('/customers'), rotate(old)]);
      expect(after.map((answer) => answer.status)).toEqual([401, 401, 401]);
      expect(body.data.secret).not.toBe(apiSecret);
      apiSecret = body.data.secret;
      const fresh = api(`${baseUrl}/v1/workspaces/${workspace.id}`, basic(workspace.apiKey, apiSecret));
      expect((await fresh.get('/customers')).status).toBe(200);
    }
  });

  test('of parallel rotations with one secret, one succeeds, and only its caller gets the new secret', async () => {
    const workspace = await createWorkspace(baseUrl, operator);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(workspace.api)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const secret = won[0]?.body.data.secret ?? '';
    expect((await api(`${baseUrl}/v1`, basic(workspace.apiKey, secret)).get('/workspaces')).status).toBe(200);
    for (const lost of answers.filter(({ status }) => status !== 200)) {
      expect(lost.body).toMatchObject({ code: 401, type: 'invalid-credentials' });
    }
  });

  test('is rejected (403) from a workspace that is not the home of the key, and changes nothing', async () => {
    const away = api(`${baseUrl}/v1/workspaces/${first.id}`, basic(second.apiKey, second.apiSecret));
    const { status, body } = await rotate(away);
    expect([status, body.code, body.success, body.data]).toEqual([403, 403, false, null]);
    expect((await second.api.get('/customers')).status).toBe(200);
  });

  test('is rejected (400) with an Idempotency-Key, and changes nothing', async () => {
    const { status, body } = await rotate(first.api, { 'idempotency-key': 'k-1' });
    expect([status, body.code, body.success]).toEqual([400, 400, false]);
    expect((await first.api.get('/customers')).status).toBe(200);
  });

  test('the SDK secret rotates too: the previous one stays valid, no Idempotency-Key', async () => {
    const { status, body } = await first.api.post<{ kid: string; secret: string }>('/sdk-secret/rotate');
    expect(status).toBe(200);
    expect(Object.keys(body.data).toSorted()).toEqual(['kid', 'secret']);
    const keyed = await first.api.post('/sdk-secret/rotate', undefined, { 'idempotency-key': 'k-2' });
    expect(keyed.status).toBe(400);
  });
});
