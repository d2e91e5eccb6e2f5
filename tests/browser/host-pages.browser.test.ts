import { afterAll, beforeAll, expect, test } from 'vitest';
import { mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';

// Pages with the strictest policies, and pages with the most hostile styles.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each(['strict.html', 'hostile.html'] as const)('a conversation is completed on %s', async (host) => {
  const customerId = `on ${host}`;
  const { id } = await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ page: host, customerId }).url);
  await mouse.begin(page);
  await widget.botSays('How likely');
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('What is the main reason');
  await mouse.reply(page, { write: 'Because.' });
  await widget.shows('All done');
  expect((await shop.read(id)).status).toBe('Completed');
  // The policy had no violations.
  expect(tab.faults).toEqual([]);
});

test('no style of the page reaches the widget', async () => {
  const customerId = 'styled';
  await shop.create(customerId, { priority: 'High' });
  const looks: unknown[] = [];
  for (const host of ['plain.html', 'hostile.html'] as const) {
    await using tab = await openBrowser();
    const widget = widgetOf(tab.page);
    await tab.page.goto(shop.visit({ page: host, customerId }).url);
    await widget.button('Start').waitFor();
    looks.push(
      await widget.host.evaluate((element) => {
        const all = [element, ...(element.shadowRoot?.querySelectorAll('*') ?? [])];
        return all.map((one) => {
          const { display, color, fontSize, fontFamily, position, backgroundColor } = getComputedStyle(one);
          const { width, height } = one.getBoundingClientRect();
          return {
            tag: one.tagName,
            display,
            color,
            fontSize,
            fontFamily,
            position,
            backgroundColor,
            width,
            height,
          };
        });
      }),
    );
  }
  expect(looks[1]).toEqual(looks[0]);
});

test('nothing of the widget reaches the page: one element, one global, no style', async () => {
  const customerId = 'unstyled';
  await shop.create(customerId, { priority: 'High' });
  const globals: string[][] = [];
  const elements: number[] = [];
  for (const who of [undefined, customerId]) {
    await using tab = await openBrowser();
    const { page } = tab;
    await page.goto(shop.visit({ customerId: who }).url);
    if (who) await widgetOf(page).panel.waitFor();
    globals.push(await page.evaluate(() => Object.keys(window)));
    elements.push(
      await page
        .locator('*')
        .evaluateAll((all) => all.filter((one) => one.getRootNode() === document).length),
    );
    expect(
      await page.evaluate(
        () => document.adoptedStyleSheets.length + document.querySelectorAll('style').length,
      ),
    ).toBe(0);
  }
  expect(globals[1]).toEqual(globals[0]);
  expect(globals[0]?.filter((name) => /parley/i.test(name))).toEqual(['Parley']);
  expect((elements[1] ?? 0) - (elements[0] ?? 0)).toBe(1);
});

test('a page that recreates its body, or removes the widget, has it back with the next question', async () => {
  const customerId = 'moved';
  await shop.create(customerId, { priority: 'High' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ page: 'plain.html', customerId }).url);
  await widget.button('Start').click();
  await widget.botSays('How likely');
  await page.evaluate(() => document.body.replaceWith(document.createElement('body')));
  await widget.botSays('How likely');
  await widget.host.evaluate((host) => host.remove());
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await mouse.reply(page, { choose: '9' });
  await widget.botSays('What is the main reason');
});

test('a conversation is completed on a page with an element of the name, in a sandbox without forms', async () => {
  const customerId = 'boxed in';
  const { id } = await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      observer.disconnect();
      document.body.append(Object.assign(document.createElement('div'), { id: 'Parley' }));
    }).observe(document, { childList: true, subtree: true });
  });
  const policy = 'sandbox allow-scripts allow-same-origin';
  const shown = await page.goto(shop.visit({ customerId, policy }).url);
  expect(shown?.headers()['content-security-policy']).toBe(policy);
  await mouse.begin(page);
  await mouse.reply(page, { choose: '9' });
  await widgetOf(page).botSays('What is the main reason');
  await mouse.reply(page, { write: 'Because.' });
  await widgetOf(page).shows('All done');
  expect((await shop.read(id)).status).toBe('Completed');
});
