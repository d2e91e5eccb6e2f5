import { inputFields } from '@parley/bot/question-input';
import { questionTypes } from '@parley/bot/question-types';
import type { PendingInteraction, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { z } from 'zod';
import { count, positive } from '../../values/count.ts';
import { specified } from '../../values/message.ts';
import type { Sealed } from '../../values/personal.ts';
import { personalText, personalValue, type Reader } from '../../values/reader.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';
import { isTest, priority, speaker, status } from '../interactions/present.ts';

/** The current question: `stepId`, `type`, `required` and the fields of the type. */
const input = z
  .object({
    stepId: z.string(),
    type: z.enum(questionTypes.map(({ name }) => name)),
    required: z.boolean(),
    ...inputFields,
  })
  .meta({
    id: 'Input',
    description:
      'The current question with the fields of its type. `min` and `max` are numbers for nps, rating and number, ' +
      '`YYYY-MM-DD` for date, `HH:MM` for time. `labels` are those of `yes` and `no`, or of the `low` and `high` ' +
      'end. `prefill` is the first content of the field.',
    examples: [
      {
        stepId: 'score',
        type: 'nps',
        required: true,
        min: 0,
        max: 10,
        labels: { low: 'Not at all likely', high: 'Extremely likely' },
      },
    ],
  });

const botName = z.string().meta({ description: 'What the bot is called now', examples: ['NPS follow-up'] });

export const snapshot = z
  .strictObject({
    status,
    seq: count.meta({ description: 'The number of the newest entry', examples: [2] }),
    entries: z.array(
      z.strictObject({
        seq: positive.meta({ examples: [2] }),
        type: speaker,
        body: z.string().meta({ examples: ['How likely are you to recommend us?'] }),
        timestamp: z
          .number()
          .meta({ description: 'Epoch seconds with fraction', examples: [1_795_253_400.123] }),
        skipped: z
          .literal(true)
          .optional()
          .meta({ description: 'The customer has skipped the question', examples: [true] }),
        outOf: z
          .int()
          .optional()
          .meta({ description: 'The body is a number on a scale that ends here', examples: [10] }),
        stepId: z
          .string()
          .optional()
          .meta({
            description: 'The step that it answers, if the bot lets customers revise answers',
            examples: ['score'],
          }),
        withdrawn: z
          .literal(true)
          .optional()
          .meta({
            description: 'A revision has replaced it, or taken the conversation another way',
            examples: [true],
          }),
        canRevise: z
          .literal(true)
          .optional()
          .meta({ description: 'The answer can be revised now', examples: [true] }),
      }),
    ),
    input: input.nullable(),
    awaiting: z
      .string()
      .nullable()
      .meta({ description: 'What else is waited for; null when nothing is', examples: [null] }),
    progress: z
      .number()
      .min(0)
      .max(1)
      .meta({ examples: [0.25] }),
    expiresAt: timestamp.nullable(),
    availableFrom: timestamp
      .optional()
      .meta({ description: 'Only at a link, while the conversation cannot start yet: from when it can' }),
    botName,
    isTest,
  })
  .meta({ id: 'Snapshot' });

/** The language of the bot's texts. At most 35 characters (RFC 5646, 4.4.1), in the form that bots use. */
export const locale = z
  .string()
  .regex(/^(?=.{2,35}$)[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Must be a language tag such as en or pt-BR')
  .meta({ description: "The customer's language, a BCP 47 tag", examples: ['en'] });

export const pending = z
  .strictObject({
    interactionId: id,
    status,
    type: z.string().meta({ examples: ['NPS'] }),
    priority,
    botName,
    teaser: z
      .string()
      .meta({ description: 'How the bot begins', examples: ['Hi there! Do you have a minute?'] }),
    expiresAt: timestamp.nullable(),
    more: count.meta({ description: 'How many more are waiting', examples: [0] }),
    effort: z
      .strictObject({
        questionsMin: count.meta({ description: 'On the shortest path', examples: [3] }),
        questionsMax: count.meta({ description: 'On the longest path', examples: [5] }),
        minutes: positive.meta({ examples: [1] }),
      })
      .nullable()
      .meta({ description: 'What the conversation takes, estimated from the bot; null when unknown' }),
    isTest,
  })
  .meta({ id: 'Pending' });

export function toSnapshot(message: Sealed<Snapshot>, reader: Reader): z.output<typeof snapshot> {
  return {
    status: specified(message.status),
    seq: message.seq,
    entries: message.entries.map(({ seq, type, body, timestamp, ...more }) => ({
      seq,
      type: speaker.parse(type),
      body: personalText(body, reader),
      timestamp,
      ...(more.skipped && { skipped: more.skipped }),
      ...(more.outOf && { outOf: more.outOf }),
      ...(more.stepId && { stepId: more.stepId }),
      ...(more.withdrawn && { withdrawn: more.withdrawn }),
      ...(more.canRevise && { canRevise: more.canRevise }),
    })),
    input: toInput(message.inputJson, reader),
    awaiting: message.awaiting ?? null,
    progress: message.progress,
    expiresAt: toTimestampOrNull(message.expiresAt),
    ...(message.availableFrom && { availableFrom: toTimestamp(message.availableFrom) }),
    botName: message.botName,
    ...(message.isTest && { isTest: true as const }),
  };
}

function toInput(sealed: Sealed<Snapshot>['inputJson'], reader: Reader): z.output<typeof input> | null {
  const text = sealed && personalValue(sealed, reader, () => null);
  return text ? input.parse(JSON.parse(text)) : null;
}

export function toPending(message: Sealed<PendingInteraction>, reader: Reader): z.output<typeof pending> {
  return {
    interactionId: message.interactionId,
    status: specified(message.status),
    type: message.type,
    priority: specified(message.priority),
    botName: message.botName,
    teaser: personalText(message.teaser, reader),
    expiresAt: toTimestampOrNull(message.expiresAt),
    more: message.more,
    effort: message.effort,
    ...(message.isTest && { isTest: true as const }),
  };
}
