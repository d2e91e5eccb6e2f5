import { afterAll, beforeAll, test } from 'vitest';
import { everyInputBot } from './widget/every-input-bot.ts';
import { lookAt, pictures } from './screenshots.ts';
import { screens } from './screens.ts';
import { openShop, type Shop } from './widget/shop.ts';
import { openBrowser } from './tab.ts';

// Every screen for customers, from a desktop to 320 pixels.

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

test.each(screens)('$name is accessible, and fits its windows', async ({ name, options, look, open }) => {
  await using tab = await openBrowser(options);
  const customerId = `looks at ${name}`;
  await shop.workspace.api.post('/customers', { id: customerId, firstName: 'Ada' });
  await open({ ...tab, shop, botId, customerId });
  await lookAt(name, tab, look);
});
