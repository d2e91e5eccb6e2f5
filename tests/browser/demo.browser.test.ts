import { eventually } from '@parley/testing/eventually';
import { api } from '@parley/testing/api';
import { beforeAll, expect, inject, test } from 'vitest';
import { everywhere, lookAt } from './screenshots.ts';
import { mouse } from './widget/replies.ts';
import { openBrowser, phone } from './tab.ts';
import { widgetOf } from './widget.ts';

// The demo shop with the widget. All tests share one customer and one conversation, so their order matters.

// End-to-end tests may have completed the conversation that waits from the start.
beforeAll(async () => {
  const { baseUrl } = inject('local');
  const offered = await api(baseUrl, undefined).post(
    '/demo/conversations',
    { offer: 'order' },
    { origin: baseUrl },
  );
  expect(offered.status).toBe(200);
});

test('demo is accessible on a desktop, on a phone and at 320 pixels', async () => {
  await using tab = await openBrowser();
  await tab.page.goto(`${inject('local').baseUrl}/demo`);
  await widgetOf(tab.page).launcher.waitFor();
  await lookAt('demo', tab, everywhere);
});

test('on a phone the buttons are visible without scrolling, and each has the request of a backend to copy', async () => {
  await using tab = await openBrowser({
    viewport: phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = tab;
  const { baseUrl, workspaceId } = inject('local');
  await page.goto(`${baseUrl}/demo`);
  const choices = page.locator('.choices li');
  await expect.poll(() => choices.count()).toBe(3);
  const last = await page.locator('[data-offer]').last().boundingBox();
  expect((last?.y ?? phone.height) + (last?.height ?? 0)).toBeLessThan(phone.height);
  for (const choice of await choices.all()) {
    await choice.locator('summary').click();
    const button = choice.getByRole('button', { name: /^Cop(y|ied)$/ });
    const request = await choice.locator('pre').textContent();
    expect(request).toContain(`curl ${baseUrl}/v1/workspaces/${workspaceId}/interactions`);
    // Another test can have copied something into the one clipboard of the browser meanwhile.
    await eventually(async () => {
      await button.click();
      await choice.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(request);
    });
  }
  expect(tab.faults).toEqual([]);
});

test('the first click shows below its button that it created an interaction, although one waits already', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(`${inject('local').baseUrl}/demo`);
  await widget.teaser.waitFor();
  const choice = page.locator('.choices li', { hasText: 'Ask about the order' });
  await choice.getByRole('button', { name: 'Ask about the order' }).click();
  await choice.getByText(/^Created at .* Look at the corner/).waitFor();
  await widget.teaser.waitFor();
  await page.getByRole('button', { name: 'Screen the application' }).click();
  await page
    .locator('.choices li', { hasText: 'Screen the application' })
    .getByText(/^Created at/)
    .waitFor();
  await expect.poll(() => page.getByText(/^Created at/).count()).toBe(1);
  expect(tab.faults).toEqual([]);
});

test('on the demo page a click creates an interaction, which opens automatically and can be completed', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(`${inject('local').baseUrl}/demo`);
  await widget.launcher.waitFor();
  await page.getByRole('button', { name: 'Remind of the tasting' }).click();
  await widget.shows('Appointment reminder');
  const [log, panel] = [await page.locator('#events').boundingBox(), await widget.panel.boundingBox()];
  expect((log?.x ?? 0) + (log?.width ?? 0)).toBeLessThan(panel?.x ?? 0);
  await widget.button('Start').click();
  await widget.botSays('Does that still suit you?');
  await mouse.reply(page, { choose: "Yes, I'll be there" });
  await widget.botSays('anything we should prepare');
  await mouse.reply(page, { choose: 'No' });
  await widget.shows('All done');
  // The shop shows the result on the same page.
  await page.locator('#events li', { hasText: /completed$/ }).waitFor();
  await page.locator('#outcome', { hasText: '"appointment_status": "confirmed"' }).waitFor();
  expect(tab.faults).toEqual([]);
});
