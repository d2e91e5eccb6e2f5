import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt, pictures } from './screenshots.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';
import { mouse } from './widget/replies.ts';
import { openShop, type Shop } from './widget/shop.ts';

// Open links and e-mail blocks, in a browser.

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  const { workspace } = shop;
  const bots = await workspace.client.bots.list({ key: 'nps-follow-up' });
  botId = bots.data[0]?.id ?? '';
  await workspace.client.branding.update({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
});
afterAll(() => shop[Symbol.asyncDispose]());

test('a person without an account answers in two clicks, and continues in the same browser only', async () => {
  const { url } = await shop.workspace.client.bots.openLinks.create(botId, { name: 'Table' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(url);
  await page.getByRole('heading', { name: 'Fog & Leaf' }).waitFor();
  await lookAt('open-link', tab);
  await page.getByRole('button', { name: 'Start' }).click();
  const widget = widgetOf(page);
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('main reason');
  const begun = new URL(page.url()).pathname;
  await page.goto(url);
  await widget.botSays('main reason');
  expect(new URL(page.url()).pathname).toBe(begun);
  await using other = await openBrowser();
  await other.page.goto(url);
  await other.page.getByRole('button', { name: 'Start' }).waitFor();
  expect(tab.faults).toEqual([]);
});

test('the page of an answer is read by a browser with scripts without an effect, and its button sends it', async () => {
  const { id } = await shop.create('clicks');
  const html = await shop.workspace.client.interactions.emailBlock(id);
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
  await using tab = await openBrowser();
  const { page } = tab;
  const before = await shop.read(id);
  for (const link of links) {
    await page.goto(link, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }
  expect(await shop.read(id)).toEqual(before);
  await page.goto(links[8] ?? '');
  await page.getByRole('link', { name: '9', exact: true }).click();
  await page.getByText('✓ 9').waitFor();
  await lookAt('email-answer', tab);
  expect(await shop.read(id)).toEqual(before);
  await page.getByRole('button', { name: 'Send: 9' }).click();
  await widgetOf(page).botSays('main reason');
  expect(tab.faults).toEqual([]);
});

test('an e-mail block can be read with and without styles, also in a dark mode', async () => {
  const { id } = await shop.create('mailed');
  const html = await shop.workspace.client.interactions.emailBlock(id);
  await using tab = await openBrowser();
  const { page } = tab;
  for (const [name, content] of Object.entries({
    plain: html.replaceAll(/ (?:style|bgcolor)="[^"]*"/g, ''),
    styled: html,
  })) {
    await page.setContent(
      `<!doctype html><html lang="en"><title>E-mail</title><body>${content}</body></html>`,
    );
    await page.screenshot({ path: join(pictures, `email-block-${name}.png`) });
    expect(await page.getByRole('link').count()).toBe(11);
    expect(await page.getByText('How likely').isVisible()).toBe(true);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: join(pictures, 'email-block-dark.png') });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.screenshot({ path: join(pictures, 'email-block-narrow.png') });
  // No cell is cut off on a small phone.
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
});
