import { api, createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { mintToken, type SdkSecret } from '../customers/customer-token.ts';
import { sendHttp } from './http-request.ts';
import { linkTokenOf, openLink, openSession } from '../conversations/public-sessions.ts';
import { npsBot } from '../conversations/sample-bots.ts';
import { openBrowser } from '../conversations/conversation.ts';

// Contract, section 7: the pages that may call the public API (CORS).

const { baseUrl, landingUrl } = inject('local');
const nowhere = '01890000-0000-7000-8000-000000000000';
const shop = 'https://shop.example.com';

let workspace: TestWorkspace;
let sdk: SdkSecret;
let botId: string;

beforeAll(async () => {
  const allowedDomains = [shop, 'https://www.example.org:8443/', 'http://localhost:5173'];
  workspace = await createWorkspace(baseUrl, inject('operator'), { allowedDomains });
  sdk = (await workspace.api.post<SdkSecret>('/sdk-secret/rotate')).body.data;
  botId = await workspace.publish(npsBot);
  await workspace.api.post('/customers', { id: 'mine' });
});

const create = async (body: object = {}) => {
  const fields = { customerId: 'c', botId, status: 'Pending', ...body };
  return (await workspace.api.post<{ id: string; link: string }>('/interactions', fields)).body.data;
};

describe('origins', () => {
  const inWorkspace = (path: string): string => `/public/v1/workspaces/${workspace.id}${path}`;
  const paths = (): [string, string][] => [
    ['POST', inWorkspace('/sessions')],
    ['GET', inWorkspace('/pending')],
    ['GET', inWorkspace(`/conversations/${nowhere}`)],
    ['POST', inWorkspace(`/conversations/${nowhere}/start`)],
    ['POST', inWorkspace(`/conversations/${nowhere}/messages`)],
  ];
  const preflight = (path: string, origin: string, method: string) =>
    sendHttp(baseUrl, {
      method: 'OPTIONS',
      path,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });
  const corsOf = (headers: object): string[] =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-allow'));

  test.each([shop, 'https://www.example.org:8443', 'http://localhost:5173', landingUrl])(
    'a preflight from %s is 204 without a body and allows the needed methods and fields',
    async (origin) => {
      for (const [method, path] of paths()) {
        const { status, headers, text } = await preflight(path, origin, method);
        expect([status, text]).toEqual([204, '']);
        expect(headers['access-control-allow-origin']).toBe(origin);
        expect(headers['access-control-allow-methods']).toContain(method);
        expect(String(headers['access-control-allow-headers']).toLowerCase()).toContain('authorization');
        expect(String(headers['access-control-allow-headers']).toLowerCase()).toContain('content-type');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers.vary).toMatch(/origin/i);
      }
    },
  );

  test.each([
    'https://evil.example.com',
    'http://shop.example.com',
    'https://shop.example.com:444',
    'https://shop.example.com.evil.com',
    'https://evilshop.example.com',
    'https://www.example.org',
    'null',
    'nonsense',
    '*',
  ])('a preflight from %s has no allow header', async (origin) => {
    for (const [method, path] of [...paths(), ['POST', '/public/v1/link-sessions'] as [string, string]]) {
      const { headers, text } = await preflight(path, origin, method);
      expect([corsOf(headers), text]).toEqual([[], '']);
      expect(headers.vary).toMatch(/origin/i);
    }
  });

  test('errors can be read by an allowed page, too', async () => {
    const calls = api(`${baseUrl}/public/v1/workspaces/${workspace.id}`, undefined);
    const answers = await Promise.all([
      calls.get('/pending', { origin: shop }),
      calls.post('/sessions', { customerToken: 'x' }, { origin: shop }),
      calls.post('/sessions', {}, { origin: shop }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 400]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe(shop);
      expect(headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
    }
  });

  test('a foreign page gets no allow header on calls either', async () => {
    const browser = await openBrowser(baseUrl, workspace, 'mine');
    for (const origin of ['https://evil.example.com', 'null']) {
      const answer = await browser.api.get('/pending', { origin });
      expect(corsOf(Object.fromEntries(answer.headers))).toEqual([]);
      const session = await openSession(baseUrl, workspace.id, mintToken(sdk, workspace.id, 'mine'), {
        origin,
      });
      expect(corsOf(Object.fromEntries(session.headers))).toEqual([]);
    }
  });

  test('a method that the path does not have is 405 for every origin', async () => {
    for (const path of [inWorkspace('/sessions'), '/public/v1/link-sessions']) {
      const headers = { origin: 'https://evil.example' };
      const answer = await sendHttp(baseUrl, { method: 'TRACE', path, headers });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    }
  });

  test('only the landing page can open links', async () => {
    const token = linkTokenOf(await create());
    expect(
      (await openLink(baseUrl, token, { origin: landingUrl })).headers.get('access-control-allow-origin'),
    ).toBe(landingUrl);
    for (const origin of [shop, 'https://evil.example.com']) {
      const answer = await openLink(baseUrl, token, { origin });
      expect(corsOf(Object.fromEntries(answer.headers))).toEqual([]);
      expect(answer.status).toBe(403);
      expect(corsOf((await preflight('/public/v1/link-sessions', origin, 'POST')).headers)).toEqual([]);
    }
    const allowed = await preflight('/public/v1/link-sessions', landingUrl, 'POST');
    expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, landingUrl]);
  });

  test('an unknown workspace allows no page', async () => {
    const path = `/public/v1/workspaces/${nowhere}/sessions`;
    expect(corsOf((await preflight(path, shop, 'POST')).headers)).toEqual([]);
  });
});
