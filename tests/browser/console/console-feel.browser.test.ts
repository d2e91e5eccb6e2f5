import { randomUUID } from 'node:crypto';
import { createWorkspace } from '@parley/testing/api';
import { eventually } from '@parley/testing/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLink, signInWithoutPersonalData } from '../../people/console-people.ts';
import { openOverview, openStage, shown, signIn, type Stage, takeSession } from './console-stage.ts';
import { lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

// What makes the console pleasant: it says what happens, keeps still, and forgives.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const search = (page: Page) => page.getByRole('combobox', { name: 'Find and open' });

test('a customer is found by both names, and the search says what it needs', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await search(page).fill('a');
  await page.getByText('Type at least two characters.').waitFor();
  await search(page).fill('grace love');
  await page.getByRole('option', { name: 'c-1002' }).waitFor();
  await search(page).fill('ada engel');
  await page.getByText('No customer begins like this.').waitFor();
  await search(page).fill('lovelace, ada');
  await page.getByRole('option', { name: 'c-1001' }).click();
  await page.getByRole('heading', { name: 'c-1001' }).waitFor();
  await eventually(async () => expect(await page.title()).toBe('Ada Lovelace c-1001 – Parley console'));
  // The keys of the screen work at once.
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('heading', { name: 'Bots' }).waitFor();
  await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('main');
  expect(tab.faults).toEqual([]);
});

test('Enter opens what the text of now finds, and not while the text is composed', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const start = page.url();
  const cdp = await page.context().newCDPSession(page);
  await search(page).focus();
  const composed = { text: 'c-1001', selectionStart: 6, selectionEnd: 6 };
  await cdp.send('Input.imeSetComposition', composed);
  await page.getByRole('option', { name: 'c-1001' }).waitFor();
  await page.keyboard.press('Enter');
  await cdp.send('Input.insertText', { text: 'c-1001' });
  expect(page.url()).toBe(start);
  await expect.poll(() => search(page).inputValue()).toBe('c-1001');
  await page.getByRole('option', { name: 'c-1001' }).waitFor();

  // The answer about the second text comes after Enter.
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/customers\?.*q=c-1002/, async (route) => {
    await held;
    await route.continue();
  });
  await search(page).fill('c-1002');
  await page.keyboard.press('Enter');
  expect(page.url()).toBe(start);
  release();
  await page.getByRole('heading', { name: 'c-1002' }).waitFor();
  await expect.poll(() => search(page).inputValue()).toBe('');

  // What nobody waits for any more opens nothing.
  const late = Promise.withResolvers<void>();
  await page.route(/\/customers\?.*q=c-1003/, async (route) => {
    await late.promise;
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  await search(page).fill('c-1003');
  await page.keyboard.press('Enter');
  await search(page).fill('c-100');
  late.resolve();
  await page.getByRole('option', { name: 'c-1002' }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/c-1002$/);
});

test('the navigation clears the fields, and typing is never undone by its own address', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  const customers = page.getByRole('link', { name: 'Customers', exact: true });
  await customers.click();
  const field = page.getByRole('searchbox').last();
  await field.pressSequentially('c-1001 is looked for');
  await eventually(() => expect(new URL(page.url()).searchParams.get('q')).toBe('c-1001 is looked for'));
  await expect.poll(() => field.inputValue()).toBe('c-1001 is looked for');
  await search(page).fill('Ada');
  await customers.click();
  await page.getByRole('link', { name: 'c-1001' }).waitFor();
  expect(new URL(page.url()).search).toBe('');
  await expect.poll(() => field.inputValue()).toBe('');
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await page.getByRole('heading', { name: 'Bots' }).waitFor();
  await expect.poll(() => search(page).inputValue()).toBe('');
  await page.goBack();
  await page.goto(stage.address('/customers?q=c-1002'));
  await page.getByRole('link', { name: 'c-1002' }).waitFor();
  await expect.poll(() => field.inputValue()).toBe('c-1002');
});

test('another bot has its own evaluation keys in the filter', async () => {
  const { client } = stage.place.workspace;
  const steps = [
    { id: 'mood', kind: 'ask', text: 'How are you?', input: { type: 'text' }, evaluation: 'mood' },
  ];
  const other = await client.bots.create({
    schemaVersion: 1,
    key: 'moods',
    name: 'Moods',
    type: 'Feedback',
    evaluation: { mood: {} },
    steps: [...steps, { id: 'bye', kind: 'end' }],
  });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/interactions?bot=${stage.place.botId}`));
  const key = page.getByRole('combobox', { name: 'Evaluation' });
  await key.selectOption('nps_segment');
  await page.getByLabel('equals').fill('promoter');
  await page.getByRole('combobox', { name: 'Bot' }).selectOption(other.id);
  await expect.poll(() => key.inputValue()).toBe('mood');
  await expect.poll(() => page.getByLabel('equals').inputValue()).toBe('');
  await page.getByLabel('equals').fill('fine');
  await page.keyboard.press('Enter');
  await eventually(() => expect(new URL(page.url()).searchParams.get('evaluation')).toBe('mood:fine'));
});

test('people without personal data find a customer by the whole id', async () => {
  const { cookie } = await signInWithoutPersonalData(inject('operator'), stage.place, 'viewer', 'Vera');
  await using tab = await openBrowser();
  const { page, context } = tab;
  await takeSession(context, stage.place.baseUrl, cookie);
  await page.goto(stage.address('/bots'));
  await search(page).fill('c-1001');
  await page.getByText('Names are hidden from you: type the whole id.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'c-1001' }).waitFor();
  await page.getByText('hidden').first().waitFor();
});

test('a lost network is said, and the screen continues with the network', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  await openOverview(page, stage);
  await context.setOffline(true);
  const words = page.getByText('No network. What you see may be old.');
  await words.waitFor();
  await page.getByRole('link', { name: 'Interactions', exact: true }).click();
  await lookAt('console-offline', tab);
  await context.setOffline(false);
  await words.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'c-1005' }).waitFor();
});

test('a double click creates one thing, and a window begins with its first field', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const { client } = stage.place.workspace;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions'));
  await page.getByRole('button', { name: 'New interaction' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.type('twice');
  await dialog.getByRole('button', { name: 'New interaction' }).dblclick();
  await dialog.getByText('The interaction of twice is ready.').waitFor();
  const { meta } = await client.interactions.list({ customerId: 'twice' });
  expect(meta.totalResults).toBe(1);
});

test('the first row has the focus after one key', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/customers?q=c-100'));
  await page.getByRole('link', { name: 'c-1001' }).waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('c-1001');
  await page.keyboard.press('j');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('c-1002');
});

test('a key ends with the day that was chosen', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/access'));
  await page.getByRole('button', { name: 'New API key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('for a while');
  await dialog.getByLabel('Valid to the end of this day').fill('2099-12-31');
  await dialog.getByLabel('bots:read').check();
  await lookAt('console-new-key', tab);
  await dialog.getByRole('button', { name: 'New API key' }).click();
  await dialog.getByText('The secret is shown only now.').waitFor();
  const { data } = await stage.place.workspace.client.keys.list();
  const end = await page.evaluate(() => new Date(2100, 0, 1).toISOString());
  const made = data.find(({ name }) => name === 'for a while');
  expect(made && new Date(`${made.expiresAt}Z`).toISOString()).toBe(end);
});

test('a bot is created in an empty workspace, and opens in the editor', async () => {
  const { client, id } = await createWorkspace(stage.place.baseUrl, inject('operator'));
  await using tab = await openBrowser();
  const { page } = tab;
  const code = await createLink(inject('operator'), id);
  await page.goto(`${stage.place.baseUrl}/console/sign-in/link#${code}`);
  await page.getByText('There are no bots yet').waitFor();
  await lookAt('console-empty', tab);
  await page.getByRole('link', { name: 'Interactions', exact: true }).click();
  await page.getByRole('link', { name: 'From CSV…' }).click();
  await page.getByText('There are no bots yet').waitFor();
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await page.getByRole('button', { name: 'New bot' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Große Umfrage!');
  await expect.poll(() => dialog.getByLabel('Key').inputValue()).toBe('grosse-umfrage');
  await dialog.getByLabel('Key').fill('survey');
  await lookAt('console-new-bot', tab);
  await dialog.getByRole('button', { name: 'New bot' }).click();
  await page.getByText('Nothing is wrong.').waitFor();
  await page.frameLocator('iframe').getByRole('button', { name: 'Start' }).waitFor();
  expect((await client.bots.list()).data.map(({ name }) => name)).toEqual(['Große Umfrage!']);
  expect(tab.faults).toEqual([]);
});

test('long texts, other scripts and markup stay in their places', async () => {
  const { client } = stage.place.workspace;
  const id = `${'very-long-id-'.repeat(6)}${randomUUID()}`;
  await client.customers.create({
    id,
    firstName: 'Maximiliana'.repeat(8),
    lastName: '<b>bold</b> محمد 😀',
    email: `${'x'.repeat(60)}@example.com`,
  });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/customers/${id}`));
  await page.getByText('<b>bold</b> محمد 😀').first().waitFor();
  await shown(page);
  await lookAt('console-long-name', tab, { windows: ['desktop', 'phone', 'narrow'] });
  await search(page).fill('very-long');
  await page.getByRole('option', { name: id }).waitFor();
  await lookAt('console-long-found', tab);
});

test('before its script is there, the page shows its frame, which keeps still where motion is reduced', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.route('**/console/files/main-*', (route) => route.abort());
  await page.goto(stage.address('/interactions'));
  await page.locator('.frame').waitFor();
  const moving = () =>
    page.evaluate(() => document.getAnimations().map((one) => (one as CSSAnimation).animationName));
  await expect.poll(moving).not.toContain('pulse');
  await lookAt('console-frame', tab);
});
