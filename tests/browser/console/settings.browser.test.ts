import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOverview, openStage, shown, signIn, type Stage } from './console-stage.ts';
import { lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

// What a workspace can set in the console: its look, its retention, a customer's profile, and links for receivers.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('the branding is changed with the page of customers beside it', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const frame = page.frameLocator('iframe[title="Preview of the conversation"]');
  await page.getByLabel('Name that customers see').fill('Fog & Leaf');
  await page.getByLabel('Colour of buttons').fill('#1f5c4a');
  await frame.getByText('Fog & Leaf').first().waitFor();
  await lookAt('console-settings', tab);
  const save = page.getByRole('button', { name: 'Save' }).first();
  await save.click();
  await page.getByText('The settings are saved').waitFor();
  const { client } = stage.place.workspace;
  expect(await client.branding.get()).toMatchObject({ displayName: 'Fog & Leaf', accentColor: '#1f5c4a' });
  await expect.poll(() => save.getAttribute('title')).toBe('Nothing has changed.');
  await page.getByLabel('Address of the link after the end').fill('http://shop.example');
  await page.getByLabel('Words of the link after the end').fill('Back to the shop');
  await save.click();
  await page.getByText('Must be an https URL').waitFor();
  expect(tab.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
});

test('the pages that may show the widget and the portal are set, and a wrong one is refused', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/settings'));
  const form = page.getByRole('heading', { name: 'Pages that may show Parley' }).locator('../..');
  await form.getByRole('textbox').fill('https://shop.example\n\nhttps://*.com');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Must not allow every host below the public suffix com').waitFor();
  await form.getByRole('textbox').fill('https://shop.example');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved').waitFor();
  await page.reload();
  await page.getByText('Pages that may show Parley').waitFor();
  await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('https://shop.example');
  expect(tab.faults.filter((fault) => !fault.includes('400'))).toEqual([]);
});

test('a shorter retention says how much it deletes, and waits for that number', async () => {
  const { client } = stage.place.workspace;
  await using tab = await openBrowser({ colorScheme: 'dark' });
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/settings'));
  const field = page.getByLabel('Days after which expired ones are deleted');
  await field.fill('1');
  const { interactions } = await client.retention.preview({ endedDays: 1 });
  const form = page.getByRole('heading', { name: 'How long interactions are kept' }).locator('../..');
  await form.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(interactions === 0 ? 'Nothing is deleted now' : 'deleted soon').waitFor();
  if (interactions > 0) {
    await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(String(interactions));
  }
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await client.retention.get()).toMatchObject({ endedDays: 1, completedDays: null });
  await lookAt('console-settings-dark', tab);
});

test("a customer's profile is edited", async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/customers/c-1001'));
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Last name').fill('King');
  await page.getByLabel('E-mail').fill('no address');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('E-mail').fill('ada.king@example.com');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('ada.king@example.com').waitFor();
  const customer = await stage.place.workspace.client.customers.get('c-1001');
  expect(customer).toMatchObject({ firstName: 'Ada', lastName: 'King', email: 'ada.king@example.com' });
});

test('a link for the receiver is made, opened once, and revoked', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/webhooks/${stage.webhookId}`));
  await shown(page);
  await page.getByRole('button', { name: 'Share with the receiver' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('For whom').fill('The shop');
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const url = await dialog.getByText('/console/portal/').innerText();
  await dialog.getByText('not opened yet').waitFor();
  await lookAt('console-portal-link', tab);
  await using receiver = await openBrowser();
  await receiver.page.goto(url);
  await receiver.page.getByText('/hook').first().waitFor();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByText('revoked').waitFor();
  await receiver.page.reload();
  await receiver.page.getByText('This link is not valid any more').waitFor();
});
