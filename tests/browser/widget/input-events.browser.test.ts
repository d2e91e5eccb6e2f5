import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { focused } from '../keyboard.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { type Widget, widgetOf } from '../widget.ts';

// A single press counts once, and presses in the widget do not affect the page.

const threeQuestions = {
  schemaVersion: 1,
  key: 'three-questions',
  name: 'Three questions',
  type: 'Test',
  steps: [
    { id: 'one', kind: 'ask', text: 'One?', input: { type: 'text' }, required: false },
    {
      id: 'two',
      kind: 'ask',
      text: 'Two?',
      input: { type: 'email' },
      prefill: 'ada@shop.example',
      required: false,
    },
    { id: 'three', kind: 'ask', text: 'Three?', input: { type: 'longText' } },
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

const longQuestions = {
  ...threeQuestions,
  key: 'long-questions',
  steps: [
    ...['One?', 'Two?', 'Three?'].map((text) => ({
      id: text.slice(0, -1).toLowerCase(),
      kind: 'ask',
      text,
      input: { type: 'longText' },
    })),
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

let shop: Shop;
let botId: string;
let longBotId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(threeQuestions);
  longBotId = await shop.workspace.publish(longQuestions);
});
afterAll(() => shop[Symbol.asyncDispose]());

async function visit(
  page: Page,
  customerId: string,
  { policy = '', bot = botId } = {},
): Promise<{ id: string; widget: Widget }> {
  const { id } = await shop.create(customerId, { botId: bot, priority: 'Low' });
  await page.goto(shop.visit({ customerId, policy }).url);
  return { id, widget: widgetOf(page) };
}

/** The customer's texts, once all questions are answered. */
async function saidIn(id: string, widget: Widget): Promise<string[]> {
  await widget.shows('All done');
  const { transcript } = JSON.parse((await shop.read(id)).data ?? '') as {
    transcript: { type: string; body: string }[];
  };
  return transcript.filter(({ type }) => type === 'customer').map(({ body }) => body);
}

test('the second click of a double click does not answer the next question', async () => {
  await using tab = await openBrowser({ reducedMotion: 'no-preference' });
  const { page } = tab;
  const { id, widget } = await visit(page, 'clicks twice');
  await widget.launcher.dblclick();
  await widget.button('Start').dblclick();
  await widget.field.fill('first');
  await widget.send.click();
  await widget.botSays('Two?');
  for (const button of [widget.send, widget.button('Skip')]) {
    await button.hover();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
  }
  await widget.field.fill('bob@shop.example');
  await widget.send.click();
  await widget.botSays('Three?');
  await widget.field.fill('third');
  await widget.send.click();
  expect(await saidIn(id, widget)).toEqual(['first', 'bob@shop.example', 'third']);
  expect(tab.faults).toEqual([]);
});

test('a held Enter counts once', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const starts: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/start')) starts.push(request.method());
  });
  const { id, widget } = await visit(page, 'leans on Enter');
  const holdOn = async (): Promise<void> => {
    for (let repetition = 0; repetition < 5; repetition += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  };
  await widget.launcher.focus();
  await page.keyboard.down('Enter');
  await widget.button('Start').waitFor();
  await holdOn();
  await page.evaluate(() => fetch('/shop.css'));
  expect(starts).toEqual([]);

  await page.keyboard.press('Enter');
  await widget.field.waitFor();
  await page.keyboard.type('first');
  await page.keyboard.down('Enter');
  await widget.botSays('Two?');
  await holdOn();
  await widget.field.fill('bob@shop.example');
  await page.keyboard.press('Enter');
  await widget.botSays('Three?');
  // Where it starts a new line it may repeat.
  await page.keyboard.type('third');
  await page.keyboard.down('Enter');
  await holdOn();
  await page.keyboard.type('and last');
  await widget.send.click();
  expect(await saidIn(id, widget)).toEqual(['first', 'bob@shop.example', 'third\n\n\n\n\n\nand last']);
});

test.each([
  ['on a page', ''],
  ['in a sandbox without forms', 'sandbox allow-scripts allow-same-origin'],
])(
  'a long answer is sent by Ctrl or Cmd and Enter or another submit like by its button; the page stays (%s)',
  async (where, policy) => {
    await using tab = await openBrowser();
    const { page } = tab;
    const { id, widget } = await visit(page, `writes much ${where}`, { policy, bot: longBotId });
    await page.locator('#search').fill('beans');
    await widget.launcher.click();
    await widget.button('Start').click();
    const press = (keys: string) => () => widget.field.press(keys);
    const ways = {
      'One?': press('Control+Enter'),
      'Two?': press('Meta+Enter'),
      // The sandbox suppresses such a submit.
      'Three?': policy
        ? press('Control+Enter')
        : () => widget.panel.locator('form').evaluate((form: HTMLFormElement) => form.requestSubmit()),
    };
    for (const [question, submit] of Object.entries(ways)) {
      await widget.botSays(question);
      await submit();
      await widget.shows('Please answer first');
      await widget.field.fill(`all that there is to say to ${question}`);
      await submit();
    }
    expect(await saidIn(id, widget)).toEqual(
      Object.keys(ways).map((question) => `all that there is to say to ${question}`),
    );
    await expect.poll(() => page.locator('#search').inputValue()).toBe('beans');
  },
);

test('Escape during a composition cancels it and keeps the panel open', async () => {
  await using tab = await openBrowser({ edition: 'full' });
  const { page, context } = tab;
  const { widget } = await visit(page, 'writes Japanese');
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.field.focus();
  const chromium = await context.newCDPSession(page);
  await chromium.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await chromium.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Escape',
    code: 'Escape',
    windowsVirtualKeyCode: 229,
  });
  await expect.poll(() => widget.panel.isVisible()).toBe(true);
  await chromium.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  await page.keyboard.press('Escape');
  await widget.panel.waitFor({ state: 'hidden' });
});

test('arrow keys move the focus among choices without answering; Enter answers', async () => {
  const customerId = 'walks by arrows';
  await shop.create(customerId, { priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/messages')) sent.push(request.postData() ?? '');
  });
  await page.goto(shop.visit({ customerId }).url);
  await widget.launcher.click();
  await widget.button('Start').click();
  await widget.botSays('How likely');
  for (const key of ['ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key);
  expect(await focused(page)).toMatchObject({ name: '2' });
  expect(sent).toEqual([]);
  await page.keyboard.press('Enter');
  await widget.botSays('main reason');
  expect(sent).toEqual([expect.stringContaining('{"value":2}')]);
});

test('a text field has a label and the maximum length of the API; Send is disabled without text', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { widget } = await visit(page, 'reads labels');
  await widget.launcher.click();
  await widget.button('Start').click();
  const isOff = () => widget.send.getAttribute('aria-disabled');
  await widget.panel.getByLabel('Your answer').waitFor();
  await expect.poll(() => widget.field.getAttribute('maxlength')).toBe('500');
  expect(await isOff()).toBe('true');
  await widget.field.fill('one');
  expect(await isOff()).toBe('false');
  const skip = await widget.button('Skip').boundingBox();
  await widget.send.click();
  await widget.botSays('Two?');
  await widget.panel.getByLabel('E-mail address').waitFor();
  await expect.poll(() => widget.field.getAttribute('maxlength')).toBe('320');
  expect(await widget.button('Skip').boundingBox()).toEqual(skip);
  await widget.button('Skip').click();
  await widget.botSays('Three?');
  // A field of several lines shows how to send.
  await widget.shows('Ctrl + Enter sends');
});
