import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// The content of any field, from any author, is shown as text and runs nothing.

const image = '<img src=x onerror="hit(1)">';
const script = '<script>hit(2)</script>';
const svg = '"><svg onload=hit(3)>';
const nested = '{{customer.lastName}} ${hit(4)}';
const badLinks = [
  '[click](javascript:hit(5))',
  '[click](data:text/html,<script>hit(6)</script>)',
  '[click](https://user:pass@evil.example)',
  '[click](//evil.example)',
];
/** The only one that may become a link. */
const goodLink = 'https://shop.example.com/a?b=1&c=2';

const hostileBot = {
  schemaVersion: 1,
  key: 'hostile',
  name: `Bot ${image}`,
  type: 'Test',
  typeLabel: 'Test',
  locale: 'en',
  context: [{ name: 'thing', default: 'x' }],
  evaluation: {},
  steps: [
    { id: 'hi', kind: 'say', text: `Hi {{customer.firstName|there}} ${script} {{context.thing}}` },
    { id: 'links', kind: 'say', text: `${badLinks.join(' ')} ${goodLink}` },
    {
      id: 'pick',
      kind: 'ask',
      text: `Pick ${image}`,
      input: {
        type: 'choice',
        choices: [
          { value: 'a', label: `A ${svg}` },
          { value: 'b', label: `B ${script}` },
        ],
      },
    },
    { id: 'rate', kind: 'ask', text: 'Rate', input: { type: 'nps', labels: { low: image, high: svg } } },
    {
      id: 'sure',
      kind: 'ask',
      text: 'Sure?',
      input: { type: 'yesNo', labels: { yes: `Y ${image}`, no: `N ${svg}` } },
    },
    { id: 'words', kind: 'ask', text: 'Words?', input: { type: 'text' } },
    { id: 'bye', kind: 'end', text: 'You said {{answers.words}} and {{answers.pick}}' },
  ],
};

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(hostileBot);
});
afterAll(() => shop[Symbol.asyncDispose]());

/** Reports all scripts that ran, and every element that only markup could have created. */
async function watchHits(page: Page): Promise<() => Promise<unknown[]>> {
  const hits: unknown[] = [];
  await page.exposeFunction('hit', (what: unknown) => void hits.push(what));
  page.on('dialog', (dialog) => {
    hits.push(dialog.message());
    void dialog.dismiss();
  });
  return async () => {
    const made = await page.evaluate(() => {
      const root = document.querySelector('parley-widget')?.shadowRoot;
      const marks = [
        ...(root?.querySelectorAll('img, script, iframe, object, embed, style, base, form[action]') ?? []),
      ];
      const wired = [...(root?.querySelectorAll('*') ?? [])].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      );
      return [...marks, ...wired].map((element) => element.outerHTML);
    });
    return [...hits, ...made];
  };
}

const names = { firstName: `Ada ${image}`, lastName: script, email: 'a@example.com' };

describe.each(['widget', 'link'])('by the %s', (way) => {
  test('a conversation full of markup shows text and runs nothing', async () => {
    const customerId = `<b onmouseover=hit(7)>${way}</b>`;
    await shop.workspace.api.post('/customers', { id: customerId, ...names });
    const context = [{ key: 'thing', value: `${svg} ${nested} ${badLinks[0]}` }];
    const { link } = await shop.create(customerId, { botId, priority: 'Medium', context });
    await using tab = await openBrowser();
    const { page } = tab;
    const hits = await watchHits(page);
    const widget = widgetOf(page);
    if (way === 'widget') {
      await page.goto(shop.visit({ customerId }).url);
      await widget.teaser.getByText(script).waitFor();
      expect(await hits()).toEqual([]);
      await widget.teaser.locator('.words').click();
    } else {
      await page.goto(link);
      await widget.shows(`Bot ${image}`);
      expect(await hits()).toEqual([]);
    }
    await widget.button('Start').click();

    await widget.botSays(`Pick ${image}`);
    const log = (await widget.log.textContent()) ?? '';
    for (const text of [`Hi Ada ${image} ${script} ${svg} ${nested} ${badLinks[0]}`, ...badLinks]) {
      expect(log).toContain(text);
    }
    const links = await widget.log
      .locator('a')
      .evaluateAll((all) =>
        all.map((link) => [
          link.textContent,
          link.getAttribute('href'),
          link.getAttribute('target'),
          link.getAttribute('rel'),
        ]),
      );
    expect(links).toEqual([[goodLink, goodLink, '_blank', 'noopener noreferrer']]);
    expect(await hits()).toEqual([]);

    await mouse.reply(page, { choose: `A ${svg}` });
    await widget.botSays('Rate');
    await widget.shows(image);
    expect(tab.faults).toEqual([]);
    // The rest of the screen is the same one.
    if (way === 'link') return expect(await hits()).toEqual([]);
    await mouse.reply(page, { choose: '5' });
    await widget.botSays('Sure?');
    await mouse.reply(page, { choose: `Y ${image}` });
    await widget.botSays('Words?');
    const words = `${image} ${script} [x](javascript:hit(8)) **bold**`;
    await mouse.reply(page, { write: words });
    // Neither the answer nor its echo in the bot's words is markup.
    await widget.shows('All done');
    const said = await widget.log.locator('.bubble').allTextContents();
    expect(said.slice(-2)).toEqual([words, `You said ${words} and A ${svg}`]);
    await expect.poll(() => widget.log.locator('strong, a[href^=javascript]').count()).toBe(0);
    expect(await hits()).toEqual([]);
    expect(tab.faults).toEqual([]);
  });
});
