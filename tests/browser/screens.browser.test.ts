import { afterAll, beforeAll, test } from 'vitest';
import { everyInputBot } from './every-input-bot.ts';
import { lookAt, pictures } from './look.ts';
import { screens } from './screens.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from './tab.ts';

// Every screen for customers, in three windows.

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
  '$name is accessible on a desktop and at 320 pixels, and fits a phone',
  async ({ name, options, open }) => {
    await using tab = await openBrowser({ reducedMotion: 'reduce', ...options });
    const customerId = `looks at ${name}`;
    await shop.workspace.api.post('/customers', { id: customerId, firstName: 'Ada' });
    await open({ ...tab, shop, botId, customerId });
    await lookAt(name, tab);
  },
);
