import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mouse, type Reply } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Pages with the strictest policies, and pages with the most hostile styles.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each(['strict.html', 'hostile.html'] as const)('a conversation is completed on %s', async (host) => {
  const customerId = `on ${host}`;
  const { id } = await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser({ edition: 'full' });
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

/** Its answers are an array, numbers, a boolean and texts. */
const manyTypes = {
  schemaVersion: 1,
  key: 'many-types',
  name: 'Many types',
  type: 'Test',
  steps: [
    {
      id: 'teas',
      kind: 'ask',
      text: 'Which teas?',
      input: {
        type: 'multiChoice',
        choices: ['Green', 'Black'].map((label) => ({ value: label.toLowerCase(), label })),
      },
    },
    { id: 'score', kind: 'ask', text: 'How likely?', input: { type: 'nps' } },
    { id: 'taste', kind: 'ask', text: 'How good?', input: { type: 'rating', max: 5 } },
    { id: 'again', kind: 'ask', text: 'Again?', input: { type: 'yesNo' } },
    { id: 'day', kind: 'ask', text: 'When?', input: { type: 'date' } },
    { id: 'email', kind: 'ask', text: 'Your e-mail?', input: { type: 'email' } },
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

test('answers of every type arrive from a page whose libraries have patched its globals', async () => {
  const customerId = 'on an old page';
  const botId = await shop.workspace.publish(manyTypes);
  const { id } = await shop.create(customerId, { botId, priority: 'High' });
  await using tab = await openBrowser({ edition: 'full' });
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ page: 'old-libraries.html', customerId }).url);
  await widget.button('Start').click();
  for (const [question, reply] of [
    ['Which teas?', { chooseAll: ['Green', 'Black'] }],
    ['How likely?', { choose: '9' }],
    ['How good?', { choose: '4 of 5' }],
    ['Again?', { choose: 'Yes' }],
    ['When?', { date: '2035-12-31' }],
    ['Your e-mail?', { write: 'ada@shop.example' }],
  ] as const) {
    await widget.botSays(question);
    await mouse.reply(page, reply as Reply);
  }
  await widget.shows('All done');
  const { transcript } = JSON.parse((await shop.read(id)).data ?? '{}') as {
    transcript: { type: string; body: string }[];
  };
  expect(transcript.filter(({ type }) => type === 'customer').map(({ body }) => body)).toEqual([
    'Green, Black',
    '9',
    '4',
    'Yes',
    '2035-12-31',
    'ada@shop.example',
  ]);
  expect(tab.faults).toEqual([]);
});

test('no style of the page reaches the widget', async () => {
  const customerId = 'styled';
  await shop.create(customerId, { priority: 'High' });
  const looks: unknown[] = [];
  for (const host of ['plain.html', 'hostile.html'] as const) {
    await using tab = await openBrowser({ edition: 'full' });
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
    await using tab = await openBrowser({ edition: 'full' });
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
  await using tab = await openBrowser({ edition: 'full' });
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
  await using tab = await openBrowser({ edition: 'full' });
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

test('a page whose origin is not allowed says in the console which, once, and how to allow it', async () => {
  await using tab = await openBrowser({ edition: 'full' });
  const { page } = tab;
  await shop.create('is elsewhere');
  const { url } = shop.visit({ customerId: 'is elsewhere' });
  const foreign = url.replace('127.0.0.1', 'localhost');
  await page.goto(foreign);
  const own = (): string[] => tab.faults.filter((fault) => fault.includes('Parley'));
  await eventually(() => expect(own(), tab.faults.join('; ')).toHaveLength(1));
  const { origin } = new URL(foreign);
  const command = `npm run --silent parley -- workspace update ${shop.workspace.id} --allowed-domain ${origin}`;
  expect(own()[0]).toContain(`does not allow pages of ${origin}.`);
  expect(own()[0]).toContain(command);
  await page.evaluate(() => window.Parley.widget.check());
  expect(own()).toHaveLength(1);
});

test('a page without a network says nothing of origins', async () => {
  await using tab = await openBrowser({ edition: 'full' });
  const { page } = tab;
  await page.route('**/sessions', (route) => route.abort('connectionreset'));
  await shop.create('has no network');
  const probed = page.waitForResponse(/\/pending$/);
  await page.goto(shop.visit({ customerId: 'has no network' }).url);
  await probed;
  expect(tab.faults.filter((fault) => fault.includes('does not allow'))).toEqual([]);
});
