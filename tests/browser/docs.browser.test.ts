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
  await expect.poll(() => operation.locator('.curl').isVisible()).toBe(false);
  await page.reload();
  await expect.poll(() => operation.locator('.typescript').isVisible()).toBe(true);
});

test('the search finds operations by fields, errors by type, and guides by their words', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(docs);
  await expect.poll(() => page.locator('nav li:visible', { hasText: 'lost-race' }).count()).toBe(0);
  const expected = {
    botKey: ['Create an interaction'],
    allowedDomains: ['Get a workspace'],
    'lost-race': ['lost-race', 'Change status, priority, expiry or availability of an interaction', 'Errors'],
    sign_customer_token: ['Sessions of customers'],
  };
  for (const [words, titles] of Object.entries(expected)) {
    await page.locator('#search').fill(words);
    const found = (await page.locator('nav li:visible').allInnerTexts()).join('\n');
    for (const title of titles) expect(found, words).toContain(title);
  }
  await page.locator('#search').fill('lost-race');
  // An Enter that ends a composition opens nothing. Safari marks it by the code only.
  const chromium = await page.context().newCDPSession(page);
  await chromium.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    windowsVirtualKeyCode: 229,
  });
  await chromium.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Enter', windowsVirtualKeyCode: 229 });
  expect(page.url()).toBe(docs);
  await page.keyboard.press('Enter');
  await eventually(() => expect(page.url()).toBe(`${docs}#error-lost-race`));

  await page.locator('#search').fill('');
  await page.locator('#search').blur();
  // A shortcut of a single key would have to be switched off (WCAG 2.1.4).
  await page.keyboard.press('/');
  expect(await page.locator('#search').evaluate((field) => field.matches(':focus'))).toBe(false);
  await page.locator('#search').click();
  await page.keyboard.type('overlapSeconds');
  await page
    .getByRole('status')
    .getByText(/^\d found$/)
    .waitFor();
  const [first, ...others] = await page.locator('nav li:visible').allInnerTexts();
  expect(first).toContain('Create a new signing secret');
  expect(others).toContain('Receiving webhooks');
  await page.keyboard.press('Enter');
  const operation = page.locator('#rotateSigningSecret');
  await eventually(async () => expect((await operation.boundingBox())?.y).toBeLessThan(200));
  expect(page.url()).toBe(`${docs}#rotateSigningSecret`);
  expect(tab.faults.filter((fault) => !fault.includes('Failed to load resource'))).toEqual([]);
});

test('the guides are accessible, and their links work', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(`${baseUrl}/guides/`);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Sessions of customers', exact: true }).click();
  await page.getByRole('heading', { name: 'Tokens of your own' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'how to set them' }).click();
  expect(page.url()).toBe(`${baseUrl}/guides/sdk#set-it-up`);
  expect(tab.faults).toEqual([]);
});
