import { afterAll, beforeAll, expect, test } from 'vitest';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from '../tab.ts';
import { widgetOf } from '../widget.ts';

// Answers that a customer only has to send: a prefilled number, and none of several choices.

const bot = {
  schemaVersion: 1,
  key: 'sent-untouched',
  name: 'Sent untouched',
  type: 'Test',
  locale: 'de',
  context: [{ name: 'weight', default: '12,125' }],
  evaluation: { weight: {}, extras: {} },
  steps: [
    {
      id: 'weight',
      kind: 'ask',
      text: 'Wie schwer?',
      input: { type: 'number', min: 0.5, max: 20.25 },
      prefill: '{{context.weight}}',
      evaluation: 'weight',
    },
    {
      id: 'extras',
      kind: 'ask',
      text: 'Was noch?',
      input: {
        type: 'multiChoice',
        minSelections: 0,
        choices: [
          { value: 'olives', label: 'Oliven' },
          { value: 'capers', label: 'Kapern' },
        ],
      },
      evaluation: 'extras',
    },
    { id: 'bye', kind: 'end', text: 'Danke!' },
  ],
};

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test('with a dot as group mark, a prefilled decimal is sent unchanged, and no selection is an answer', async () => {
  const customerId = 'sends untouched';
  const botId = await shop.workspace.publish(bot);
  const { id } = await shop.create(customerId, { botId, priority: 'High' });
  await using tab = await openBrowser();
  const { page, faults } = tab;
  const widget = widgetOf(page);
  await page.goto(shop.visit({ customerId, attributes: { locale: 'de' } }).url);
  await widget.button('Beginnen').click();
  await widget.shows('Von 0,5 bis 20,25');
  await expect.poll(() => widget.field.inputValue()).toBe('12,125');
  await widget.send.click();
  await widget.botSays('Was noch?');
  await widget.shows('Wählen Sie bis zu 2');
  await widget.send.click();
  await widget.botSays('Danke!');
  const { data } = await shop.read(id);
  expect(JSON.parse(data ?? '{}')).toMatchObject({ evaluation: { weight: '12.125', extras: '' } });
  expect(faults).toEqual([]);
});
