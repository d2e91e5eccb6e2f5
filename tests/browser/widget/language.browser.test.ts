import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectingScript } from './own-screen.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// The language of the teaser and the conversation: the language of the page, if the bot has it.

const greeter = {
  schemaVersion: 1,
  key: 'greeter',
  name: 'Greeter',
  type: 'Test',
  locale: 'en',
  steps: [
    {
      id: 'well',
      kind: 'ask',
      text: { en: 'Is all well?', de: 'Ist alles gut?', fr: 'Tout va bien ?' },
      input: { type: 'yesNo' },
    },
    { id: 'bye', kind: 'end', text: 'Bye!' },
  ],
};

let shop: Shop;
let botId: string;
beforeAll(async () => {
  shop = await openShop();
  botId = await shop.workspace.publish(greeter);
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ['the one of the tag', { locale: 'de-AT' }, 'Ist alles gut?'],
  ['the page’s without one in the tag', { locale: '' }, 'Is all well?'],
  ['the bot’s for one that it does not have', { locale: 'sv' }, 'Is all well?'],
  ['the bot’s for an invalid one', { locale: '{{ locale }}' }, 'Is all well?'],
])('the teaser is in the language of its conversation: %s', async (name, attributes, words) => {
  await shop.create(name, { botId, priority: 'Medium' });
  await using tab = await openBrowser();
  const widget = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId: name, attributes }).url);
  await widget.teaser.getByText(words).click();
  await widget.panel.locator('.primary.wide').click();
  await widget.botSays(words);
  expect(tab.faults).toEqual([]);
});

test('teaser and conversation use the language of the page, also after it changes', async () => {
  const customerId = 'changes the language';
  await shop.create(customerId, { botId, priority: 'Medium' });
  await using tab = await openBrowser();
  const { teaser, launcher, button, botSays } = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId }).url);
  await teaser.getByText('Is all well?').waitFor();
  await tab.page.evaluate(() => {
    document.documentElement.lang = 'fr';
    return window.Parley.widget.check();
  });
  await teaser.getByText('Tout va bien ?').waitFor();
  await expect.poll(() => launcher.textContent()).toContain('Discuter avec Greeter');
  await launcher.click();
  await button('Commencer').waitFor();
  await tab.page.evaluate(() => {
    document.documentElement.lang = 'de';
    return window.Parley.widget.check();
  });
  await button('Beginnen').click();
  await botSays('Ist alles gut?');
});

test('the reason of a rejection is in the language of the page, although the bot has another', async () => {
  const customerId = 'mistypes in German';
  const steps = [{ id: 'email', kind: 'ask', text: 'Your e-mail?', input: { type: 'email' } }];
  const asking = await shop.workspace.publish({
    ...greeter,
    key: 'asks-for-mail',
    steps: [...steps, greeter.steps[1]],
  });
  await shop.create(customerId, { botId: asking, priority: 'High' });
  await using tab = await openBrowser();
  const { button, field, shows } = widgetOf(tab.page);
  await tab.page.goto(shop.visit({ customerId, attributes: { locale: 'de-AT' } }).url);
  await button('Beginnen').click();
  await field.fill('nope');
  await button('Senden').click();
  await shows('Bitte geben Sie eine E-Mail-Adresse an, zum Beispiel name@example.com.');
});

test('a page with its own screen sets the language of both', async () => {
  const customerId = 'draws in French';
  await shop.create(customerId, { botId, priority: 'Low' });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(shop.visit({ page: 'own-script.html', customerId }).url);
  // As text, which runs unchanged.
  const said = await page.evaluate(`(async () => {
    ${connectingScript(shop, `onFound: () => {}, locale: 'fr-CA',`)}
    const waiting = await customer.check();
    const conversation = customer.talk(waiting);
    return new Promise((resolve) => {
      conversation.subscribe(() => {
        if (conversation.state.stage === 'ready') conversation.start();
        const [first] = conversation.state.snapshot?.entries ?? [];
        if (first) resolve([waiting.teaser, first.body]);
      });
    });
  })()`);
  expect(said).toEqual(['Tout va bien ?', 'Tout va bien ?']);
});
