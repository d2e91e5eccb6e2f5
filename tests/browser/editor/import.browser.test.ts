import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';
import { openStage, signIn, type Stage } from '../console/console-stage.ts';

// Bots from files: exports of other products.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const fixtures = resolve(import.meta.dirname, '../../../packages/bot-import/fixtures');

/** Expects each part of the file that is counted to be in the report, at a place of its own. */
async function expectAllPlaces(dialog: Locator): Promise<void> {
  const summary = await dialog.getByText(/^\d+ steps\. Of the file/).innerText();
  const [, converted, changed, dropped] = (summary.match(/\d+/g) ?? []).map(Number);
  const folds = dialog.locator('details:not([open]) > summary');
  while ((await folds.count()) > 0) await folds.first().click();
  for (const [words, count = 0] of [
    ['Converted', converted],
    ['Changed', changed],
    ['Dropped', dropped],
  ] as const) {
    const title = dialog.page().getByText(`${words} (${count})`, { exact: true });
    const places = dialog.locator('details').filter({ has: title }).locator('code');
    const shown = (await places.allInnerTexts()).map((place) => place.split(' → ')[0]);
    expect(shown).toHaveLength(count);
    expect(count).toBeGreaterThan(0);
    expect(shown.filter((place) => !place?.startsWith('/'))).toEqual([]);
  }
}

test('an export is dropped, its report is read first, and its draft opens in the editor', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/bots'));
  await page.getByRole('button', { name: 'Import a file…' }).click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Exported JSON file');
  const make = dialog.getByRole('button', { name: 'Create the draft' });
  expect(await make.isDisabled()).toBe(true);

  await field.setInputFiles({
    name: 'a.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{\n"a": }'),
  });
  await dialog.getByText('The first fault is in line 2.').waitFor();
  await field.setInputFiles({
    name: 'b.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"a": 1}'),
  });
  await dialog.getByText('The file is no export of Typebot, Typeform or Formbricks.').waitFor();
  expect(await make.isDisabled()).toBe(true);

  const text = await readFile(join(fixtures, 'typebot.json'), 'utf8');
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], 'typebot.json', { type: 'application/json' }));
    return transfer;
  }, text);
  await field.dispatchEvent('drop', { dataTransfer: dropped });
  await dialog.getByText(/^\d+ steps\. Of the file, \d+ parts are converted/).waitFor();
  await dialog.getByText('There is no step for Webhook.').waitFor();
  await expectAllPlaces(dialog);
  expect(await dialog.getByLabel('Name, for customers').inputValue()).toBe('Lead qualification');
  await lookAt('console-import', tab);

  await dialog.getByLabel('Key, for programs').fill('leads-imported');
  await make.click();
  await page.getByRole('button', { name: 'Source', exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Definition of the bot' });
  await expect.poll(() => editor.innerText()).toContain('"key": "leads-imported"');
  const { client } = stage.place.workspace;
  const [bot] = (await client.bots.list({ key: 'leads-imported' })).data;
  const draft = await client.bots.getDraft(bot?.id ?? '');
  expect(draft).toMatchObject({ baseVersion: 1, faults: [], definition: { name: 'Lead qualification' } });

  // Its first version only ends.
  await page.getByText('Not published yet').first().waitFor();
  const tryIt = page.getByRole('button', { name: 'Try as a test' });
  await expect.poll(() => tryIt.getAttribute('title')).toContain('Not published yet');
  await page.goto(stage.address('/bots'));
  const listed = page.getByRole('listitem').filter({ hasText: 'Lead qualification' });
  await listed.getByText('Not published yet').waitFor();
  const { steps } = draft.definition as { steps: unknown };
  await client.bots.publishVersion(bot?.id ?? '', { publishDraft: true });
  expect(steps).not.toEqual([]);
  expect(tab.faults).toEqual([]);
});

test('a draft that is not saved is saved by the next try, in the bot that exists by then', async () => {
  const { client } = stage.place.workspace;
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/bots'));
  await page.getByRole('button', { name: 'Import a file…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Exported JSON file').setInputFiles(join(fixtures, 'typeform.json'));
  const key = dialog.getByLabel('Key, for programs');
  await key.fill('form-imported');
  const make = dialog.getByRole('button', { name: 'Create the draft' });

  // The bot is created, and the answer is lost.
  const creation = `**/v1/workspaces/*/bots`;
  await page.route(creation, async (call) => {
    if (call.request().method() === 'POST') await call.fetch();
    await call.abort();
  });
  await make.click();
  await dialog.getByText('The server does not answer.').waitFor();
  await page.unroute(creation);
  const saving = '**/v1/workspaces/*/bots/*/draft';
  await page.route(saving, (call) => call.abort());
  await make.click();
  await dialog.getByText('The bot exists, but without its steps.').waitFor();
  await lookAt('console-import-unsaved', tab);
  await page.setViewportSize(desktop);
  await page.unroute(saving);
  expect(await key.getAttribute('readonly')).not.toBeNull();
  await dialog.getByLabel('Name, for customers').fill('Renamed meanwhile');
  await make.click();
  await page.getByRole('list', { name: 'Steps', exact: true }).waitFor();
  const { data } = await client.bots.list({ key: 'form-imported' });
  expect(data).toHaveLength(1);
  const { definition } = await client.bots.getDraft(data[0]?.id ?? '');
  expect(definition).toMatchObject({ key: 'form-imported', name: 'Renamed meanwhile' });
  expect(tab.faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
});
