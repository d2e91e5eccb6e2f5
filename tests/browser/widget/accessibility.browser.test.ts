import { eventually } from '@parley/testing/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { focused } from '../keyboard.ts';
import { mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, phone } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Checks that axe does not have: announcements, focus, motion, and text direction.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('an interaction that opens automatically is announced once, by an existing region', async () => {
  await shop.create('is announced', { priority: 'Medium' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.addInitScript(() => {
    const noted: string[] = [];
    Object.assign(window, { noted });
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options);
      new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes) {
          const region = (target as Element).closest('[role=status]');
          if (region) noted.push([...addedNodes].map(({ textContent }) => textContent).join(''));
        }
      }).observe(root, { childList: true, subtree: true, characterData: true });
      return root;
    };
  });
  await page.goto(shop.visit({ customerId: 'is announced' }).url);
  await widgetOf(page).teaser.waitFor();
  await page.evaluate(() => window.Parley.widget.check());
  const noted = await page.evaluate(() => window.noted);
  expect(noted).toEqual([expect.stringMatching(/^New message from NPS follow-up: Hi there!/)]);
});

test('a conversation has one live log to its end, and its key presses are no shortcuts of the page', async () => {
  await shop.create('types much', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const logs = page.locator('parley-widget [role=log], parley-widget [aria-live]');
  await page.goto(shop.visit({ customerId: 'types much' }).url);
  await page.evaluate(() => {
    const keys: string[] = [];
    Object.assign(window, { keys });
    for (const type of ['keydown', 'keyup', 'keypress']) {
      document.addEventListener(type, (event) => keys.push((event as KeyboardEvent).key));
    }
  });
  await widget.launcher.click();
  await widget.button('Start').waitFor();
  const log = await logs.elementHandle();
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await expect.poll(() => logs.count()).toBe(1);
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  await expect.poll(() => logs.count()).toBe(1);
  await widget.field.pressSequentially('good / ? words');
  expect(await page.evaluate(() => window.keys)).toEqual([]);
  await widget.send.click();
  await widget.shows('All done');
  await expect.poll(() => logs.count()).toBe(1);
  // The region is still the first one: content of a new region would not be announced.
  expect(await log?.evaluate((element) => element.isConnected)).toBe(true);
});

describe('on a phone', () => {
  const touched = { viewport: phone, hasTouch: true, isMobile: true };

  test('a panel opened by the customer covers the page, traps the focus and returns it', async () => {
    await shop.create('on a phone', { priority: 'Low' });
    await using tab = await openBrowser({ ...touched, reducedMotion: 'no-preference' });
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId: 'on a phone' }).url);
    await widget.launcher.tap();
    await widget.button('Start').waitFor();
    await expect.poll(() => widget.panel.getAttribute('aria-modal')).toBe('true');
    await eventually(async () => {
      expect(await widget.panel.boundingBox()).toMatchObject({ x: 0, y: 0, ...phone });
    });
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let press = 0; press < 8; press += 1) {
        await page.keyboard.press(key);
        expect((await focused(page)).isInWidget).toBe(true);
      }
    }
    await page.keyboard.press('Escape');
    await widget.panel.waitFor({ state: 'hidden' });
    expect((await focused(page)).name).toMatch(/^Chat with/);
  });

  test('a panel that opened automatically covers nothing until it is focused', async () => {
    await shop.create('by itself', { priority: 'High' });
    await using tab = await openBrowser(touched);
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId: 'by itself' }).url);
    await widget.panel.waitFor();
    await expect.poll(() => widget.panel.getAttribute('aria-modal')).toBeNull();
    await page.locator('#search').tap();
    expect((await focused(page)).isInWidget).toBe(false);
    await widget.button('Start').tap();
    await widget.botSays('How likely');
    await widget.host.locator('.panel[aria-modal=true]').waitFor();
  });
});

test.each([
  ['reduce', false],
  ['no-preference', true],
] as const)('a customer who prefers motion: %s sees movement: %s', async (reducedMotion, moves) => {
  const customerId = `motion ${reducedMotion}`;
  await shop.create(customerId, { priority: 'Medium' });
  await using tab = await openBrowser({ reducedMotion });
  const { page } = tab;
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    for (const type of ['animationstart', 'transitionrun']) {
      document.addEventListener(type, ({ type }) => moved.push(type), true);
    }
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (options) {
      const root = attachShadow.call(this, options);
      for (const type of ['animationstart', 'transitionrun'])
        root.addEventListener(type, () => moved.push(type), true);
      return root;
    };
  });
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId }).url);
  await widget.teaser.locator('.words').click();
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  expect((await movementIn(page)).length > 0).toBe(moves);
});

function movementIn(page: Page): Promise<string[]> {
  return page.evaluate(() => window.moved);
}

test('in a right-to-left language the whole widget runs from right to left', async () => {
  await shop.create('arabic', { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId: 'arabic', attributes: { locale: 'ar' } }).url);
  await widget.launcher.click();
  await widget.panel.locator('.primary.wide').click();
  await widget.option('8').waitFor();
  const direction = (selector: string): Promise<string> =>
    widget.panel.locator(selector).evaluate((element) => getComputedStyle(element).direction);
  expect([await direction('.scroller'), await direction('form')]).toEqual(['rtl', 'rtl']);
  // Mark, name (in letters of either direction) and close button follow each other from the right, the scale too.
  const at = async (selector: string): Promise<number> =>
    (await widget.panel.locator(selector).boundingBox())?.x ?? 0;
  const name = await widget.panel.locator('header h2').evaluate((title) => {
    const range = document.createRange();
    range.selectNodeContents(title);
    return range.getBoundingClientRect().right;
  });
  expect((await at('header .avatar')) - name).toBeLessThan(24);
  expect(name).toBeGreaterThan(await at('header .round'));
  const [lowest, highest] = [await widget.option('1').boundingBox(), await widget.option('8').boundingBox()];
  expect(lowest?.x).toBeGreaterThan(highest?.x ?? Infinity);
});
