import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectingScript } from './own-screen.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser, type Tab } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Pages that control the widget by their own script, or render the conversation themselves.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Opens a page whose own script has set the widget up as `mine`, and records in `noted` what opens and closes. */
async function setUp({ page }: Tab, customerId: string, options: object = {}): Promise<void> {
  await page.goto(shop.visit({ page: 'own-script.html', customerId }).url);
  await page.evaluate(
    ({ workspaceId, ...rest }) => {
      window.noted = [];
      window.mine = window.Parley.init({
        workspaceId,
        getCustomerToken: async () => {
          const response = await fetch(location.pathname.replace('page', 'token'));
          return ((await response.json()) as { customerToken: string }).customerToken;
        },
        ...rest,
      });
      for (const name of ['open', 'close']) {
        window.mine.on(name, ({ interactionId }) => window.noted.push(`${name} ${interactionId}`));
      }
    },
    { workspaceId: shop.workspace.id, ...options },
  );
}

const openById = (page: Page, id: string): Promise<boolean> =>
  page.evaluate((id) => window.mine.open(id), id);

test('a pending answer arrives after the page opens another conversation, and the first panel emits its close', async () => {
  const customerId = 'is led on';
  const { id: first } = await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await setUp(tab, customerId);
  await widget.launcher.click();
  await widget.button('Start').click();
  const { id: second } = await shop.create(customerId, { priority: 'Low' });
  let isOpen = false;
  await page.route('**/messages', async (route) => {
    if (isOpen) await route.fallback();
    else await route.abort('connectionreset');
  });
  await widget.option('9').click();
  await widget.shows('Not sent yet');

  expect(await openById(page, second)).toBe(true);
  await widget.button('Start').waitFor();
  const noted = await page.evaluate(() => window.noted);
  expect(noted).toEqual([`open ${first}`, `close ${first}`, `open ${second}`]);
  isOpen = true;
  await expect.poll(async () => (await shop.read(first)).data).toContain('"9"');
  expect(await openById(page, first)).toBe(true);
  await widget.botSays('What is the main reason');
  await expect.poll(() => widget.field.inputValue()).toBe('');
  expect(tab.faults.filter((fault) => fault.startsWith('script error'))).toEqual([]);
});

test('a page can replace the texts of the widget, in a language that it does not have', async () => {
  const customerId = 'speaks Swedish';
  await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const widget = widgetOf(tab.page);
  await setUp(tab, customerId, {
    locale: 'sv',
    strings: { start: 'Börja', launcher: 'Chatta med {bot}' },
  });
  await tab.page.getByRole('button', { name: 'Chatta med NPS follow-up' }).click();
  await widget.button('Börja').waitFor();
  await widget.button('Close chat').waitFor();
  await expect.poll(() => widget.host.locator('section').getAttribute('lang')).toBe('sv');
});

test('a page with its own screen completes a conversation, and its exceptions have no effect on it', async () => {
  const customerId = 'draws by itself';
  const { id } = await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(shop.visit({ page: 'own-script.html', customerId }).url);
  // As text, which runs unchanged.
  const answer = await page.evaluate(`(async () => {
    ${connectingScript(shop, `onFound: () => { throw new Error('thrown by the page'); },`)}
    const waiting = await customer.check();
    const conversation = customer.talk(waiting);
    const reached = (stepId) => new Promise((resolve) => {
      conversation.subscribe(() => {
        if (conversation.state.stage === 'ready') conversation.start();
        if (conversation.state.snapshot?.input?.stepId === stepId) resolve();
        throw new Error('thrown by the page');
      });
    });
    const asked = reached('score');
    await asked;
    const why = reached('why');
    conversation.send({ value: 9 }, '9');
    await why;
    customer.end();
    try {
      customer.talk(waiting);
    } catch (error) {
      return [waiting.interactionId, conversation.state.outgoing, error.name];
    }
  })()`);
  expect(answer).toEqual([id, undefined, 'NobodyError']);
  expect((await shop.read(id)).data).toContain('"9"');
  expect(new Set(tab.faults)).toEqual(new Set(['script error: thrown by the page']));
});
