import { openSqlConnection } from '@parley/testing/database/sql';
import { startReceiver } from '@parley/testing/peers/receiver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOverview, openStage, shown, signIn, type Stage } from './console-stage.ts';
import { coloursOnly, inBothLayouts, lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';

// Webhooks without code: creating, settings, deleting.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test('a webhook is created, gets other events with a filter, and is deleted', async () => {
  await using receiver = await startReceiver();
  const { client } = stage.place.workspace;
  await using tab = await openBrowser();
  const { page } = tab;
  await openOverview(page, stage);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address (URL)').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Random' }).click();
  await dialog.getByRole('checkbox', { name: 'InteractionExpired' }).check();
  await lookAt('console-webhook-create', tab, inBothLayouts);
  await page.setViewportSize(desktop);
  await dialog.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('heading', { name: receiver.url }).waitFor();
  const webhookId = String(new URL(page.url()).pathname.split('/').at(-1));
  expect(await client.webhooks.get(webhookId)).toMatchObject({
    isActive: true,
    event: 'InteractionCompleted,InteractionExpired',
  });

  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();
  const filter = page.getByLabel('Filter', { exact: true });
  await filter.fill('interaction.botKy == 1');
  await page.getByText(/botKy/).last().waitFor();
  await filter.fill('int(evaluation.nps_score) < 7');
  await page.getByText('Try it on a sample event').click();
  await page.getByText('It is kept back').waitFor();
  const sample = page.getByLabel('What the filter sees of it, as JSON');
  await sample.fill((await sample.inputValue()).replace('"9"', '"3"'));
  await page.getByText(/It is sent/).waitFor();
  await page.getByRole('checkbox', { name: 'InteractionExpired' }).uncheck();
  await page.getByLabel('Attempts per second').fill('5');
  await page.getByLabel('At once after a pause').fill('10');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved').waitFor();
  expect(await client.webhooks.getOptions(webhookId)).toMatchObject({
    events: ['InteractionCompleted'],
    filter: 'int(evaluation.nps_score) < 7',
    rateLimit: { perSecond: 5, burst: 10 },
  });

  await using connection = await openSqlConnection(stage.place.postgresUrl);
  const { workspace } = stage.place;
  await connection.query(
    `insert into webhook.inbox_turn (durable, workspace_id, due_at) values ('webhook', $1, 'infinity')`,
    [workspace.id],
  );
  await page.goto(stage.address('/webhooks'));
  const delayed = page.getByText('Delayed: busy workspace');
  await delayed.waitFor();
  await page.goto(stage.address(`/webhooks/${webhookId}`));
  await delayed.waitFor();
  // What the other tests raise in the workspace waits, too.
  await page.getByText(/Events arrive late: .* \d+ events? waits?, since/).waitFor();
  await connection.query('update webhook.inbox_turn set due_at = now() where workspace_id = $1', [
    workspace.id,
  ]);
  await delayed.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Send a test' }).click();
  await dialog.getByLabel('Event', { exact: true }).selectOption('InteractionCompleted');
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  await dialog.getByText('The filter of the webhook refuses this event.').waitFor();
  await dialog.getByRole('checkbox', { name: 'Ignore the filter' }).check();
  await dialog.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('The test is on its way').waitFor();
  await page
    .getByRole('listitem')
    .getByRole('link', { name: /Conversation completed/ })
    .first()
    .waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click();

  await page.getByLabel('Address (URL)').fill('http://127.0.0.1');
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  const confirm = dialog.getByRole('button', { name: 'Delete webhook' });
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  const { host } = new URL(receiver.url);
  await dialog.getByLabel(`Type ${host} to confirm`).fill(host);
  await confirm.click();
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  await expect(client.webhooks.get(webhookId)).rejects.toMatchObject({ status: 404 });
  // Of the test that the filter has refused.
  expect(tab.faults.filter((fault) => !fault.includes('409 (Conflict)'))).toEqual([]);
});

test('a delivery is sent again by hand: its result is said, its body shown, its plan unmoved', async () => {
  await using own = await openStage();
  const { client } = own.place.workspace;
  await client.webhooks.update(own.webhookId, { isActive: true });
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, own);
  await page.goto(own.address(`/webhooks/${own.webhookId}`));
  await page
    .getByRole('link', { name: /Conversation completed/ })
    .first()
    .click();
  await page.getByText('Body that is sent').click();
  await page.getByLabel('Body that is sent').getByText('"customer_id": "c-1002"').waitFor();
  await page.getByText('The receiver has failed (HTTP 500)').first().waitFor();
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('It has failed again. The receiver has failed (HTTP 500)').first().waitFor();
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem');
  await attempts.nth(1).waitFor();
  await expect.poll(() => attempts.first().innerText()).not.toMatch(/Attempt 1\b/);
  await expect.poll(() => attempts.last().innerText()).toMatch(/Attempt 1\b/);
  own.answer({ status: 204 });
  await client.webhooks.update(own.webhookId, { isActive: true });
  await page.getByRole('button', { name: 'Retry now' }).click();
  await page.getByText('Delivered: the receiver has accepted it.').first().waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a delivered event again?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('Delivered: the receiver has accepted it.').first().waitFor();
  expect(tab.faults).toEqual([]);
});

test('a new signing secret stays until it is said to be saved', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/webhooks/${stage.webhookId}`));
  await page.getByRole('button', { name: 'New signing secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New signing secret' }).click();
  await dialog.getByText(/whsec_/).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  const asked = page.waitForEvent('dialog');
  await page.evaluate(() => history.back());
  await (await asked).dismiss();
  await expect.poll(() => dialog.getByText(/whsec_/).isVisible()).toBe(true);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'hidden' });
});

test.each(['light', 'dark'] as const)('the settings are accessible and fit: %s', async (colorScheme) => {
  const { client } = stage.place.workspace;
  const change = { filter: "interaction.botKey == 'nps'", asymmetricSignature: true };
  await client.webhooks.updateOptions(stage.webhookId, change);
  await using tab = await openBrowser({ colorScheme });
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/webhooks/${stage.webhookId}/settings`));
  await page.getByLabel('Filter', { exact: true }).waitFor();
  await page.getByText('Try it on a sample event').click();
  await page.getByText('Example').first().click();
  await shown(page);
  const look = colorScheme === 'dark' ? coloursOnly : inBothLayouts;
  await lookAt(`console-webhook-settings-${colorScheme}`, tab, look);
});
