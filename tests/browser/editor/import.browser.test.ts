import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';
import { openStage, signIn, type Stage } from '../console/console-stage.ts';

// Bots from files: exports of other products.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const fixtures = resolve(import.meta.dirname, '../../../packages/bot-import/fixtures');

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
