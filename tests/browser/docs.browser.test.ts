import { join } from 'node:path';
import { eventually } from '@parley/testing/eventually';
import type { Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { contrastRule, expectAccessible } from './inspect.ts';
import { everywhere, lookAt, pictures } from './screenshots.ts';
import { desktop, narrow, openBrowser } from './tab.ts';

const { baseUrl, apiKey, apiSecret, workspaceId } = inject('local');
const docs = `${baseUrl}/docs`;

// Everything is checked, also collapsed parts.
const unfold = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true;
  });

/** Leaves the first operation of each group. All have the same parts and colours, and axe takes long for each. */
const thinOut = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const one of document.querySelectorAll('.operation ~ .operation')) one.remove();
  });

test('the API reference is accessible, violates no policy and calls no other host', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${docs}#createInteraction`);
  await unfold(page);
  await lookAt('docs', tab, { ...everywhere, inspected: [] });
  await expectAccessible(page, { without: contrastRule });
  await thinOut(page);
  for (const window of [narrow, desktop]) {
    await page.setViewportSize(window);
    await expectAccessible(page);
  }
  expect([...hosts]).toEqual([new URL(baseUrl).host]);
});

test('the API reference is accessible in the dark scheme of the system or the reader', async () => {
  await using tab = await openBrowser({ colorScheme: 'dark' });
  const { page } = tab;
  await page.goto(docs);
  await unfold(page);
  await page.screenshot({ path: join(pictures, 'docs-dark.png') });
  await thinOut(page);
  await expectAccessible(page, { only: contrastRule });
  const theme = () => page.locator('html').getAttribute('data-theme');
  expect(await theme()).toBe('dark');
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(await theme()).toBe('light');
});

test('a deep link opens its operation, with samples that have the key and ids of the local run', async () => {
  await using tab = await openBrowser();
  const { page, context } = tab;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${docs}#createInteraction`);
  const operation = page.locator('#createInteraction');
  await eventually(async () => expect((await operation.boundingBox())?.y).toBeLessThan(200));
  await page.locator('nav a[aria-current]', { hasText: 'Create an interaction' }).waitFor();

  await operation.getByRole('button', { name: 'Copy curl' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain(`curl '${baseUrl}/v1/workspaces/${workspaceId}/interactions'`);
  expect(copied).toContain(`--user '${apiKey}:${apiSecret}'`);

  await page.getByRole('button', { name: 'TypeScript', exact: true }).click();
  await operation.getByText(`parley.workspace('${workspaceId}').interactions.create(`).waitFor();
  expect(await operation.locator('.curl').isVisible()).toBe(false);
  await page.reload();
  expect(await operation.locator('.typescript').isVisible()).toBe(true);
});

test('the search finds an operation by one of its fields, and Enter opens it', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(docs);
  await page.keyboard.press('/');
  await page.keyboard.type('overlapSeconds');
  await page.getByRole('status').getByText('1 found').waitFor();
  expect(await page.locator('nav li:visible').count()).toBe(1);
  await page.keyboard.press('Enter');
  const operation = page.locator('#rotateSigningSecret');
  await eventually(async () => expect((await operation.boundingBox())?.y).toBeLessThan(200));
  expect(page.url()).toBe(`${docs}#rotateSigningSecret`);
  expect(tab.faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
});
