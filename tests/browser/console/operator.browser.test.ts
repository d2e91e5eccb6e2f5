import type { System } from '@parley/local/system';
import { createWorkspace } from '@parley/testing/api';
import { startTestSystem } from '@parley/testing/setup/system';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createLink, createOperatorLink } from '../../people/console-people.ts';
import { type Processes, processesOf } from '../../system/processes.ts';
import { shown } from './console-stage.ts';
import { coloursOnly, inBothLayouts, lookAt } from '../screenshots.ts';
import { openBrowser } from '../tab.ts';

// The operator's screen, of a system of its own: its processes are frozen.

let system: System;
let processes: Processes;
let baseUrl: string;

beforeAll(async () => {
  system = await startTestSystem({ replicas: { webhook: 2 } });
  processes = processesOf(system);
  ({ baseUrl } = system.local());
});
afterEach(() => processes.thawAll());
afterAll(() => system[Symbol.asyncDispose]());

/** Opens a link of the operator, which leads to the screen. */
async function signIn(page: Page): Promise<void> {
  const code = await createOperatorLink(system.operator, 'Olga Operator');
  await page.goto(`${baseUrl}/console/sign-in/link#${code}`);
  await page.waitForURL('**/console/operator');
  await shown(page);
}

test.each(['light', 'dark'] as const)(
  'says in words what is well and what is not, %s',
  async (colorScheme) => {
    await using tab = await openBrowser({ colorScheme });
    const { page } = tab;
    await signIn(page);
    await page.getByRole('heading', { name: 'Everything is well' }).waitFor();
    await page.getByRole('cell', { name: 'insight', exact: true }).first().waitFor();
    const look = colorScheme === 'dark' ? coloursOnly : inBothLayouts;
    await lookAt(`console-operator-${colorScheme}`, tab, look);

    await page.getByRole('heading', { name: 'Figures of bots' }).scrollIntoViewIfNeeded();
    await lookAt(`console-operator-below-${colorScheme}`, tab, { windows: ['desktop'], inspected: [] });
    await page.evaluate(() => scrollTo(0, 0));

    for (const name of ['webhook-2', 'customer']) processes.freeze(processes.pidOf(name));
    await page.getByText('No replica of customer answers').waitFor();
    await page.getByText(/^webhook 127\.0\.0\.1:\d+ does not answer, or cannot serve$/).waitFor();
    await page.getByRole('heading', { name: /things are not well$/ }).waitFor();
    await lookAt(`console-operator-not-well-${colorScheme}`, tab, look);

    const [runbook] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Runbook: No replica of customer answers' }).click(),
    ]);
    await runbook.getByRole('heading', { name: 'ParleyServiceAbsent' }).waitFor();
  },
);

test('updates while it is open, unless it is paused', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  await signIn(page);
  await page.keyboard.press('p');
  const checked = await page.getByText(/^Checked/).innerText();
  await page.getByRole('button', { name: 'Pause live updates' }).click();
  await page
    .getByText(/^Checked/)
    .filter({ hasNotText: checked })
    .waitFor();
});

test('speaks German', async () => {
  await using tab = await openBrowser({ locale: 'de-DE' });
  const { page } = tab;
  await signIn(page);
  await page.getByRole('heading', { name: 'Alles ist gut' }).waitFor();
  await page.getByRole('heading', { name: 'Ereignisstrom' }).waitFor();
  expect(tab.faults).toEqual([]);
});

test('is not in the navigation of others, whom it refuses in words', async () => {
  const { id } = await createWorkspace(baseUrl, system.operator);
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(`${baseUrl}/console/sign-in/link#${await createLink(system.operator, id)}`);
  const navigation = page.getByRole('navigation', { name: 'Screens' });
  await navigation.getByRole('link', { name: 'Access' }).waitFor();
  await expect.poll(() => navigation.getByRole('link', { name: 'Deployment' }).count()).toBe(0);
  await page.goto(`${baseUrl}/console/operator`);
  await page.getByText('Only an operator may see this.').waitFor();
});
