import { eventually } from '@parley/testing/eventually';
import { api } from '@parley/testing/api';
import { expect, inject, test } from 'vitest';
import { browserWith } from '../conversations/conversation.ts';
import { openSession } from '../conversations/public-sessions.ts';
import { everywhere, lookAt } from './screenshots.ts';
import { mouse } from './widget/replies.ts';
import { openBrowser, phone } from './tab.ts';
import { widgetOf } from './widget.ts';

// The demo shop with the widget. All tests share one customer and one conversation, so their order matters.

const { baseUrl, workspaceId, bots } = inject('local');
const own = { origin: baseUrl };

interface Pending {
  interactionId: string;
  priority: string;
  botName: string;
}

/** Robin's browser. */
async function browse() {
  const token = await fetch(`${baseUrl}/demo/token`, { headers: own });
  const { customerToken } = (await token.json()) as { customerToken: string };
  const { sessionToken } = (await openSession(baseUrl, workspaceId, customerToken, own)).body.data;
  return browserWith(baseUrl, workspaceId, sessionToken);
}

test('an interaction waits from the start, and each button replaces it by another one', async () => {
  const browser = await browse();
  const pending = async () => (await browser.api.get<Pending | null>('/pending')).body.data;
  expect(Object.keys(bots)).toHaveLength(4);
  expect(await pending()).toMatchObject({ botName: 'NPS follow-up', priority: 'Medium', more: 0 });

  for (const [offer, expected] of [
    ['tasting', { botName: 'Appointment reminder', priority: 'High', more: 0 }],
    ['job', { botName: 'Candidate screening', priority: 'Low', more: 0 }],
    ['order', { botName: 'NPS follow-up', priority: 'Medium', more: 0 }],
  ] as const) {
    const pressed = await api(baseUrl, undefined).post<{ interactionId: string; link: string }>(
      '/demo/conversations',
      { offer },
      own,
    );
    expect(pressed.status).toBe(200);
    const { interactionId, link } = pressed.body.data;
    expect(await pending()).toMatchObject({ interactionId, ...expected });
    expect((await fetch(link)).status).toBe(200);
  }
});

test('demo is accessible on a desktop, on a phone and at 320 pixels', async () => {
  await using tab = await openBrowser();
  await tab.page.goto(`${baseUrl}/demo`);
  await widgetOf(tab.page).launcher.waitFor();
  await lookAt('demo', tab, everywhere);
});

test('on a phone the buttons are visible without scrolling, and each has the request of a backend to copy', async () => {
  await using tab = await openBrowser({
    viewport: phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = tab;
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
  await page.goto(`${baseUrl}/demo`);
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
  await page.goto(`${baseUrl}/demo`);
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

test('the shop sees the customer’s answers', async () => {
  const browser = await browse();
  const shop = api(baseUrl, undefined);
  const { interactionId } = (
    await shop.post<{ interactionId: string }>('/demo/conversations', { offer: 'order' }, own)
  ).body.data;
  const begun = await browser.start(interactionId);
  expect(begun.entries[0]?.body).toContain('Robin');
  const asked = await browser.say(interactionId, begun, { value: 9 });
  await browser.say(interactionId, asked, { skip: true });
  const { data } = (await shop.get('/demo/conversations', own)).body;
  expect(data).toMatchObject({ interactionId, status: 'Completed', evaluation: { nps_score: '9' } });
});
