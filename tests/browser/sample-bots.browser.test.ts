import { eventually } from '@parley/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleBot } from '../sample-bots.ts';
import { type Hands, keyboard, mouse, type Reply } from './replies.ts';
import { openShop, type Shop } from './shop.ts';
import { openBrowser } from './tab.ts';
import { widgetOf } from './widget.ts';

// Each sample bot to its end, as a customer sees it, and what the operator then has.

interface Talk {
  bot: string;
  context?: { key: string; value: string }[];
  /** The bot's question, and what is answered. */
  turns: [question: string, reply: Reply][];
  end: string;
  evaluation: Record<string, string>;
}

const talks: Talk[] = [
  {
    bot: 'nps-follow-up',
    context: [{ key: 'productName', value: 'Bean Box' }],
    turns: [
      ['How likely are you to recommend Bean Box', { choose: '3' }],
      ['main reason', { write: 'The box came late.' }],
      ['May we get in touch', { choose: 'Yes, please' }],
      ['Which e-mail address', { write: 'ada@example.com' }],
    ],
    end: 'Thank you',
    evaluation: {
      nps_score: '3',
      nps_segment: 'detractor',
      reason: 'The box came late.',
      theme: 'unclassified',
      contact_ok: 'yes',
      contact_email: 'ada@example.com',
    },
  },
  {
    bot: 'candidate-screening',
    turns: [
      ['right to work', { choose: 'Yes' }],
      ['How many years', { write: '4.5' }],
      [
        'Which of these are you good at',
        { chooseAll: ['Working in a team', 'Solving problems', 'Working with numbers'] },
      ],
      ['When could you start', { choose: 'Within a month' }],
      ['What yearly salary', 'skip'],
      ['what draws you to this job', { write: 'I like coffee & people.' }],
    ],
    end: "That's all. Thank you for your time, Ada!",
    evaluation: {
      right_to_work: 'yes',
      years_experience: '4.5',
      skills: 'teamwork,problem_solving,numbers',
      earliest_start: 'one_month',
      motivation: 'I like coffee & people.',
      screening_score: '4',
      screening_result: 'pass',
    },
  },
  {
    bot: 'appointment-reminder',
    context: [{ key: 'reference', value: 'B-77' }],
    turns: [
      ['Does that still suit you', { choose: 'I need another time' }],
      ['Which day would suit you', { date: '2035-12-31' }],
      ['what time of day', { choose: 'Morning' }],
      ['anything we should prepare', { choose: 'Yes' }],
      ['What can we do for you', { write: 'A ramp, please.' }],
    ],
    end: "I've noted 2035-12-31 (morning)",
    evaluation: {
      reference: 'B-77',
      appointment_status: 'reschedule',
      preferred_date: '2035-12-31',
      preferred_slot: 'morning',
      special_needs: 'A ramp, please.',
    },
  },
];

let shop: Shop;
const botIds: Record<string, string> = {};

beforeAll(async () => {
  shop = await openShop();
  for (const { bot } of talks)
    botIds[bot] = await shop.workspace.publish({ ...(sampleBot(bot) as object), key: `${bot}-x` });
});
afterAll(() => shop[Symbol.asyncDispose]());

describe.each<[string, Hands]>([
  ['with the mouse', mouse],
  ['with the keyboard alone', keyboard],
])('%s', (way, hands) => {
  test.each(talks)(
    'a customer talks with $bot to its end, and the operator has every answer',
    async (talk) => {
      const customerId = `${talk.bot} ${way}`;
      await shop.workspace.api.post('/customers', { id: customerId, firstName: 'Ada' });
      const { id } = await shop.create(customerId, {
        botId: botIds[talk.bot],
        priority: 'Low',
        context: talk.context,
      });
      await using tab = await openBrowser();
      const { page } = tab;
      const widget = widgetOf(page);
      await page.goto(shop.visit({ customerId }).url);
      await widget.launcher.waitFor();

      await hands.begin(page);
      for (const [question, reply] of talk.turns) {
        await widget.hears(question);
        await hands.reply(page, reply);
      }
      await widget.hears(talk.end);
      await widget.shows('All done');
      expect(tab.faults).toEqual([]);

      const { status, data } = await eventually(() => shop.read(id));
      expect(status).toBe('Completed');
      const { evaluation, transcript } = JSON.parse(data ?? '') as {
        evaluation: Record<string, string>;
        transcript: { type: string; body: string }[];
      };
      expect(evaluation).toEqual(talk.evaluation);
      const said = transcript.filter(({ type }) => type === 'customer').map(({ body }) => body);
      expect(said).toHaveLength(talk.turns.length);
    },
  );
});
