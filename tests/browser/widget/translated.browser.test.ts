import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Pages that the browser translates: it replaces each text node, or puts it into `<font>` elements.

const numbers = {
  schemaVersion: 1,
  key: 'numbers',
  name: 'Numbers',
  type: 'Test',
  steps: [
    { id: 'hi', kind: 'say', text: 'Hello! See https://shop.example/orders for more.' },
    { id: 'cups', kind: 'ask', text: 'How many?', input: { type: 'number', min: 0, max: 20 } },
    { id: 'why', kind: 'ask', text: 'And why?', input: { type: 'longText' } },
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(numbers);
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Translates all texts of the page from now on. The translation of a text is that text in brackets. */
async function translate(page: Page, how: 'replaces' | 'wraps'): Promise<void> {
  await page.addInitScript((how) => {
    const known = new WeakSet<Node>();
    const translateNode = (node: Text): void => {
      const skipped = node.parentElement?.closest('font, [translate=no], style');
      if (known.has(node) || skipped || node.data.trim() === '') return;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      outer.append(inner);
      node.replaceWith(outer);
      if (how === 'wraps') node.data = `[${node.data}]`;
      const shown = how === 'wraps' ? node : document.createTextNode(`[${node.data}]`);
      known.add(shown);
      inner.append(shown);
    };
    const translateAll = (root: Node): void => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) found.push(walker.currentNode as Text);
      for (const node of found) translateNode(node);
    };
    const { attachShadow } = Element.prototype;
    Element.prototype.attachShadow = function (init) {
      const root = attachShadow.call(this, init);
      const look = (): void => translateAll(root);
      new MutationObserver(look).observe(root, { childList: true, subtree: true, characterData: true });
      return root;
    };
  }, how);
}

test.each(['replaces', 'wraps'] as const)(
  'a conversation on a page whose translator %s text nodes shows each new text, and no old one',
  async (how) => {
    const customerId = `reads a translation that ${how}`;
    await shop.create(customerId, { botId, priority: 'Low' });
    await using tab = await openBrowser();
    const { page } = tab;
    await translate(page, how);
    const widget = widgetOf(page);
    await page.goto(shop.visit({ customerId }).url);
    await widget.launcher.click();
    await widget.button('[Start]').click();
    await widget.botSays('[How many?]');
    await expect.poll(() => widget.panel.getByRole('link').textContent()).toBe('https://shop.example/orders');
    const problem = widget.panel.locator('.problem');
    const problems: (string | null)[] = [];
    for (const words of ['zz', '55']) {
      await widget.field.fill(words);
      await widget.send.click();
      await problem.waitFor();
      problems.push(await problem.textContent());
    }
    expect(problems[0]).toMatch(/^\[.*\]$/);
    expect(problems[1]).toMatch(/^\[.*\]$/);
    expect(problems[1]).not.toBe(problems[0]);
    await widget.field.fill('7');
    await expect.poll(() => widget.panel.locator('.note').textContent()).toBe('');
    await widget.send.click();
    await widget.botSays('[And why?]');
    await widget.field.fill('Because.');
    await widget.send.click();
    await widget.shows('[All done]');
    await expect.poll(() => widget.panel.textContent()).not.toContain('Loading');
    // The browser reports the refused answers itself.
    expect(tab.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
  },
);

test('a translated link page shows the name of its bot, and no state that is over', async () => {
  const { link } = await shop.create('reads a translated link page', { botId });
  await using tab = await openBrowser();
  const { page } = tab;
  await translate(page, 'replaces');
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.button('[Start]').waitFor();
  await expect.poll(() => page.getByRole('heading').textContent()).toBe('[Numbers]');
  await expect.poll(() => widget.panel.textContent()).not.toMatch(/Loading|Conversation/);
  await widget.button('[Start]').click();
  await widget.botSays('[How many?]');
  expect(tab.faults).toEqual([]);
});
