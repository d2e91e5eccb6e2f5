import type { BotDefinition } from '@parley/bot/definition';
import type { Answer } from '@parley/bot/engine';
import { type Simulation, simulate } from '@parley/bot/simulate';
import { eventually } from '@parley/testing/eventually';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Hands, Reply } from './replies.ts';
import type { Shop } from './shop.ts';
import { widgetOf } from '../widget.ts';

/** A conversation of a customer whose only details are an id and a first name. */
export interface Conversation {
  interactionId: string;
  definition: unknown;
  customer: { id: string; firstName: string };
  context?: { key: string; value: string }[];
  replies: Reply[];
}

/**
 * Starts the conversation in the widget of a page and completes it. Fails where it differs from `bot simulate`: after
 * each reply, in the texts of rejections, and in the data for the operator. Returns the simulation.
 */
export async function converseAsSimulated(
  { page, hands, shop }: { page: Page; hands: Hands; shop: Shop },
  { interactionId, definition, customer, context = [], replies }: Conversation,
): Promise<Simulation> {
  const widget = widgetOf(page);
  const given = Object.fromEntries(context.map(({ key, value }) => [key, value]));
  const now = Date.now() / 1000;
  const after = (count: number): Simulation =>
    simulate(definition as BotDefinition, {
      customer,
      context: given,
      locale: 'en',
      now,
      answers: replies.slice(0, count).map(answerOf),
    });
  const expectSaid = async ({ transcript }: Simulation): Promise<void> => {
    await widget.entries.nth(transcript.length - 1).waitFor();
    await widget.botSays(transcript.at(-1)?.body ?? '');
    await expect.poll(() => widget.entries.count()).toBe(transcript.length);
  };
  await hands.begin(page);
  await expectSaid(after(0));
  for (const [index, reply] of replies.entries()) {
    await hands.reply(page, reply);
    const simulation = after(index + 1);
    const refused = simulation.rejected.find((one) => one.index === index);
    if (refused) await widget.shows(refused.detail);
    await expectSaid(simulation);
  }
  await widget.shows('All done');
  const { data } = await eventually(async () => {
    const interaction = await shop.read(interactionId);
    expect(interaction.status).toBe('Completed');
    return interaction;
  });
  const { evaluation, transcript } = JSON.parse(data ?? '') as Pick<Simulation, 'evaluation' | 'transcript'>;
  const simulation = after(replies.length);
  expect(transcript.map(({ type, body }) => ({ type, body }))).toEqual(simulation.transcript);
  expect(evaluation).toEqual(simulation.evaluation);
  return simulation;
}

/** The shown and typed texts, as a script of `bot simulate`. */
function answerOf(reply: Reply): Answer {
  if (reply === 'skip') return { skip: true };
  if ('write' in reply) return { text: reply.write };
  if ('date' in reply) return { text: reply.date };
  if ('rank' in reply) return { text: reply.rank.join('\n') };
  if ('rows' in reply) {
    return {
      text: Object.entries(reply.rows)
        .map((row) => row.join(': '))
        .join('\n'),
    };
  }
  if ('choose' in reply) return { text: reply.choose.replace(/ of \d+$/, '') };
  const own = 'ownWords' in reply ? [...reply.chooseAll.slice(0, -1), reply.ownWords] : reply.chooseAll;
  return { text: own.join(', ') };
}
