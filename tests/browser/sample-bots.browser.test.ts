import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleBot } from '../conversations/sample-bots.ts';
import { converseAsSimulated } from './widget/as-simulated.ts';
import { onlyKinds, retryingBot } from './widget/every-input-bot.ts';
import { type Hands, keyboard, mouse, type Reply } from './widget/replies.ts';
import { openShop, type Shop } from './widget/shop.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';

// A customer in the browser has the same conversation as in `bot simulate`, including wrong answers.

interface Conversation {
  bot: string;
  definition?: unknown;
  context?: { key: string; value: string }[];
  replies: Reply[];
  /** The reasons of rejections without a retry left. */
  refusals?: string[];
}

const nope: Reply = { write: 'nope' };

const conversations: Conversation[] = [
  {
    bot: 'nps-follow-up',
    context: [{ key: 'productName', value: 'Bean Box' }],
    replies: [
      { choose: '3' },
      { write: 'The box came late.' },
      { choose: 'Yes, please' },
      // Asked again three times, then skipped.
      nope,
      nope,
      nope,
      nope,
    ],
  },
  {
    bot: 'candidate-screening',
    replies: [
      { choose: 'Yes' },
      // Asked again three times, then rejected.
      nope,
      nope,
      nope,
      nope,
      { write: '4,5' },
      { chooseAll: ['Working in a team', 'Solving problems', 'Working with numbers'] },
      { choose: 'Within a month' },
      'skip',
      { write: 'I like coffee & people.' },
    ],
    refusals: ['not-a-number'],
  },
  {
    bot: 'appointment-reminder',
    context: [{ key: 'reference', value: 'B-77' }],
    replies: [
      { choose: 'I need another time' },
      { date: '2020-12-31' },
      { date: '2035-12-31' },
      { choose: 'Morning' },
      { choose: 'Yes' },
      { write: 'A ramp, please.' },
    ],
  },
];

const fruity = 'Fruity, with a long finish that reminds of blackcurrant and late summer';

const everyInput: Conversation = {
  bot: 'every-input',
  definition: retryingBot,
  replies: [
    { write: 'x' },
    { write: 'y' },
    { write: 'Much.\nAnd more.' },
    { choose: 'Dark' },
    { chooseAll: ['Mild and sweet', 'Dark'] },
    { chooseAll: ['Something else'], ownWords: 'A friend' },
    { chooseAll: ['Dark', 'Something else'], ownWords: 'Cardamom' },
    { rank: ['Dark', 'Mild and sweet', fruity] },
    { rows: { 'Mild and sweet': 'Good', [fruity]: 'Not good', Dark: 'Fair' } },
    { chooseAll: ['I agree to get letters about coffee'] },
    { choose: '7' },
    { choose: '4 of 5' },
    { choose: '8' },
    { write: '99' },
    { write: 'four' },
    { choose: 'No' },
    { date: '2029-12-31' },
    { date: '2030-01-01' },
    { date: '07:00' },
    { date: '19:00' },
    nope,
    nope,
    { write: '12' },
    { write: '+46 (0)8-123 45' },
    nope,
    { write: 'shop.example.com' },
  ],
};

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

async function hold(
  { bot, definition = sampleBot(bot), context, replies, refusals = [] }: Conversation,
  hands: Hands,
) {
  const customer = { id: `answers ${bot}`, firstName: 'Ada' };
  const botId = await shop.workspace.publish({ ...(definition as object), key: `its-${bot}` });
  await shop.workspace.api.post('/customers', customer);
  const { id } = await shop.create(customer.id, { botId, priority: 'Low', context });
  await using tab = await openBrowser();
  const { page } = tab;
  await page.goto(shop.visit({ customerId: customer.id }).url);
  await widgetOf(page).launcher.waitFor();
  const conversation = { interactionId: id, definition, customer, ...(context && { context }), replies };
  const { rejected } = await converseAsSimulated({ page, hands, shop }, conversation);
  expect(rejected.map(({ reason }) => reason)).toEqual(refusals);
  // A rejected answer is an error of the API, which the browser's console logs.
  expect(tab.faults.filter((fault) => !fault.includes('status of 422'))).toEqual([]);
}

test.each(conversations)(
  'with the keyboard alone the conversation with $bot is the simulated one, and so is its data',
  (conversation) => hold(conversation, keyboard),
);

test('with the keyboard alone rankings, matrices, consents and own words give the simulated result', () => {
  const replies = everyInput.replies.slice(4, 10);
  const rare = ['choiceOrOther', 'severalOrOther', 'ranking', 'matrix', 'consent'];
  return hold({ bot: 'rare-input', definition: onlyKinds(rare), replies: replies.slice(1) }, keyboard);
});

test('with the mouse every type of answer, also wrong ones to the end of `retry`, gives the simulated result', () =>
  hold(everyInput, mouse));
