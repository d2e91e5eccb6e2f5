import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, signIn, type Stage } from './console-stage.ts';
import { everywhere, lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

// The view of steps in the editor of bots.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const cardOf = (page: Page, number: number): Locator =>
  page.getByRole('listitem', { name: new RegExp(`^Step ${number}: `) });
const exactly = { exact: true };
const isSaved = (page: Page) => page.getByText('Saved as the draft').waitFor();
const definitionOf = async (id: string) => (await stage.place.workspace.client.bots.getDraft(id)).definition;

/** A user with a mouse, whose clicks are counted. To choose from a list of the browser takes two. */
function clicking() {
  let clicks = 0;
  return {
    clicks: () => clicks,
    click: async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    },
    choose: async (target: Locator, label: string): Promise<void> => {
      clicks += 2;
      await target.selectOption({ label });
    },
    write: async (target: Locator, text: string): Promise<void> => {
      clicks += 1;
      await target.fill(text);
    },
  };
}

test('from nothing to a live bot of three questions with a branch takes at most 40 clicks, without keys', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  const { click, choose, write, clicks } = clicking();
  await click(page.getByRole('link', { name: 'Bots', exact: true }));
  await click(page.getByRole('button', { name: 'New bot' }));
  const dialog = page.getByRole('dialog');
  await write(dialog.getByLabel('Name', exactly), 'After the delivery');
  await click(dialog.getByRole('button', { name: 'New bot' }));

  await write(cardOf(page, 1).getByLabel('Text', exactly), 'How happy are you with the delivery?');
  await click(page.getByRole('button', { name: 'Insert a step as number 2' }));
  await click(dialog.getByRole('button', { name: 'Long text' }));
  await page.keyboard.type('What went wrong?');
  await click(page.getByRole('button', { name: 'Insert a step as number 3' }));
  await click(dialog.getByRole('button', { name: 'Yes or no' }));
  await page.keyboard.type('May we call you?');
  const first = cardOf(page, 1);
  await click(first.getByRole('button', { name: 'Add “if … go to”' }));
  await choose(first.getByLabel('Comparison', exactly), 'is at least');
  await write(first.getByLabel('Compared with', exactly), '4');
  await choose(first.getByLabel('go to', exactly), '3. May we call you?');
  await page.getByText('Nothing is wrong.').waitFor();
  await lookAt('console-steps', tab, everywhere);

  await click(page.getByRole('button', { name: 'Check and publish…' }));
  await click(page.getByRole('button', { name: 'Publish', exact: true }));
  await page.getByText('Version 2 is live').waitFor();
  expect(clicks()).toBeLessThanOrEqual(40);
  const [, id = ''] = /\/bots\/([^/]+)\/edit/.exec(page.url()) ?? [];
  const { definition } = await stage.place.workspace.client.bots.getVersion(id, 2);
  expect(definition).toMatchObject({
    evaluation: { rating: {}, longText: {}, yesNo: {} },
    steps: [
      { id: 'rating', next: [{ if: 'answers.rating >= 4', goto: 'yesNo' }, { else: 'longText' }] },
      { id: 'longText', kind: 'ask', text: 'What went wrong?', input: { type: 'longText' } },
      { id: 'yesNo', kind: 'ask', text: 'May we call you?', input: { type: 'yesNo' } },
      { id: 'bye', kind: 'end' },
    ],
  });
  expect(tab.faults).toEqual([]);
});
