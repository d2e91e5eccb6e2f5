import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Texts that are longer than the panel begin where the customer can read them.

const long = (name: string): string =>
  [`${name} begins.`, ...Array.from({ length: 40 }, (_, at) => `Line ${at}.`), `${name} ends.`].join('\n');
const ask = (id: string): object => ({ id, kind: 'ask', text: `${id}?`, input: { type: 'text' } });
const longTexts = {
  schemaVersion: 1,
  key: 'long-texts',
  name: 'Long texts',
  type: 'Test',
  steps: [
    { id: 'terms', kind: 'say', text: long('The first') },
    ask('one'),
    { id: 'more', kind: 'say', text: long('The second') },
    ask('two'),
    { id: 'short', kind: 'say', text: 'Short.' },
    ask('three'),
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(longTexts);
});
afterAll(() => shop[Symbol.asyncDispose]());

/** The entries whose first line is in view. */
async function begunInView(log: Locator): Promise<unknown[]> {
  return log.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const bubbles = [...element.querySelectorAll('.bubble')];
    const inView = bubbles.filter((bubble) => {
      const first = bubble.getBoundingClientRect().top;
      return first >= top && first + 20 <= bottom;
    });
    return inView.map((bubble) => /^[^.?]*/.exec(bubble.textContent)?.[0]);
  });
}

test.each(['widget', 'link'])(
  'the first unread line is in view at the start, after each long text, and after a reload: %s',
  async (by) => {
    const customerId = `reads slowly by ${by}`;
    const { link } = await shop.create(customerId, { botId, priority: 'High' });
    await using tab = await openBrowser();
    const { page } = tab;
    const widget = widgetOf(page);
    await page.goto(by === 'link' ? link : shop.visit({ customerId }).url);
    await widget.button('Start').waitFor();
    expect(await begunInView(widget.log)).toEqual(['The first begins']);
    await widget.button('Start').click();
    await widget.botSays('one?');
    expect(await begunInView(widget.log)).toEqual(['The first begins']);

    await widget.field.fill('Yes');
    await widget.send.click();
    await widget.botSays('two?');
    expect(await begunInView(widget.log)).toEqual(['The second begins']);
    await page.reload();
    if (by === 'link') await widget.button('Continue').click();
    await widget.botSays('two?');
    expect(await begunInView(widget.log)).toEqual(['The second begins']);

    // Short texts are at the end of the transcript, with what fits above them.
    await widget.field.fill('No');
    await widget.send.click();
    await widget.botSays('three?');
    expect(await begunInView(widget.log)).toEqual(['two', 'No', 'Short', 'three']);
    expect(tab.faults).toEqual([]);
  },
);
