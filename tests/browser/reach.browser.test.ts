import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coloursOnly, lookAt, pictures } from './screenshots.ts';
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
  const fill = (button: Element) => getComputedStyle(button).backgroundColor;
  expect(await page.getByRole('button').evaluate(fill)).toBe('rgb(31, 92, 74)');
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

test('the page of a closed link has the branding, in a dark mode, too', async () => {
  const { openLinks } = shop.workspace.client.bots;
  const { id, url } = await openLinks.create(botId, { name: 'Closed', isTest: true });
  await openLinks.update(botId, id, { isClosed: true });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(url);
  await page.getByText('This link is closed.').waitFor();
  expect(await page.getByText('Test', { exact: true }).isVisible()).toBe(true);
  await lookAt('open-link-closed', tab);
  await page.emulateMedia({ colorScheme: 'dark' });
  await lookAt('open-link-closed-dark', tab, coloursOnly);
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
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await width()).toBeLessThanOrEqual(320);
  const choices = Array.from({ length: 11 }, (_, at) => ({
    value: `v${at}`,
    label: `${at}${'w'.repeat(60)}`,
  }));
  const inputs = {
    long: ['Which one?', { type: 'choice', choices }],
    rtl: ['ما مدى احتمال أن توصي بنا؟', { type: 'nps', labels: { low: 'غير محتمل', high: 'محتمل جدا' } }],
  };
  for (const [name, [text, input]] of Object.entries(inputs)) {
    const steps = [
      { id: 'ask', kind: 'ask', text, input },
      { id: 'end', kind: 'end', text: 'Bye' },
    ];
    const definition = { schemaVersion: 1, key: `block-${name}`, name: 'Block', type: 'Block', steps };
    const of = {
      customerId: name,
      botId: await shop.workspace.publish(definition),
      status: 'Pending',
    } as const;
    const made = await shop.workspace.client.interactions.create(of);
    await page.setContent(await shop.workspace.client.interactions.emailBlock(made.id));
    await page.screenshot({ path: join(pictures, `email-block-${name}.png`) });
    expect([name, await width()]).toEqual([name, 320]);
  }
});
