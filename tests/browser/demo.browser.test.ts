import { expect, inject, test } from 'vitest';
import { lookAt } from './look.ts';
import { mouse } from './replies.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';

// The page that a newcomer sees first: a shop with the widget on it. Its customer is one for the whole run: nothing waits any
// more once the talk is held, so all that is done on it is here, in this order.

test('demo is accessible on a desktop, on a phone and at 320 pixels', async () => {
  await using tab = await openBrowser({ reducedMotion: 'reduce' });
  await tab.page.goto(`${inject('local').baseUrl}/demo`);
  await widgetOf(tab.page).launcher.waitFor();
  await lookAt('demo', tab);
});

test('on the demo page a click makes something wait, which opens itself and can be answered to its end', async () => {
  await using tab = await openBrowser();
  const { page } = tab;
  const widget = widgetOf(page);
  await page.goto(`${inject('local').baseUrl}/demo`);
  await widget.launcher.waitFor();
  await page.getByRole('button', { name: 'Remind of the tasting' }).click();
  await widget.shows('Appointment reminder');
  await widget.button('Start').click();
  await widget.hears('Does that still suit you?');
  await mouse.reply(page, { choose: "Yes, I'll be there" });
  await widget.hears('anything we should prepare');
  await mouse.reply(page, { choose: 'No' });
  await widget.shows('All done');
  // What the shop has then, without leaving the page.
  await page.locator('#events li', { hasText: /completed$/ }).waitFor();
  await page.locator('#outcome', { hasText: '"appointment_status": "confirmed"' }).waitFor();
  expect(tab.faults).toEqual([]);
});
