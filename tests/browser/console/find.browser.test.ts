import { createWorkspace } from '@parley/testing/api';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { hold, simple } from '../../insight/insight-conversations.ts';
import { createLink } from '../../people/console-people.ts';
import { inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';
import { openOverview, openStage, type Stage } from './console-stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const field = (page: Page) => page.getByRole('combobox', { name: 'Find and open' });
const option = (page: Page, name: string) => page.getByRole('option', { name });

test('Ctrl+K opens whatever has a name, by the keyboard alone, also from a field', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const isFocused = () => field(page).evaluate((input) => input === document.activeElement);
  await page.keyboard.press('Control+k');
  await option(page, 'Audit log').waitFor();
  await option(page, 'New bot').waitFor();
  await lookAt('console-find', tab, inBothLayouts);
  await page.setViewportSize(desktop);

  const opens: [typed: string, name: string, path: string][] = [
    ['audit', 'Audit log', '/access/audit'],
    ['nps second', 'NPS, second version', `/bots/${stage.place.botId}`],
    ['edit nps', 'Edit NPS, second version', `/bots/${stage.place.botId}/edit`],
    ['table 7', 'Table 7 NPS, second version', `/bots/${stage.place.botId}/links`],
    ['127', 'http://127.0.0.1', `/webhooks/${stage.webhookId}`],
    ['ada', 'c-1001', '/customers/c-1001'],
    ['prl', 'prl_key', '/access'],
    ['olga', 'Olga Operator', '/access/members'],
    [stage.ofAda, stage.ofAda, `/interactions/${stage.ofAda}`],
  ];
  for (const [typed, name, path] of opens) {
    await page.keyboard.press('Control+k');
    await expect.poll(isFocused).toBe(true);
    await page.keyboard.type(typed);
    await option(page, name).first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === new URL(stage.address(path)).pathname);
    await expect.poll(() => field(page).inputValue()).toBe('');
  }

  // Arrows choose, Escape closes, and a field of the screen gives the key away.
  await page.goto(stage.address('/customers'));
  await page.getByRole('main').getByRole('searchbox').focus();
  await page.keyboard.press('Meta+k');
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('ArrowDown');
  const second = await page.getByRole('listbox').getByRole('option').nth(1).getAttribute('id');
  expect(await field(page).getAttribute('aria-activedescendant')).toBe(second);
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  expect(await field(page).getAttribute('aria-expanded')).toBe('false');
  expect(tab.faults).toEqual([]);
});

test('a name is found on each page of a list, also after something with it was created', async () => {
  const { client } = stage.place.workspace;
  const names = Array.from({ length: 55 }, (_, index) => `Till ${100 + index}`);
  for (const name of names) {
    await client.keys.create({ name, scopes: ['bots:read'] });
    await client.bots.openLinks.create(stage.place.botId, { name: `Entrance of ${name}` });
  }
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  for (const name of ['Till 100', 'Till 154', 'Entrance of Till 100', 'Entrance of Till 154']) {
    await field(page).fill(name);
    await page
      .getByRole('option')
      .filter({ has: page.getByText(name, { exact: true }) })
      .waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'New open link' }).click();
  const dialog = page.getByRole('dialog', { name: 'New open link' });
  await dialog.getByLabel('What it is for').fill('Back door');
  await dialog.getByRole('button', { name: 'New open link' }).click();
  await page.getByRole('article', { name: 'Back door' }).waitFor();
  await field(page).fill('back door');
  await option(page, 'Back door').waitFor();
  expect(tab.faults).toEqual([]);
});

test('an action opens its window once, and above a window Ctrl+K does nothing', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await field(page).fill('new webh');
  await option(page, 'New webhook').click();
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor();
  await page.keyboard.press('Control+k');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).not.toBe('combobox');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('Last success').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  // On the same screen again.
  await field(page).fill('new webh');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New webhook' }).waitFor();
});

test('a viewer finds no actions that are refused, and Ctrl+K works without shortcuts of single keys', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage, 'viewer');
  await page.evaluate(() => localStorage.setItem('parley-console-single-keys', 'off'));
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.keyboard.press('/');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.keyboard.press('Control+k');
  await option(page, 'Bots').waitFor();
  expect(await option(page, 'New bot').count()).toBe(0);
});

test('first steps in an empty workspace tick themselves off, and stay away when they are dismissed', async () => {
  const workspace = await createWorkspace(stage.place.baseUrl, inject('operator'));
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(
    `${stage.place.baseUrl}/console/sign-in/link#${await createLink(inject('operator'), workspace.id)}`,
  );
  const steps = page
    .getByRole('region', { name: 'First steps' })
    .or(page.locator('section', { hasText: 'First steps' }));
  await steps.getByText('1 of 5 done').waitFor();
  await lookAt('console-first-steps', tab, inBothLayouts);
  await steps.getByRole('link', { name: 'Create a bot' }).click();
  await page.getByRole('dialog', { name: 'New bot' }).waitFor();
  await page.keyboard.press('Escape');

  const { id: botId } = await workspace.client.bots.create(simple);
  const place = { ...stage.place, workspace, botId };
  await hold(place, { customerId: 'first', answers: [9] });
  await page.reload();
  await page.getByRole('link', { name: 'Overview' }).click();
  await steps.getByText('4 of 5 done').waitFor();
  const done = await steps
    .getByRole('listitem')
    .filter({ has: page.getByLabel('Done') })
    .getByRole('link')
    .allInnerTexts();
  expect(done).toEqual(['Create a bot', 'Try it', 'Create an API key', 'Invite the first customers']);
  await steps.getByRole('button', { name: 'Dismiss' }).click();
  await steps.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByText('Start rate').waitFor();
  expect(await steps.count()).toBe(0);
  expect(tab.faults).toEqual([]);
});
