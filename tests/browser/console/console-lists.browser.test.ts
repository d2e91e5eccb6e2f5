import { text } from 'node:stream/consumers';
import { eventually } from '@parley/testing/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, shown, signIn, type Stage } from './console-stage.ts';
import { expectStill } from '../inspect.ts';
import { lookAt } from '../screenshots.ts';
import { desktop, openBrowser } from '../tab.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** Creates drafts of customers whose ids begin with a name, the last one first in the list. */
async function addDrafts(name: string, count: number, priority: 'Low' | 'High' = 'Low'): Promise<void> {
  const { workspace, botId } = stage.place;
  const interactions = Array.from({ length: count }, (_, index) => ({
    customerId: `${name}-${String(index).padStart(3, '0')}`,
    botId,
    priority,
  }));
  await workspace.client.interactions.createBulk({ interactions });
}

const box = (page: Page, customer: string) => page.getByRole('checkbox', { name: `Select ${customer}` });
const chosen = (page: Page) => page.getByRole('region', { name: 'Selected interactions' });

test('selected interactions are deleted after their number is typed, also a range that was out of view', async () => {
  await addDrafts('drop', 130);
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?priority=Low'));
  await box(page, 'drop-129').click();
  await chosen(page).getByText('1 selected').waitFor();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await box(page, 'drop-005').click({ modifiers: ['Shift'] });
  await chosen(page).getByText('125 selected').waitFor();
  await box(page, 'drop-005').click();
  await chosen(page).getByText('124 selected').waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await shown(page);
  await lookAt('console-chosen', tab);
  await chosen(page).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 124 interactions?' });
  const confirm = dialog.getByRole('button', { name: 'Delete 124 interactions' });
  await dialog.getByLabel('Type 124 to confirm').fill('12');
  await expect.poll(() => confirm.isDisabled()).toBe(true);
  await lookAt('console-chosen-delete', tab);
  await dialog.getByLabel('Type 124 to confirm').fill('124');
  await confirm.click();
  await page.getByText('124 interactions are deleted').waitFor();
  await page.getByRole('link', { name: 'drop-005' }).waitFor();
  const { meta } = await stage.place.workspace.client.interactions.list({ priority: 'Low' });
  expect(meta.totalResults).toBe(6);
  expect(tab.faults).toEqual([]);
});

test('a keyboard selects rows, and those that cannot be ended are listed with the reason', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?customer=c-1002'));
  await page.getByRole('link', { name: 'c-1002' }).focus();
  await page.keyboard.press('x');
  await chosen(page).getByRole('button', { name: 'End now' }).click();
  await page.getByLabel('Type 1 to confirm').fill('1');
  await page.keyboard.press('Enter');
  const failed = page.getByRole('alert');
  await failed.getByText('1 has failed:').waitFor();
  await expect.poll(() => failed.getByRole('listitem').innerText()).toMatch(/^c-1002 .*Completed/);
  await lookAt('console-chosen-failed', tab);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => box(page, 'c-1002').isChecked()).toBe(true);

  await page.goto(stage.address('/interactions?customer=c-1003'));
  await box(page, 'c-1003').waitFor();
  await page.getByRole('checkbox', { name: 'Select all rows in view' }).press('Space');
  await expect.poll(() => box(page, 'c-1003').isChecked()).toBe(true);
  await chosen(page).getByRole('button', { name: 'Clear selection' }).click();
  await expect.poll(() => box(page, 'c-1003').isChecked()).toBe(false);
});

test('all that match are chosen, also those that were never in view, and another filter ends the selection', async () => {
  await addDrafts('every', 120, 'High');
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?priority=High'));
  await box(page, 'every-119').click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Draft');
  await chosen(page).waitFor({ state: 'hidden' });
  await page.getByRole('combobox', { name: 'Status' }).selectOption('');
  await page.getByRole('link', { name: 'every-119' }).waitFor();
  await shown(page);
  await expect.poll(() => chosen(page).count()).toBe(0);

  await page.getByRole('checkbox', { name: 'Select all rows in view' }).click();
  const all = chosen(page).getByRole('button', { name: 'Select all 120 that match' });
  await lookAt('console-choose-all', tab);
  await page.setViewportSize(desktop);
  await all.click();
  await chosen(page).getByText('120 selected').waitFor();
  await all.waitFor({ state: 'hidden' });
  await chosen(page).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 120 interactions?' });
  await dialog.getByLabel('Type 120 to confirm').fill('120');
  await page.keyboard.press('Enter');
  await dialog.getByRole('progressbar', { name: 'Progress' }).waitFor();
  await page.getByText('120 interactions are deleted').waitFor();
  const { meta } = await stage.place.workspace.client.interactions.list({ priority: 'High' });
  expect(meta.totalResults).toBe(0);
  expect(tab.faults).toEqual([]);
});

test('columns are shown by choice, keep the width that they are given, and say the order', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?customer=c-1001'));
  await page.getByText('Columns', { exact: true }).click();
  for (const name of ['Version', 'Started', 'Completed', 'Changed'])
    await page.getByLabel(name, { exact: true }).last().check();
  await page.getByText('Columns', { exact: true }).click();
  expect(new URL(page.url()).searchParams.get('show')).toBe('version,started,completed,updated');
  const created = page.getByRole('columnheader', { name: 'Created' });
  await expect.poll(() => created.getAttribute('aria-sort')).toBe('descending');
  // Nothing looks as if a click could change the order.
  await expect.poll(() => page.getByRole('columnheader').locator('svg').count()).toBe(0);
  const widthOf = async (): Promise<number> => Math.round((await created.boundingBox())?.width ?? 0);
  const before = await widthOf();
  const handle = page.getByRole('separator', { name: 'Width of Created' });
  const place = await handle.boundingBox();
  if (!place) throw new Error('there is no handle');
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 30, y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(widthOf).toBe(before - 30);
  await handle.press('ArrowLeft');
  await expect.poll(widthOf).toBe(before - 46);
  await page.reload();
  await created.waitFor();
  await expect.poll(widthOf).toBe(before - 46);
  await lookAt('console-columns', tab);
  await page.setViewportSize(desktop);
  await handle.press('Enter');
  await eventually(async () => expect(await widthOf()).toBe(before));
  expect(tab.faults).toEqual([]);
});

test('an interaction shows its bot, its version and its times', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address(`/interactions/${stage.ofAda}`));
  const details = page.getByRole('definition').filter({ hasText: 'version 1' });
  await details.getByRole('link', { name: 'NPS, second version' }).waitFor();
  for (const name of ['Started', 'Completed', 'Changed'])
    await page.getByRole('term').getByText(name, { exact: true }).waitFor();
});

test('what the list shows is saved as NDJSON without a bot, narrowed by days', async () => {
  await using tab = await openBrowser({ edition: 'full' });
  const { page } = tab;
  await signIn(page, stage);
  await page.goto(stage.address('/interactions?status=Completed'));
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export…' });
  await dialog.getByText('For CSV, choose a bot').waitFor();
  await lookAt('console-export', tab);
  const save = async (): Promise<string[]> => {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save the file' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('interactions.ndjson');
    const saved = await text(await download.createReadStream());
    return saved
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { customerId: string }).customerId);
  };
  expect(await save()).toEqual(['c-1002']);
  await page.getByRole('button', { name: 'Export…' }).click();
  await dialog.getByLabel('Completed to').fill('2020-01-01');
  expect(await save()).toEqual([]);
});

test.each(['/interactions', '/customers', '/bots', '/webhooks'])(
  '%s keeps still while it is loaded',
  async (path) => {
    await using tab = await openBrowser();
    const { page } = tab;
    await signIn(page, stage);
    await page.goto(stage.address(path));
    await shown(page);
    await expectStill(page);
    expect(tab.faults).toEqual([]);
  },
);
