import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { System } from '@parley/local/system';
import { createWorkspace, type TestWorkspace } from '@parley/testing/api';
import { startTestSystem } from '@parley/testing/setup/system';
import type { Page } from 'playwright-core';
import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium, type Tab } from './console-browser.ts';
import { callsOfConsole } from './console-people.ts';
import { sendHttp } from '../api/http-request.ts';
import { type SignInProvider, startSignInProvider } from './sign-in-provider.ts';

// People sign in with a provider (OpenID Connect), in a real browser.

const stack = new AsyncDisposableStack();
let provider: SignInProvider;
let system: System;
let openTab: () => Promise<Tab>;
let baseUrl: string;
let workspace: TestWorkspace;
let firstPage: { status: number; text: string };

beforeAll(async () => {
  openTab = await startChromium(stack);
  provider = stack.use(await startSignInProvider());
  provider.accounts.set('ada', { name: 'Ada', email: 'ada@shop.example', groups: ['admins', 'others'] });
  provider.accounts.set('bob', { name: 'Bob', email: 'bob@shop.example', groups: ['others'] });
  const env = { ...provider.env, OIDC_GROUP_ROLES: 'admins=admin,staff=viewer,ops=operator' };
  system = stack.use(await startTestSystem({ env }));
  ({ baseUrl } = system.local());
  firstPage = await sendHttp(baseUrl, { path: '/console/sign-in', headers: { accept: 'text/html' } });
  provider.allow(`${baseUrl}/console/sign-in/callback`);
  // Identity asks the provider again after a while.
  await eventually(async () => {
    expect((await sendHttp(baseUrl, { path: '/console/sign-in' })).status).toBeLessThan(400);
  });
  workspace = await createWorkspace(baseUrl, system.operator);
});
afterAll(() => stack.disposeAsync());

const signInUrl = () => `${baseUrl}/console/sign-in`;

async function logIn(page: Page, login: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
}

/** Signs in at the console. */
async function signIn({ page }: Pick<Tab, 'page'>, login: string): Promise<void> {
  await page.goto(signInUrl());
  await logIn(page, login);
  await expectConsole(page);
}

async function expectConsole(page: Page): Promise<void> {
  const refusal = page.waitForSelector('text=You are not signed in').then(async () => {
    throw new Error(await page.locator('#parley').innerText());
  });
  await Promise.race([page.waitForURL(`${baseUrl}/console`), refusal]);
  refusal.catch(() => {});
}

async function sessionOf({ context }: Pick<Tab, 'context'>): Promise<string | undefined> {
  const cookie = (await context.cookies(baseUrl)).find(({ name }) => name === 'parley-session');
  return cookie && `parley-session=${cookie.value}`;
}

async function callsOf(tab: Pick<Tab, 'context'>) {
  const cookie = await sessionOf(tab);
  expect(cookie).toBeDefined();
  return callsOfConsole(baseUrl, String(cookie));
}

const customers = () => `/workspaces/${workspace.id}/customers`;
const textOf = ({ page }: Pick<Tab, 'page'>) => page.locator('#parley').innerText();

test('before the provider has ever answered, a page says so with the id of the request', () => {
  expect(firstPage.status).toBe(503);
  expect(firstPage.text).toContain('Sign-in is not available now');
  expect(firstPage.text).toMatch(/quote this reference: <code>[\w-]{36}/);
});

describe('a person signs in', () => {
  test('with the role of a group, and out', async () => {
    await using tab = await openTab();
    await signIn(tab, 'ada');
    const calls = await callsOf(tab);
    const { body } = await calls.get<{ workspaces: { workspaceId: string; role: string }[] }>('/session');
    expect(body.data).toMatchObject({ type: 'person', name: 'Ada', email: 'ada@shop.example' });
    expect(body.data.workspaces).toContainEqual(
      expect.objectContaining({ workspaceId: workspace.id, role: 'admin' }),
    );
    expect((await calls.post(customers(), { id: 'of-ada' })).status).toBe(200);
    expect((await calls.delete('/session')).status).toBe(200);
    expect((await calls.get(customers())).status).toBe(401);
  });

  test('and gets another role, or none, when the groups have changed', async () => {
    const account = { name: 'Cyd', email: 'cyd@shop.example' };
    provider.accounts.set('cyd', { ...account, groups: ['staff'] });
    await using tab = await openTab();
    await signIn(tab, 'cyd');
    const calls = await callsOf(tab);
    expect((await calls.post(customers(), { id: 'of-cyd' })).body.type).toBe('missing-scope');

    provider.accounts.set('cyd', { ...account, groups: ['staff', 'admins'] });
    await using other = await openTab();
    await signIn(other, 'cyd');
    // The session of the first browser has the new role, too.
    expect((await calls.post(customers(), { id: 'of-cyd' })).status).toBe(200);

    provider.accounts.set('cyd', { ...account, groups: [] });
    await other.page.goto(signInUrl());
    await other.page.waitForSelector('text=You are not signed in');
    expect(await textOf(other)).toContain('Cyd is a member of no workspace');
    expect((await calls.get(customers())).status).toBe(404);
  });

  test('and the former session of the browser ends', async () => {
    await using tab = await openTab();
    await signIn(tab, 'ada');
    const former = await callsOf(tab);
    await tab.page.goto(signInUrl());
    await expectConsole(tab.page);
    expect((await former.get('/session')).status).toBe(401);
    expect((await (await callsOf(tab)).get('/session')).status).toBe(200);
  });

  test('as an operator by a group, and is none any more when the groups have changed', async () => {
    const account = { name: 'Olga', email: 'olga@shop.example' };
    provider.accounts.set('olga', { ...account, groups: ['ops'] });
    await using tab = await openTab();
    await tab.page.goto(signInUrl());
    await logIn(tab.page, 'olga');
    await tab.page.waitForURL(`${baseUrl}/console/operator`);
    const calls = await callsOf(tab);
    expect((await calls.get('/session')).body.data).toMatchObject({ isOperator: true, workspaces: [] });
    expect((await calls.get('/deployment')).status).toBe(200);
    expect((await calls.get(customers())).status).toBe(404);

    provider.accounts.set('olga', { ...account, groups: ['staff'] });
    await using other = await openTab();
    await signIn(other, 'olga');
    // The session from before has lost the right, too.
    expect((await calls.get('/deployment')).body.type).toBe('operator-only');
    expect((await calls.get(customers())).status).toBe(200);
  });

  test('not without a group or an invitation', async () => {
    await using tab = await openTab();
    await tab.page.goto(signInUrl());
    await logIn(tab.page, 'bob');
    await tab.page.waitForSelector('text=You are not signed in');
    expect(await textOf(tab)).toContain('Bob is a member of no workspace');
    expect(await sessionOf(tab)).toBeUndefined();
  });

  test('by an invitation, whose link leads to the provider and is valid once', async () => {
    provider.accounts.set('dee', { name: 'Dee', groups: [] });
    const invitation = { email: 'dee@shop.example', role: 'editor', personalData: false } as const;
    const { url, memberId } = await workspace.client.members.invite(invitation);
    await using tab = await openTab();
    await tab.page.goto(url);
    await logIn(tab.page, 'dee');
    await expectConsole(tab.page);
    // Somebody else can have sent the link.
    await tab.page.getByText('With this sign-in you have joined:').waitFor();
    expect(await workspace.client.members.get(memberId)).toMatchObject({
      name: 'Dee',
      status: 'active',
      role: 'editor',
      personalData: false,
    });
    await tab.page.goto(url);
    await tab.page.click('text=Continue as the person of this link');
    await tab.page.waitForSelector('text=This link is not valid any more');
  });

  test('by an invitation to a verified address', async () => {
    provider.accounts.set('eve', { name: 'Eve', email: 'Eve@shop.example', groups: [] });
    provider.accounts.set('eva', { name: 'Eva', email: 'eva@shop.example', isEmailVerified: false });
    await workspace.client.members.invite({ email: 'eve@shop.example', role: 'viewer' });
    await workspace.client.members.invite({ email: 'eva@shop.example', role: 'viewer' });
    await using tab = await openTab();
    await signIn(tab, 'eve');
    await using other = await openTab();
    await other.page.goto(signInUrl());
    await logIn(other.page, 'eva');
    await other.page.waitForSelector('text=Eva is a member of no workspace');
  });

  test('by such invitations: the console names the workspaces, and the person can leave them', async () => {
    const second = await createWorkspace(baseUrl, system.operator);
    provider.accounts.set('gus', { name: 'Gus', email: 'gus@shop.example', groups: [] });
    for (const { client } of [workspace, second]) {
      await client.members.invite({ email: 'gus@shop.example', role: 'viewer' });
    }
    await using tab = await openTab();
    const { page } = tab;
    await signIn(tab, 'gus');
    const notice = page.getByRole('status').filter({ hasText: 'With this sign-in you have joined:' });
    await notice.waitFor();
    expect(await notice.getByRole('link').all()).toHaveLength(2);
    await notice.getByRole('link').last().click();
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`${baseUrl}/console/w/${workspace.id}`);
    const { body } = await (await callsOf(tab)).get<{ workspaces: unknown[] }>('/session');
    expect(body.data.workspaces).toMatchObject([{ workspaceId: workspace.id }]);
    await notice.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await expect.poll(() => notice.count()).toBe(0);
    await page.goto(signInUrl());
    await expectConsole(page);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await expect.poll(() => notice.count()).toBe(0);
  });
});

/** Changes the answer of the provider before the page posts it. */
async function onCallback(page: Page, change: (query: string) => string | Promise<string>): Promise<void> {
  await page.route('**/console/sign-in/callback', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    const { query } = request.postDataJSON() as { query: string };
    return route.continue({ postData: JSON.stringify({ query: await change(query) }) });
  });
}

describe('a sign-in is rejected', () => {
  const notValid = 'text=This sign-in is not valid';

  test('with another state, and of another browser', async () => {
    await using tab = await openTab();
    await onCallback(tab.page, (query) => query.replace(/state=[^&]*/, 'state=another'));
    await tab.page.goto(signInUrl());
    await logIn(tab.page, 'ada');
    await tab.page.waitForSelector(notValid);

    // Somebody else opens the address with the code: login CSRF.
    const { promise: callback, resolve } = Promise.withResolvers<string>();
    await using attacker = await openTab();
    await onCallback(attacker.page, (query) => {
      resolve(query);
      return '';
    });
    await attacker.page.goto(signInUrl());
    await logIn(attacker.page, 'ada');
    await using victim = await openTab();
    await victim.page.goto(`${signInUrl()}/callback?${await callback}`);
    await victim.page.waitForSelector(notValid);
    expect(await sessionOf(victim)).toBeUndefined();
  });

  test('with another nonce', async () => {
    await using tab = await openTab();
    provider.nonce = 'another';
    await tab.page.goto(signInUrl());
    provider.nonce = undefined;
    await logIn(tab.page, 'ada');
    await tab.page.waitForSelector(notValid);
    expect(await sessionOf(tab)).toBeUndefined();
  });

  test('with an expired code, and with one that was used', async () => {
    await using tab = await openTab();
    let used = '';
    await onCallback(tab.page, async (query) => {
      used = query;
      if (provider.hasShortCodes) await provider.expired(String(new URLSearchParams(query).get('code')));
      return query;
    });
    provider.hasShortCodes = true;
    await tab.page.goto(signInUrl());
    await logIn(tab.page, 'ada');
    await tab.page.waitForSelector(notValid);
    provider.hasShortCodes = false;
    await tab.page.goto(signInUrl());
    await expectConsole(tab.page);
    await tab.page.goto(`${signInUrl()}/callback?${used}`);
    await tab.page.waitForSelector(notValid);
  });

  test('when the person cancels it', async () => {
    await using tab = await openTab();
    await tab.page.goto(signInUrl());
    await tab.page.locator('a:has-text("Cancel")').click();
    await tab.page.waitForSelector(notValid);
  });
});

describe('the provider', () => {
  test('may replace its keys at any time', async () => {
    await using before = await openTab();
    await signIn(before, 'ada');
    provider.rotateKeys();
    await using after = await openTab();
    await signIn(after, 'ada');
    expect((await (await callsOf(after)).get(customers())).status).toBe(200);
  });

  test('may be down: who is in stays in, and the end of a sign-in shows a page with the id of the request', async () => {
    await using tab = await openTab();
    await signIn(tab, 'ada');
    const calls = await callsOf(tab);
    await using other = await openTab();
    await onCallback(other.page, async (query) => {
      await provider.stop();
      return query;
    });
    await other.page.goto(signInUrl());
    await logIn(other.page, 'ada');
    await other.page.waitForSelector('text=The sign-in provider does not answer');
    expect(await textOf(other)).toMatch(/quote this reference: [\w-]{36}/);
    expect((await calls.get(customers())).status).toBe(200);
    // It leads to the provider, whose addresses are known.
    const { status } = await fetch(signInUrl(), { redirect: 'manual' });
    expect(status).toBe(303);
    await provider.resume();
    await using third = await openTab();
    await signIn(third, 'ada');
  });
});

describe('a page of another origin', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Prize</title>');
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    ({ port } = server.address() as AddressInfo);
    stack.defer(() => void server.close());
  });
  const countOf = async (): Promise<number> => {
    const { body } = await workspace.api.get('/customers');
    return body.meta?.totalResults ?? 0;
  };

  // The first is same-site, because a site has no port: the browser sends the cookie.
  test.each(['127.0.0.1', 'localhost'])('at %s changes nothing with the cookie of a person', async (host) => {
    await using tab = await openTab();
    await signIn(tab, 'ada');
    const before = await countOf();
    const calls = await callsOf(tab);
    await tab.page.goto(`http://${host}:${port}/`);
    const urls = [`${baseUrl}/v1${customers()}`, `${baseUrl}/v1/session`, `${signInUrl()}/link`];
    const statuses: number[] = [];
    tab.page.on('response', (response) => {
      // Anybody may open the page of a link.
      const isPage = response.url() === urls[2] && response.request().method() === 'GET';
      if (response.url().startsWith(baseUrl) && !isPage) statuses.push(response.status());
    });
    const attack = `(async (urls) => {
      for (const url of urls) {
        for (const method of ['POST', 'DELETE', 'PATCH', 'GET']) {
          for (const headers of [{}, { 'x-parley-console': '1' }, { 'content-type': 'application/json' }]) {
            for (const mode of ['no-cors', 'cors']) {
              const body = method === 'GET' ? undefined : '{"id":"of-an-attacker","code":"x"}';
              await fetch(url, { method, mode, headers, body, credentials: 'include' }).catch(() => {});
            }
          }
        }
      }
    })(${JSON.stringify(urls)})`;
    await tab.page.evaluate(attack);
    // A form and an address in the window: the browser sends cookies with these, too.
    await tab.page.evaluate(`document.body.innerHTML =
      '<form method="post" enctype="text/plain" action="${urls[0]}"><input name="id" value="x"></form>';
      document.forms[0].submit()`);
    await tab.page.waitForURL(String(urls[0]));
    const shown = await tab.page.goto(String(urls[0]));
    expect([shown?.status(), statuses.filter((status) => status < 400)]).toEqual([403, []]);
    expect(await countOf()).toBe(before);
    expect((await calls.get(customers())).status).toBe(200);
  });
});
