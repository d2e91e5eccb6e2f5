import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt } from './look.ts';
import { mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';

// A workspace's branding as customers see it, on link pages and in the widget.

const endText = 'Thank you! Our shop is open until six. <b>Really</b>';
const endLink = { url: 'https://shop.example/teas', label: 'Back to the shop' };

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  const logo = await readFile(new URL('../leaf.png', import.meta.url), 'base64');
  const { status } = await shop.workspace.api.patch('/branding', {
    displayName: 'Fog & Leaf',
    logo: `data:image/png;base64,${logo}`,
    accentColor: '#f4d35e',
    endText,
    endLink,
  });
  expect(status).toBe(200);
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ['Pending', 'light', 'NPS follow-up'],
  ['Completed', 'light', 'Already answered'],
  ['Expired', 'dark', 'This conversation has expired'],
  ['Draft', 'dark', 'This conversation is not available'],
] as const)(
  'the link page of a %s interaction has the branding, and is accessible (%s)',
  async (status, colorScheme, words) => {
    const { link } = await shop.create(`branded ${status}`, { status });
    await using tab = await openBrowser({ colorScheme, reducedMotion: 'reduce' });
    const { page } = tab;
    const { panel, shows } = widgetOf(page);
    await page.goto(link);
    await shows(words);
    await shows('Fog & Leaf');
    await panel.locator('header canvas').waitFor();
    expect(await page.title()).toContain(' – Fog & Leaf');
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain('/logos/');
    const end = panel.getByRole('link', { name: endLink.label });
    if (status === 'Pending') expect(await end.count()).toBe(0);
    else {
      await shows(endText);
      expect(await end.getAttribute('href')).toBe(endLink.url);
      expect(await end.getAttribute('rel')).toBe('noopener noreferrer');
    }
    await lookAt(`branded ${status}`, tab);
  },
);

test('an unknown link has none', async () => {
  await using tab = await openBrowser();
  const { link } = await shop.create('wrong link');
  await tab.page.goto(link.replace(/\w{6}$/, 'AAAAAA'));
  const { panel, shows } = widgetOf(tab.page);
  await shows('This conversation is not available');
  expect(await panel.textContent()).not.toContain('Fog & Leaf');
  expect(await panel.locator('header canvas').count()).toBe(0);
});

test('the widget has it on a page with a strict policy, and the page’s accent has precedence', async () => {
  const customerId = 'branded widget';
  await shop.create(customerId, { priority: 'High' });
  const colors: string[] = [];
  const tags: Record<string, string>[] = [{}, { accent: '#1f5c4a' }];
  for (const attributes of tags) {
    await using tab = await openBrowser();
    const { page } = tab;
    await page.goto(shop.visit({ page: 'strict.html', customerId, attributes }).url);
    const widget = widgetOf(page);
    await widget.shows('Fog & Leaf');
    await widget.panel.locator('header canvas').waitFor();
    colors.push(await widget.launcher.evaluate((element) => getComputedStyle(element).backgroundColor));
    expect(tab.faults).toEqual([]);
  }
  // After the conversation, the notice is below it.
  await using tab = await openBrowser();
  const widget = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId }).url);
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await mouse.reply(tab.page, { choose: '9' });
  await widget.botSays('main reason');
  await mouse.reply(tab.page, 'skip');
  await widget.shows('All done');
  await widget.shows(endText);
  await widget.panel.getByRole('link', { name: endLink.label }).waitFor();
  await lookAt('branded done', tab);
  expect(colors).toEqual(['rgb(244, 211, 94)', 'rgb(31, 92, 74)']);
});
