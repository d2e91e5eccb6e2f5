import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { focused } from '../keyboard.ts';
import { mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { narrow, openBrowser, openTab } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// The display of an interaction that waits: by its priority, without disturbing the page.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('without a waiting interaction nothing is shown, and only the loader is loaded', async () => {
  await shop.workspace.api.post('/customers', { id: 'nothing waits' });
  await using tab = await openBrowser();
  const loaded: string[] = [];
  tab.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  const asked = tab.page.waitForResponse(/\/pending\?/);
  await tab.page.goto(shop.visit({ customerId: 'nothing waits' }).url);
  expect((await asked).status()).toBe(200);
  expect(await tab.page.evaluate(() => window.Parley.widget.check())).toBeNull();
  expect(loaded.filter((path) => path.startsWith('/sdk/'))).toEqual(['/sdk/v1/loader.js']);
  await expect.poll(() => widgetOf(tab.page).host.count()).toBe(0);
  expect(tab.faults).toEqual([]);
});

test('without a logged-in customer the API is not called', async () => {
  await using tab = await openBrowser();
  const called: string[] = [];
  tab.page.on('request', (request) => {
    if (request.url().includes('/public/')) called.push(request.url());
  });
  const asked = tab.page.waitForResponse(/\/token$/);
  await tab.page.goto(shop.visit({ customerId: undefined }).url);
  expect((await asked).status()).toBe(204);
  expect(await tab.page.evaluate(() => window.Parley.widget.check())).toBeNull();
  expect(called).toEqual([]);
  expect(tab.faults).toEqual([]);
});

describe('priority', () => {
  test('High opens automatically once, and does not take the focus', async () => {
    const customerId = 'high';
    await shop.create(customerId, { priority: 'High' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId }).url);
    await page.locator('#search').pressSequentially('bea');
    await widget.panel.waitFor();
    await page.keyboard.type('ns');
    await expect.poll(() => page.locator('#search').inputValue()).toBe('beans');
    expect(await focused(page)).toMatchObject({ tag: 'input', isInWidget: false });

    await widget.button('Close chat').click();
    await widget.panel.waitFor({ state: 'hidden' });
    await page.evaluate(() => window.Parley.widget.check());
    await expect.poll(() => widget.panel.isVisible()).toBe(false);
    expect(tab.faults).toEqual([]);
  });

  test('Medium shows a teaser with the first words of the bot, which opens the conversation', async () => {
    const customerId = 'medium';
    await shop.create(customerId, { priority: 'Medium' });
    await using tab = await openBrowser();
    const widget = widgetOf(tab.page);
    await tab.page.goto(shop.visit({ customerId }).url);
    await widget.teaser.getByText('Do you have a minute?').waitFor();
    await expect.poll(() => widget.panel.isVisible()).toBe(false);
    await widget.teaser.locator('.words').click();
    await widget.button('Start').waitFor();
    expect(await focused(tab.page)).toMatchObject({ name: 'Start', isInWidget: true });
  });

  test('Low shows a badge only, and the opened panel does not trap the focus on a desktop', async () => {
    const customerId = 'low';
    await shop.create(customerId, { priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId }).url);
    await widget.launcher.locator('.badge').waitFor();
    await expect.poll(() => widget.launcher.getAttribute('aria-expanded')).toBe('false');
    expect([await widget.teaser.count(), await widget.panel.count()]).toEqual([0, 0]);

    await widget.launcher.click();
    await widget.button('Start').waitFor();
    await expect.poll(() => widget.panel.getAttribute('aria-modal')).toBeNull();
    const seen: boolean[] = [];
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab');
      seen.push((await focused(page)).isInWidget);
    }
    expect(seen).toContain(false);
  });

  test('with automatic opening disabled, High has a teaser, too', async () => {
    const customerId = 'high but quiet';
    await shop.create(customerId, { priority: 'High' });
    await using tab = await openBrowser();
    const widget = widgetOf(tab.page);
    await tab.page.goto(shop.visit({ customerId, attributes: { 'auto-open': 'false' } }).url);
    await widget.teaser.waitFor();
    await expect.poll(() => widget.panel.count()).toBe(0);
  });
});

test.each([
  ['Medium', 'Dismiss message'],
  ['High', 'Close chat'],
])('a dismissed one (%s) stays a badge across reloads of this tab', async (priority, button) => {
  const customerId = `dismissed ${priority}`;
  await shop.create(customerId, { priority });
  await using tab = await openBrowser();
  const { page, context } = tab;
  const widget = widgetOf(page);
  const { url } = shop.visit({ customerId });
  await page.goto(url);
  await widget.host.getByRole('button', { name: button, exact: true }).click();
  for (let reload = 0; reload < 2; reload += 1) {
    await page.reload();
    await widget.launcher.locator('.badge').waitFor();
    expect([await widget.teaser.count(), await widget.panel.count()]).toEqual([0, 0]);
  }
  // Nothing is stored beyond the tab.
  const { page: other } = await openTab(context);
  await other.goto(url);
  await widgetOf(other).host.getByRole('button', { name: button, exact: true }).waitFor();
});

test('a conversation that has ended can be read again until the page closes, or another interaction waits', async () => {
  const customerId = 'reads again';
  await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const check = () => page.evaluate(() => window.Parley.widget.check());
  const { url } = shop.visit({ customerId });
  await page.goto(url);
  await mouse.begin(page);
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  await mouse.reply(page, 'skip');
  await widget.shows('All done');
  await widget.button('Close chat').click();
  await widget.panel.waitFor({ state: 'hidden' });
  expect(await check()).toBeNull();
  await expect.poll(() => widget.launcher.locator('.badge').count()).toBe(0);
  await widget.launcher.click();
  await widget.shows('All done');
  await widget.launcher.click();

  await shop.create(customerId, { priority: 'Low' });
  await check();
  await widget.launcher.locator('.badge').waitFor();
  await widget.launcher.click();
  await widget.button('Start').waitFor();
  expect(tab.faults).toEqual([]);
});

test('a conversation without a question emits all events, and is completed', async () => {
  const customerId = 'is only noted';
  const botId = await shop.workspace.publish({
    schemaVersion: 1,
    key: 'news',
    name: 'News',
    type: 'Test',
    steps: [
      { id: 'news', kind: 'say', text: 'We have moved.' },
      { id: 'bye', kind: 'end', text: 'Bye!' },
    ],
  });
  const { id } = await shop.create(customerId, { botId, priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId }).url);
  await page.evaluate(() => {
    const noted: string[] = [];
    Object.assign(window, { noted });
    for (const name of ['started', 'message', 'completed'])
      window.Parley.widget.on(name, ({ interactionId }) => noted.push(`${name} ${interactionId}`));
  });
  await mouse.begin(page);
  await widget.shows('All done');
  await widget.botSays('Bye!');
  const noted = ['started', 'message', 'message', 'completed'].map((name) => `${name} ${id}`);
  expect(await page.evaluate(() => window.noted)).toEqual(noted);
});

describe('a page that opens an interaction by its id', () => {
  const open = (id: string) => window.Parley.widget.open(id);

  test('gets false if the customer has no such interaction, and nothing is shown', async () => {
    await shop.workspace.api.post('/customers', { id: 'asks for more' });
    const { id: another } = await shop.create('has one', { priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId: 'asks for more' }).url);
    for (const id of [another, '00000000-0000-7000-8000-000000000000', '../x'])
      expect(await page.evaluate(open, id)).toBe(false);
    await expect.poll(() => widget.host.count()).toBe(0);

    await shop.create('asks for more', { priority: 'Low' });
    await page.evaluate(() => window.Parley.widget.check());
    await widget.launcher.waitFor();
    expect(await page.evaluate(open, another)).toBe(false);
    await expect.poll(() => widget.panel.count()).toBe(0);
    await expect.poll(() => widget.launcher.textContent()).toBe('Chat with NPS follow-up 1');
  });

  test('shows it under the name of its bot, although another one waits first', async () => {
    const customerId = 'has two';
    const botId = await shop.workspace.publish({
      schemaVersion: 1,
      key: 'second',
      name: 'Tea tasting',
      type: 'Test',
      steps: [
        { id: 'taste', kind: 'ask', text: 'How did it taste?', input: { type: 'text' } },
        { id: 'bye', kind: 'end' },
      ],
    });
    await shop.create(customerId, { priority: 'Low' });
    const { id: second } = await shop.create(customerId, { botId, priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId }).url);
    await widget.launcher.waitFor();
    await expect.poll(() => widget.launcher.textContent()).toBe('Chat with NPS follow-up 2');
    expect(await page.evaluate(open, second)).toBe(true);
    await widget.shows('Tea tasting');
    await expect.poll(() => widget.launcher.textContent()).toContain('Chat with Tea tasting');
    await widget.button('Start').click();
    await widget.botSays('How did it taste?');
    expect((await shop.read(second)).status).toBe('InProgress');
    const [label] = await widget.log.locator('.entry.bot .hidden').allTextContents();
    expect(label).toBe('Tea tasting: ');
  });
});

test('the teaser of a conversation that has begun offers to continue, and does not restart', async () => {
  const customerId = 'has begun';
  await shop.create(customerId, { status: 'InProgress' });
  await using tab = await openBrowser();
  const { teaser, panel, option } = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId }).url);
  await teaser.getByText('Continue').waitFor();
  await expect.poll(() => teaser.textContent()).not.toContain('Hi there');
  await teaser.getByText('Continue').click();
  await panel.waitFor();
  await option('9').waitFor();
});

describe('the look', () => {
  test.each([
    ['over the page by default', {}, '2147483000', '16px'],
    ['as the tag sets it', { 'z-index': '1000', radius: '4' }, '1000', '4px'],
  ])('%s', async (where, attributes, zIndex, radius) => {
    await shop.create(where, { priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId: where, attributes }).url);
    // After the widget, and of the size of the window.
    await page.evaluate(() => {
      const cover = document.createElement('div');
      cover.style.cssText = 'position: fixed; inset: 0; z-index: 999; background: #fc8';
      document.documentElement.append(cover);
    });
    await widget.launcher.click();
    await widget.panel.waitFor();
    const look = await widget.host.evaluate((host) => [
      getComputedStyle(host).zIndex,
      getComputedStyle(host.shadowRoot?.querySelector('.panel') ?? host).borderRadius,
    ]);
    expect(look).toEqual([zIndex, radius]);
  });

  test('a name without a space in it stays within its teaser', async () => {
    const customerId = 'has a long name';
    const name = 'N'.repeat(100);
    const steps = [{ id: 'bye', kind: 'end', text: 'Bye!' }];
    const botId = await shop.workspace.publish({ schemaVersion: 1, key: 'long', name, type: 'Test', steps });
    await shop.create(customerId, { botId, priority: 'Medium' });
    await using tab = await openBrowser({ viewport: narrow });
    const { teaser } = widgetOf(tab.page);
    await tab.page.goto(shop.visit({ customerId }).url);
    await teaser.waitFor();
    const [written, dismiss] = await teaser.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element.querySelector('strong') ?? element);
      return [range, element.querySelector('.round') ?? element].map((one) => one.getBoundingClientRect());
    });
    expect(written?.width).toBeGreaterThan(100);
    expect(written?.right).toBeLessThanOrEqual(dismiss?.left ?? 0);
  });
});

test('Escape closes the panel from inside and gives the focus back; from the page it does nothing', async () => {
  const customerId = 'escapes';
  await shop.create(customerId, { priority: 'High' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId }).url);
  await widget.panel.waitFor();
  await page.locator('#search').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => widget.panel.isVisible()).toBe(true);

  await widget.button('Start').focus();
  await page.keyboard.press('Escape');
  await widget.panel.waitFor({ state: 'hidden' });
  expect((await focused(page)).name).toMatch(/^Chat with/);

  await page.keyboard.press('Enter');
  await widget.button('Start').waitFor();
  expect((await focused(page)).name).toBe('Start');
});
