import { readFile } from 'node:fs/promises';
import { eventually } from '@parley/testing/eventually';
import type { APIResponse, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt } from '../screenshots.ts';
import { mouse } from '../widget/replies.ts';
import { openShop, type Shop, type VisitOptions } from '../widget/shop.ts';
import { openBrowser, type Tab } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// A workspace's branding as customers see it, on link pages and in the widget.

const endText = 'Thank you! Our shop is open until six. <b>Really</b>';
const privacyText = 'Only our team reads this: https://shop.example/privacy';
const endLink = { url: 'https://shop.example/teas', label: 'Back to the shop' };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const logo = await readFile(new URL('../../leaf.png', import.meta.url), 'base64');
  const { status } = await shop.workspace.api.patch('/branding', {
    displayName: 'Fog & Leaf',
    logo: `data:image/png;base64,${logo}`,
    accentColor: '#f4d35e',
    endText,
    endLink,
    privacyText,
  });
  expect(status).toBe(200);
});
afterAll(() => shop[Symbol.asyncDispose]());

const end = (panel: Locator): Locator => panel.getByRole('link', { name: endLink.label });

/** Opens the link of an interaction, and fails unless its page has the branding. */
async function openBranded({ page }: Tab, status: string, words: string): Promise<string> {
  const { link } = await shop.create(`branded ${status}`, { status });
  const { panel, shows } = widgetOf(page);
  await page.goto(link);
  await shows(words);
  await shows('Fog & Leaf');
  await panel.locator('header canvas').waitFor();
  expect(await page.title()).toMatch(/^Fog & Leaf – /);
  await expect.poll(() => page.locator('link[rel=icon]').getAttribute('href')).toContain('/logos/');
  if (status === 'Pending' || status === 'Draft') {
    await expect.poll(() => end(panel).count()).toBe(0);
    await expect.poll(() => panel.textContent()).not.toContain(endText);
  } else {
    await shows(endText);
    await expect.poll(() => end(panel).getAttribute('href')).toBe(endLink.url);
    await expect.poll(() => end(panel).getAttribute('rel')).toBe('noopener noreferrer');
  }
  return link;
}

test.each([
  ['Pending', 'light', 'NPS follow-up'],
  ['Completed', 'light', 'Already answered'],
  ['Expired', 'dark', 'This conversation has expired'],
] as const)(
  'the link page of a %s interaction has the branding, and is accessible (%s)',
  async (status, colorScheme, words) => {
    await using tab = await openBrowser({ colorScheme });
    await openBranded(tab, status, words);
    await lookAt(`branded ${status}`, tab);
  },
);

test('on a phone, the link page first shows the company, and has the start in reach of the thumb', async () => {
  const viewport = { width: 390, height: 844 };
  await using tab = await openBrowser({ viewport, hasTouch: true });
  const { page } = tab;
  const { link } = await shop.create('on a phone');
  const { panel, botSays, button, shows } = widgetOf(page);
  await page.goto(link);
  await botSays('Hi there! Do you have a minute?');
  await expect.poll(() => panel.getByRole('heading').textContent()).toBe('Fog & Leaf');
  await shows('NPS follow-up');
  await shows('Questions: 2–4 · About 1 min');
  await shows('Only our team reads this');
  const privacy = panel.getByRole('link', { name: 'https://shop.example/privacy' });
  await expect.poll(() => privacy.getAttribute('href')).toBe('https://shop.example/privacy');
  const start = await button('Start').boundingBox();
  expect(start?.y).toBeGreaterThan(viewport.height * 0.75);
  expect((start?.y ?? 0) + (start?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
  // The parts fill the page from the company's name to the button: no gap is a third of it.
  const parts = panel.locator('header h1, .entry, .facts, button');
  const tops = await parts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const gaps = tops.map((top, index) => top - (tops[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(viewport.height * 0.45);
  await lookAt('branded phone', tab);
});

test('the link page of a draft has it without its end, and an unknown link has none', async () => {
  await using tab = await openBrowser();
  const words = 'This conversation is not available';
  const link = await openBranded(tab, 'Draft', words);
  await tab.page.goto(link.replace(/\w{6}$/, 'AAAAAA'));
  const { panel, shows } = widgetOf(tab.page);
  await shows(words);
  await expect.poll(() => panel.textContent()).not.toContain('Fog & Leaf');
  await expect.poll(() => panel.locator('header canvas').count()).toBe(0);
});

test('the widget has it on a page with a strict policy, and the page’s accent has precedence', async () => {
  const customerId = 'branded widget';
  await shop.create(customerId, { priority: 'High' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const openOn = async (options: Partial<VisitOptions>): Promise<string> => {
    await page.goto(shop.visit({ customerId, ...options }).url);
    await widget.shows('Fog & Leaf');
    await widget.panel.locator('header canvas').waitFor();
    return widget.launcher.evaluate((element) => getComputedStyle(element).backgroundColor);
  };
  expect(await openOn({ page: 'strict.html' })).toBe('rgb(244, 211, 94)');
  expect(await openOn({ attributes: { accent: '#1f5c4a' } })).toBe('rgb(31, 92, 74)');
  expect(tab.faults).toEqual([]);
  // After the conversation, the notice is below it.
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  await mouse.reply(page, 'skip');
  await widget.shows('All done');
  await widget.shows(endText);
  await end(widget.panel).waitFor();
  await lookAt('branded done', tab);
});

/** Changes the branding, and ends the session of the page's widget, which then asks for another one. */
async function rebrand({ page }: Tab, branding: object): Promise<void> {
  expect((await shop.workspace.api.patch('/branding', branding)).status).toBe(200);
  let isEnded = false;
  await page.route('**/pending*', async (route) => {
    if (isEnded) return route.fallback();
    isEnded = true;
    return route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' }, body: '{}' });
  });
  await page.evaluate(() => window.Parley.widget.check());
  await page.unroute('**/pending*');
}

test('an open widget shows the branding of its next session, whichever logo arrives first', async () => {
  const customerId = 'sees other brandings';
  await shop.create(customerId, { priority: 'High' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const released = Promise.withResolvers<void>();
  const asked: string[] = [];
  const settled: string[] = [];
  for (const event of ['requestfinished', 'requestfailed'] as const) {
    page.on(event as 'requestfinished', (request) => settled.push(request.url()));
  }
  // The server deletes the older logo.
  let olderLogo: APIResponse | undefined;
  await page.route('**/logos/**', async (route) => {
    asked.push(route.request().url());
    if (asked.length === 1) {
      olderLogo = await route.fetch();
      await released.promise;
    }
    if (olderLogo && route.request().url() === asked[0]) return route.fulfill({ response: olderLogo });
    return route.fallback();
  });
  await page.goto(shop.visit({ customerId }).url);
  await widget.shows('Fog & Leaf');
  await eventually(() => expect(asked).toHaveLength(1));
  const square = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 96, height: 96 });
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = '#ff0000';
    context?.fillRect(0, 0, 96, 96);
    return canvas.toDataURL('image/png');
  });
  await rebrand(tab, { displayName: 'Red', logo: square, accentColor: '#1f5c4a' });
  await widget.shows('Red');
  const drawn = widget.panel.locator('header canvas');
  await drawn.waitFor();
  released.resolve();
  const [older = ''] = asked;
  await eventually(() => expect(settled).toContain(older));
  // Decodes the older logo as the widget does, which is done with it before, and waits for what it draws.
  await page.evaluate(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    await createImageBitmap(image, { resizeWidth: 96, resizeHeight: 96, resizeQuality: 'high' });
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  }, older);
  const corner = await drawn.evaluate((canvas: HTMLCanvasElement) => [
    ...(canvas.getContext('2d')?.getImageData(48, 48, 1, 1).data ?? []),
  ]);
  expect(corner).toEqual([255, 0, 0, 255]);
  expect(await widget.launcher.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
    'rgb(31, 92, 74)',
  );

  await rebrand(tab, { logo: null });
  await drawn.waitFor({ state: 'detached' });
  await widget.shows('Red');
});
