import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyInputBot } from './every-input-bot.ts';
import { expectAccessible } from './inspect.ts';
import { screens } from './screens.ts';
import { openShop, type Shop } from './shop.ts';
import { desktop, narrow, openBrowser, phone } from './tab.ts';

// Every screen as customers see it, in three windows. Each leaves its pictures behind, for eyes to judge.

const pictures = resolve(import.meta.dirname, '../../test-output/screenshots');

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(everyInputBot);
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  console.error(`browser pictures of every screen are in ${pictures}`);
});

test.each(screens)(
  '$name is accessible on a desktop, on a phone and at 320 pixels',
  async ({ name, options, open }) => {
    await using tab = await openBrowser({ reducedMotion: 'reduce', ...options });
    const { page } = tab;
    const customerId = `looks at ${name}`;
    await shop.workspace.api.post('/customers', { id: customerId, firstName: 'Ada' });
    await open({ ...tab, shop, botId, customerId });
    for (const [window, size] of Object.entries({ desktop, phone, narrow })) {
      await page.setViewportSize(size);
      await settled(page);
      await page.screenshot({ path: join(pictures, `${name}-${window}.png`) });
      await expectAccessible(page);
    }
    const isExpected = (fault: string): boolean => /Failed to load resource/.test(fault);
    expect(tab.faults.filter((fault) => !isExpected(fault))).toEqual([]);
  },
);

/** Two frames after a change of the window everything is laid out. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
