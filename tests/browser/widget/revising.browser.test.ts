import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../inspect.ts';
import { focused, pressUntil } from '../keyboard.ts';
import { openBrowser, openTab } from '../tab.ts';
import { widgetOf } from '../widget.ts';
import { keyboard, mouse } from './replies.ts';
import { openShop, type Shop } from './shop.ts';

// Answers that a customer changes.

const bot = {
  schemaVersion: 1,
  key: 'revised',
  name: 'Revised',
  type: 'Test',
  revise: true,
  evaluation: { score: {}, why: {}, name: {} },
  steps: [
    { id: 'score', kind: 'ask', text: 'How was it?', input: { type: 'nps' }, evaluation: 'score' },
    {
      id: 'why',
      kind: 'ask',
      when: 'answers.score < 7',
      text: 'What went wrong?',
      input: { type: 'longText' },
      evaluation: 'why',
    },
    { id: 'name', kind: 'ask', text: 'Your name?', input: { type: 'text' }, evaluation: 'name' },
    { id: 'end', kind: 'ask', text: 'Anything else?', input: { type: 'text' }, required: false },
    { id: 'bye', kind: 'end', text: 'Thank you, {{answers.name}}.' },
  ],
};

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(bot);
});
afterAll(() => shop[Symbol.asyncDispose]());

test('an answer is changed by keys alone: its question gets the focus, and former entries are struck through', async () => {
  const customerId = 'changes by keys';
  const { id } = await shop.create(customerId, { botId, priority: 'Low' });
  await using tab = await openBrowser();
  const { page, faults } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId }).url);
  await widget.launcher.waitFor();
  await keyboard.begin(page);
  // The teaser has the same words.
  await widget.option('9').waitFor();
  await keyboard.reply(page, { choose: '9' });
  await widget.botSays('Your name?');
  await keyboard.reply(page, { write: 'Grace' });
  await widget.botSays('Anything else?');
  await pressUntil(page, 'Shift+Tab', ({ name }) => name === 'Change: 9');
  await page.keyboard.press('Enter');
  await widget.shows('Change your answer');
  await expect.poll(async () => (await focused(page)).name).toBe('9');
  const group = page.getByRole('group', { name: 'Change your answer How was it?' });
  await group.waitFor();
  await expectAccessible(page);
  await keyboard.reply(page, { choose: '3' });
  await widget.botSays('What went wrong?');
  await expect.poll(async () => (await focused(page)).tag).toBe('textarea');
  expect(await widget.log.locator('s').allTextContents()).toEqual(['9/10', 'Anything else?']);
  expect(await widget.log.locator('.entry.customer').allTextContents()).toEqual([
    expect.stringMatching(/^Changed\. You: 9\/10$/),
    expect.stringContaining('Grace'),
    expect.stringContaining('3/10'),
  ]);
  await expectAccessible(page);
  await keyboard.reply(page, { write: 'It was late' });
  await widget.botSays('Anything else?');
  await keyboard.reply(page, 'skip');
  await widget.botSays('Thank you, Grace.');
  expect(await widget.log.getByRole('button').count()).toBe(0);
  const { data } = await shop.read(id);
  expect(JSON.parse(String(data)).evaluation).toEqual({ score: '3', why: 'It was late', name: 'Grace' });
  expect(faults).toEqual([]);
});

test('the page of a link has a way back and forth, and another tab follows a change', async () => {
  const { link } = await shop.create('goes back', { botId });
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(link);
  await widget.button('Start').click();
  await widget.option('2').waitFor();
  expect(await widget.button('Back').count()).toBe(0);
  await mouse.reply(page, { choose: '2' });
  await widget.botSays('What went wrong?');
  await mouse.reply(page, { write: 'Late' });
  await widget.botSays('Your name?');
  const other = await openTab(tab.context);
  await other.page.goto(link);
  await widgetOf(other.page).button('Continue').click();
  await widgetOf(other.page).botSays('Your name?');

  await widget.button('Back').click();
  await expect.poll(() => widget.field.inputValue()).toBe('Late');
  await widget.button('Back').click();
  await widget.shows('Change your answer How was it?');
  expect(await widget.button('Back').count()).toBe(0);
  await expectAccessible(page);
  await widget.button('Cancel').click();
  await widget.button('Back').click();
  await expect.poll(() => widget.field.inputValue()).toBe('Late');
  await mouse.reply(page, { write: 'Very late' });
  await widget.botSays('Your name?');
  for (const shown of [widget, widgetOf(other.page)]) {
    await expect.poll(() => shown.log.locator('s').allTextContents()).toEqual(['Late', 'Your name?']);
    await shown.botSays('Your name?');
  }
});
