import { eventually } from '@parley/testing/eventually';
import type { Page, Request as Sent } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, type Tab } from './tab.ts';
import { widgetOf } from './widget.ts';

// What is left in the browser: next to nothing while a customer is there, and nothing afterwards.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** All that a page can keep in the browser, by where it is. */
async function keptBy({ page, context }: Pick<Tab, 'page' | 'context'>) {
  const inPage = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    // Not there where a page is not served securely.
    caches: 'caches' in window ? await caches.keys() : [],
  }));
  return { ...inPage, cookies: await context.cookies() };
}

/** Has the page note which panels go. */
async function watchCloses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    window.Parley.widget.on('close', ({ interactionId }) => told.push(interactionId));
  });
}

/** A conversation of a customer that is asked for the score. */
async function startConversation(tab: Tab, customerId: string) {
  const { id } = await shop.create(customerId, { priority: 'Low' });
  const visit = shop.visit({ customerId });
  const widget = widgetOf(tab.page);
  await tab.page.goto(visit.url);
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.option('9').waitFor();
  return { id, visit, widget };
}

/** The calls of the API from now on: all, and those that are under way. */
function watchCalls(page: Page): { begun: string[]; open: () => string[] } {
  const begun: string[] = [];
  // Not by their URLs: a call may end after the next one of the same URL has begun.
  const open = new Set<Sent>();
  page.on('request', (request) => {
    if (!request.url().includes('/public/')) return;
    begun.push(request.url());
    open.add(request);
  });
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => open.delete(request));
  }
  return { begun, open: () => [...open].map((request) => request.url()) };
}

test('during a conversation there are no cookies and no tokens or words kept, only which panel is open', async () => {
  await using tab = await openBrowser();
  const { id, widget } = await startConversation(tab, 'keeps little');
  await widget.option('9').click();
  await widget.hears('main reason');
  const { session, ...rest } = await keptBy(tab);
  expect(rest).toEqual({ local: {}, databases: [], caches: [], cookies: [] });
  const name = `parley:${shop.workspace.id}`;
  expect(Object.keys(session)).toEqual([name]);
  expect(JSON.parse(session[name] as string)).toEqual({ open: id, snooze: {} });
});

test('no call of the API may be kept in the cache of the browser', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.addInitScript(() => {
    const kept: (string | undefined)[] = [];
    const { fetch } = window;
    const watched: typeof fetch = (url, init) => {
      if (new Request(url, init).url.includes('/public/')) kept.push(init?.cache);
      return fetch(url, init);
    };
    Object.assign(window, { kept, fetch: watched });
  });
  const { widget } = await startConversation(tab, 'is not cached');
  await widget.option('9').click();
  await widget.hears('main reason');
  const kept = await page.evaluate(() => window.kept);
  expect(kept.length).toBeGreaterThan(4);
  expect(new Set(kept)).toEqual(new Set(['no-store']));
});

describe.each(['logout', 'destroy'] as const)('%s', (how) => {
  test('takes away what is shown, says so, and ends every call', async () => {
    await using tab = await openBrowser();
    const { page } = tab;
    const calls = watchCalls(page);
    await page.clock.install();
    const { id, widget } = await startConversation(tab, `leaves by ${how}`);
    await watchCloses(page);
    await eventually(() => expect(calls.open()).not.toEqual([]));
    await page.evaluate((how) => window.Parley.widget[how](), how);
    await widget.host.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => window.told)).toEqual([id]);
    await eventually(() => expect(calls.open()).toEqual([]));

    // Neither what happens in the page nor any time that passes wakes it up again.
    const before = calls.begun.length;
    await page.evaluate(() => {
      for (const event of ['focus', 'online']) window.dispatchEvent(new Event(event));
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await page.clock.fastForward('20:00');
    await page.evaluate(() => fetch('/shop.css'));
    expect(calls.begun.length).toBe(before);
    expect(tab.faults).toEqual([]);
  });
});

test('logout leaves nothing in the browser either', async () => {
  await using tab = await openBrowser();
  const { widget } = await startConversation(tab, 'leaves nothing');
  await tab.page.evaluate(() => window.Parley.widget.logout());
  await widget.host.waitFor({ state: 'detached' });
  expect(await keptBy(tab)).toEqual({ local: {}, session: {}, databases: [], caches: [], cookies: [] });
  expect(await tab.page.content()).not.toContain('parley-widget');
});

test.each(['put aside', 'open'])(
  'a log-out by a page load removes the data of a conversation that was %s',
  async (how) => {
    await shop.create(`next ${how}`, { priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    const { id, visit, widget } = await startConversation(tab, `loads a page ${how}`);
    if (how === 'put aside') await widget.button('Close chat').click();
    const session = async () => JSON.stringify((await keptBy(tab)).session);
    expect(await session()).toContain(id);

    visit.logIn(`next ${how}`);
    await page.reload();
    await page.locator('parley-widget .badge').waitFor();
    expect(await session()).not.toContain(id);
    await widget.launcher.click();
    await widget.button('Start').waitFor();
    expect(await session()).not.toBe('{}');

    visit.logIn(undefined);
    await page.reload();
    expect(await page.evaluate(() => window.Parley.widget.check())).toBeNull();
    expect(await session()).toBe('{}');
  },
);

test('after a logout the next customer sees what is theirs, and nothing of the one before', async () => {
  await shop.workspace.api.post('/customers', { id: 'second', firstName: 'Bob' });
  await shop.create('second', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const { visit, widget } = await startConversation(tab, 'first');
  await widget.option('2').click();
  await widget.hears('main reason');
  await page.evaluate(() => window.Parley.widget.logout());
  visit.logIn('second');
  await page.evaluate(() => window.Parley.widget.check());
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.shows('Hi Bob!');
  expect(await widget.panel.textContent()).not.toContain('main reason');
});

test('a page whose customer has changed shows the new one alone, though nobody said so', async () => {
  await shop.create('other person', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const { id, visit, widget } = await startConversation(tab, 'one person');
  await watchCloses(page);
  visit.logIn('other person');
  // The server ends the session: the next call asks the page for a token, which is another customer's.
  await page.route('**/public/v1/**', async (route) => {
    const isOld = route.request().url().includes(id);
    if (isOld) await route.fulfill({ status: 401, contentType: 'application/json', body: '{}' });
    else await route.fallback();
  });
  await widget.option('9').click();
  await page.locator('parley-widget .badge').waitFor();
  expect(await widget.panel.count()).toBe(0);
  expect(await page.evaluate(() => window.told)).toEqual([id]);
  await widget.launcher.click();
  await widget.button('Start').waitFor();
});

test('a page loads the screens once, and again only after a failure', async () => {
  await shop.create('comes and goes', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const loaded: string[] = [];
  await page.route('**/sdk/v1/chunks/**', async (route) => {
    loaded.push(route.request().url());
    if (loaded.length === 1) await route.abort('connectionreset');
    else await route.fallback();
  });
  await page.goto(shop.visit({ customerId: 'comes and goes' }).url);
  await eventually(() => expect(loaded).toHaveLength(1));
  for (let customers = 0; customers < 3; customers += 1) {
    await eventually(async () => {
      expect(await page.evaluate(() => window.Parley.widget.open())).toBe(true);
    });
    await widget.button('Start').waitFor();
    await page.evaluate(() => window.Parley.widget.logout());
    await widget.host.waitFor({ state: 'detached' });
  }
  expect(loaded).toHaveLength(2);
});

test('a widget in a container of the page lives and goes there, also one whose theme is null', async () => {
  await shop.create('contained', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const visit = shop.visit({ page: 'own-script.html', customerId: 'contained' });
  await page.goto(visit.url);
  await page.evaluate((workspaceId) => {
    const { Parley } = window;
    const mine = Parley.init({
      workspaceId,
      container: document.querySelector('#place'),
      theme: null,
      getCustomerToken: async () => {
        const response = await fetch(location.pathname.replace('page', 'token'));
        return ((await response.json()) as { customerToken: string }).customerToken;
      },
    });
    Object.assign(window, { mine });
  }, shop.workspace.id);
  await page.locator('#place > parley-widget .launcher').waitFor();
  await page.evaluate(() => window.mine.destroy());
  await page.locator('parley-widget').waitFor({ state: 'detached' });
  expect(await page.locator('#place').innerHTML()).toBe('');
});
