import { eventExamples } from '@parley/contracts/event-examples';
import { type EventName, eventNames } from '@parley/contracts/event-names';
import { z } from 'zod';
import { customerId, id } from '../../values/text.ts';
import { timestamp } from '../../values/timestamp.ts';
import { history, interaction } from '../interactions/present.ts';
import { webhook } from './present.ts';

export const eventName = z.enum(eventNames).meta({ id: 'EventName', examples: ['InteractionCompleted'] });

const ofInteraction = interaction.extend({
  data: z.null().meta({ description: 'Always null: `result` of a completion has the history' }),
  botId: id,
  botKey: z.string().meta({ examples: ['nps'] }),
  botVersion: z
    .int()
    .nullable()
    .meta({ examples: [1] }),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
});

const descriptions: Record<EventName, { description: string; data: z.ZodObject }> = {
  InteractionCreated: {
    description: 'An interaction was created, unless as `Completed` or `Expired`',
    data: ofInteraction,
  },
  InteractionAvailable: {
    description:
      'The `availableFrom` of a `Pending` interaction has come: customers see it. Once, also at once if it was not in ' +
      'the future; never without `availableFrom`',
    data: ofInteraction,
  },
  InteractionReminderDue: {
    description:
      'A reminder of the bot is due, and the customer has not started. Once per number, in order; not more than an hour late',
    data: ofInteraction.extend({
      number: z.int().meta({ description: 'From 1, in the order of the bot', examples: [1] }),
    }),
  },
  InteractionStarted: {
    description: 'An interaction has become `InProgress` for the first time, or was created so',
    data: ofInteraction,
  },
  InteractionStalled: {
    description:
      'Nobody has answered for the `stalledAfterSeconds` of the bot. Once per silence: an answer must come before the next',
    data: ofInteraction.extend({
      lastStepId: z.string().meta({ description: 'The step that waits for an answer', examples: ['why'] }),
    }),
  },
  InteractionCompleted: {
    description: 'An interaction was completed',
    data: ofInteraction.extend({ result: history }),
  },
  InteractionExpired: {
    description: 'An interaction has become `Expired`',
    data: ofInteraction.extend({
      reason: z
        .enum(['clock', 'client', 'anonymised'])
        .meta({ description: 'Its time was over, by a call, or with its customer', examples: ['clock'] }),
    }),
  },
  CustomerAnonymised: {
    description: 'An anonymisation has finished',
    data: z.strictObject({ id: customerId }),
  },
  WebhookDeactivated: {
    description: 'Parley has deactivated a webhook: goes to the other webhooks of the workspace only',
    data: webhook.extend({
      reason: z
        .enum(['gone', 'auto'])
        .meta({ description: 'The receiver answered 410, or has failed for five days', examples: ['gone'] }),
    }),
  },
};

export interface EventKind {
  name: EventName;
  description: string;
  envelope: z.ZodObject;
  /** A completion without an envelope is its history. */
  body: z.ZodType;
  example: object;
}

const exampleId = '019aa5d8-3c5e-7b21-9f0a-5d1c2e3f4a60';

const testMark = z.literal(true).optional().meta({ description: 'Only of a test event' });
/** A completion without an envelope. */
const plainBody = history.extend({ test: testMark });

/** In the order of the catalogue. */
export const eventKinds: readonly EventKind[] = eventNames.map((name) => {
  const envelope = z
    .strictObject({
      id: id.meta({ description: 'The id of the event, and its `webhook-id`' }),
      type: z.literal(name),
      timestamp: z.iso.datetime().meta({ description: 'When it happened' }),
      test: testMark,
      data: descriptions[name].data,
    })
    .meta({ id: `${name}Event` });
  return {
    name,
    description: descriptions[name].description,
    envelope,
    body: name === 'InteractionCompleted' ? z.union([plainBody, envelope]) : envelope,
    example: { id: exampleId, type: name, timestamp: '2026-11-21T09:35:00.000Z', data: eventExamples[name] },
  };
});
