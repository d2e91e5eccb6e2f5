import { eventually } from '@parley/testing/eventually';
import type { Page, Request as Sent } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, openTab, type Tab } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Data in the browser: almost none while a customer is logged in, and none afterwards.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** All that a page can store in the browser, by its place. */
async function keptBy({ page, context }: Pick<Tab, 'page' | 'context'>) {
  const inPage = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    // Missing on a page without a secure context.
    caches: 'caches' in window ? await caches.keys() : [],
  }));
  return { ...inPage, cookies: await context.cookies() };
}

/** Records the removed panels in the page. */
async function watchCloses(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: string[] = [];
    Object.assign(window, { noted });
    window.Parley.widget.on('close', ({ interactionId }) => noted.push(interactionId));
  });
}

/** A conversation of a customer at the question for the score. */
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

/** The calls of the API from now on: all, and the pending ones. */
function watchCalls(page: Page): { begun: string[]; open: () => string[] } {
  const begun: string[] = [];
  // Not by their URLs: a call may end after the next one of the same URL has started.
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

test('a conversation stores no cookies, tokens or texts, only the open panel, and no call may be cached', async () => {
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
  const { id, widget } = await startConversation(tab, 'keeps little');
  await widget.option('9').click();
  await widget.botSays('main reason');
  const { session, ...rest } = await keptBy(tab);
  expect(rest).toEqual({ local: {}, databases: [], caches: [], cookies: [] });
  const name = `parley:${shop.workspace.id}`;
  expect(Object.keys(session)).toEqual([name]);
  expect(JSON.parse(session[name] as string)).toEqual({ open: id, snooze: {} });
  const kept = await page.evaluate(() => window.kept);
  expect(kept.length).toBeGreaterThan(4);
  expect(new Set(kept)).toEqual(new Set(['no-store']));
});

test.each([
  ['logout', ', and leaves no data in the browser'],
  ['destroy', ''],
] as const)('%s removes all that is shown, emits an event, ends every call%s', async (how, forgets) => {
  // Its clock is the test's.
  await using tab = await openBrowser({ isFresh: true });
  const { page } = tab;
  const calls = watchCalls(page);
  await page.clock.install();
  const { id, widget } = await startConversation(tab, `leaves by ${how}`);
  await watchCloses(page);
  await eventually(() => expect(calls.open()).not.toEqual([]));
  await page.evaluate((how) => window.Parley.widget[how](), how);
  await widget.host.waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.noted)).toEqual([id]);
  await eventually(() => expect(calls.open()).toEqual([]));
  if (forgets)
    expect(await keptBy(tab)).toEqual({ local: {}, session: {}, databases: [], caches: [], cookies: [] });
  expect(await page.content()).not.toContain('parley-widget');

  // No event in the page and no time restarts it.
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

test('after a logout the next customer sees their own interactions only', async () => {
  await shop.workspace.api.post('/customers', { id: 'second', firstName: 'Bob' });
  await shop.create('second', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const { visit, widget } = await startConversation(tab, 'first');
  await widget.option('2').click();
  await widget.botSays('main reason');
  await page.evaluate(() => window.Parley.widget.logout());
  visit.logIn('second');
  await page.evaluate(() => window.Parley.widget.check());
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.shows('Hi Bob!');
  await expect.poll(() => widget.panel.textContent()).not.toContain('main reason');
});

test('a page whose customer has changed without a logout shows only the new one’s interactions', async () => {
  await shop.create('other person', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const { id, visit, widget } = await startConversation(tab, 'one person');
  await watchCloses(page);
  visit.logIn('other person');
  // The server ends the session: the next call gets a token from the page, which is another customer's.
  await page.route('**/public/v1/**', async (route) => {
    const isOld = route.request().url().includes(id);
    if (isOld) await route.fulfill({ status: 401, contentType: 'application/json', body: '{}' });
    else await route.fallback();
  });
  await widget.option('9').click();
  await page.locator('parley-widget .badge').waitFor();
  await expect.poll(() => widget.panel.count()).toBe(0);
  expect(await page.evaluate(() => window.noted)).toEqual([id]);
  await widget.launcher.click();
  await widget.button('Start').waitFor();
});

/** The first customer's conversation in two tabs of a browser, and the visit that decides who is logged in. */
async function startInTwoTabs(tab: Tab, customerId: string) {
  const { id, visit, widget } = await startConversation(tab, customerId);
  const { page } = await openTab(tab.context);
  const twin = widgetOf(page);
  await page.goto(visit.url);
  await twin.launcher.click();
  await twin.option('9').waitFor();
  return { id, visit, widget, second: page, twin };
}

describe('on a shared computer', () => {
  test('a logout in one tab ends the conversation in every tab at once, although the backend still knows them', async () => {
    await using tab = await openBrowser();
    const { id, visit, second, twin } = await startInTwoTabs(tab, 'leaves two tabs');
    await watchCloses(second);
    const calls = watchCalls(second);
    await tab.page.evaluate(() => window.Parley.widget.logout());
    await twin.host.waitFor({ state: 'detached' });
    expect(await second.evaluate(() => window.noted)).toEqual([id]);
    await eventually(() => expect(calls.open()).toEqual([]));
    expect((await keptBy({ page: second, context: tab.context })).session).toEqual({});
    const { begun } = calls;
    expect(begun).toEqual([]);

    // The next customer's conversation begins when the tab is used.
    await shop.create('comes after two tabs', { priority: 'Low' });
    visit.logIn('comes after two tabs');
    await second.evaluate(() => window.dispatchEvent(new Event('focus')));
    await twin.launcher.click();
    await twin.button('Start').waitFor();
  });

  test.each([
    ['nobody', undefined],
    ['another customer', 'logs in elsewhere'],
  ])(
    'a tab that loads a page for %s ends the former customer’s conversation in the other tabs',
    async (_, next) => {
      await using tab = await openBrowser();
      const { visit, second, twin } = await startInTwoTabs(tab, `leaves for ${next}`);
      const sent: string[] = [];
      second.on('request', (request) => request.url().endsWith('/messages') && sent.push(request.url()));
      if (next) await shop.create(next, { priority: 'Low' });
      visit.logIn(next);
      await tab.page.reload();
      await twin.panel.waitFor({ state: 'detached' });
      expect(await second.content()).not.toContain('How likely');
      expect(sent).toEqual([]);
    },
  );

  test('a tab whose first token is on the way asks again when another tab has another customer', async () => {
    await shop.create('comes after a slow tab', { priority: 'Low' });
    await using tab = await openBrowser();
    const { id, visit } = await startConversation(tab, 'leaves a slow tab');
    const { page } = await openTab(tab.context);
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let asked = 0;
    await page.route('**/token', async (route) => {
      asked += 1;
      if (asked > 1) return route.fallback();
      const response = await route.fetch();
      held.resolve();
      await released.promise;
      return route.fulfill({ response });
    });
    await page.goto(visit.url);
    await held.promise;
    visit.logIn('comes after a slow tab');
    await tab.page.reload();
    await widgetOf(tab.page).launcher.waitFor();
    released.resolve();
    const widget = widgetOf(page);
    await eventually(() => expect(asked).toBe(2));
    await widget.launcher.click();
    await widget.button('Start').waitFor();
    expect(JSON.stringify((await keptBy({ page, context: tab.context })).session)).not.toContain(id);
  });

  test('tabs of one origin may have different customers', async () => {
    await using tab = await openBrowser();
    const { widget } = await startConversation(tab, 'has a tab');
    await shop.create('has another tab', { priority: 'Low' });
    const { page } = await openTab(tab.context);
    const checked = tab.page.waitForResponse(/\/token$/);
    await page.goto(shop.visit({ customerId: 'has another tab' }).url);
    await widgetOf(page).launcher.waitFor();
    await checked;
    await widget.option('9').click();
    await widget.botSays('What is the main reason');
  });

  test.each([
    ['the same customer, whose conversation goes on', true],
    ['nobody, and shows nothing', false],
  ])(
    'a page that the back button restores asks who is there before it shows anything: %s',
    async (_, stays) => {
      await using tab = await openBrowser();
      const { page } = tab;
      const { visit, widget } = await startConversation(tab, `goes back, ${stays}`);
      // Playwright switches the cache off, so the test sends its events.
      const turn = (type: 'pagehide' | 'pageshow') =>
        page.evaluate((type) => {
          window.dispatchEvent(new PageTransitionEvent(type, { persisted: true }));
        }, type);
      await turn('pagehide');
      await expect.poll(() => widget.host.count()).toBe(0);
      if (!stays) visit.logIn(undefined);
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      await page.route('**/token', async (route) => {
        asked.resolve();
        await released.promise;
        return route.fallback();
      });
      await turn('pageshow');
      await asked.promise;
      await expect.poll(() => widget.host.count()).toBe(0);
      released.resolve();
      if (stays) await widget.option('9').waitFor();
      else expect(await page.evaluate(() => window.Parley.widget.check())).toBeNull();
      await expect.poll(() => widget.host.count()).toBe(stays ? 1 : 0);
    },
  );
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
  for (let customers = 0; customers < 2; customers += 1) {
    await eventually(async () => {
      expect(await page.evaluate(() => window.Parley.widget.open())).toBe(true);
    });
    await widget.button('Start').waitFor();
    await page.evaluate(() => window.Parley.widget.logout());
    await widget.host.waitFor({ state: 'detached' });
  }
  expect(loaded).toHaveLength(2);
});

test('a widget can be added to a container of the page and removed, also with a null theme', async () => {
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
