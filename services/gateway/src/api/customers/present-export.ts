import { noDetails, perDetail } from '@parley/contracts/customer-details';
import { hidden } from '@parley/contracts/hidden';
import type { InteractionRecord } from '@parley/contracts/interaction/v1/interaction';
import type { CustomerDelivery } from '@parley/contracts/webhook/v1/delivery';
import type { Customer } from '@parley/contracts/customer/v1/customer';
import { z } from 'zod';
import { count, positive } from '../../values/count.ts';
import { required } from '../../values/message.ts';
import { customerId, id, jsonValue } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';
import { deliveredEvent, deliveryState } from '../deliveries/present.ts';
import { personalDetails, toPersonalDetails } from './present.ts';
import { history, interaction, priority, status, toContext, toHistoryText } from '../interactions/present.ts';
import type { InteractionReader } from '../interactions/reader.ts';
import type { Sealed } from '../../values/personal.ts';
import { hiddenWithout, personalValue, type Reader } from '../../values/reader.ts';

const profile = z
  .strictObject({ id: customerId, ...personalDetails })
  .meta({ description: 'Empty texts: nothing is stored' });

const conversation = z
  .strictObject({
    answers: z.record(z.string(), jsonValue).meta({
      description: `The values of the answers by the steps of the bot. Each is ${hiddenWithout}`,
      examples: [{ score: 9 }],
    }),
    customer: profile.meta({ description: 'The profile as it was when the conversation started' }),
    locale: z.string().meta({ description: 'The language of the browser', examples: ['en'] }),
  })
  .meta({ description: 'What is stored beside the transcript; null until the interaction has started' });

const { transcript, evaluation } = history.shape;

const record = z
  .strictObject({
    id,
    status,
    priority,
    type: interaction.shape.type,
    bot: z.strictObject({
      key: z.string().meta({ examples: ['nps-follow-up'] }),
      version: positive
        .nullable()
        .meta({ description: 'Null until the interaction has started', examples: [3] }),
    }),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    link: z
      .strictObject({ createdAt: timestamp, expiresAt: timestamp.nullable() })
      .meta({ description: 'The link to the conversation. Its URL is a secret and no part of the export' }),
    context: interaction.shape.context,
    evaluation: evaluation.nullable(),
    transcript: transcript.nullable().meta({ description: 'Null until the interaction has started' }),
    conversation: conversation.nullable(),
  })
  .meta({ id: 'CustomerExportInteraction' });

const delivery = z
  .strictObject({
    id,
    event: deliveredEvent,
    eventId: id.meta({ description: 'Its requests carried it as `webhook-id`' }),
    interactionId: id.nullable().meta({ description: 'Null for an event about the customer' }),
    webhookId: id,
    receiver: z.string().meta({
      description: 'The address of the webhook now, without user, password, query and fragment',
      examples: ['https://shop.example/parley'],
    }),
    state: deliveryState,
    attempts: count.meta({ examples: [1] }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable().meta({ description: 'Null while it is pending' }),
  })
  .meta({ id: 'CustomerExportDelivery' });

export const customerExport = z
  .strictObject({
    schemaVersion: z.literal(1).meta({
      description: 'Rises when a field changes its meaning or is removed. New fields do not raise it',
    }),
    exportedAt: timestamp,
    customer: profile,
    interactions: z.array(record).meta({ description: 'Newest first' }),
    deliveries: z.array(delivery).meta({
      description:
        'Of events about the customer to webhooks, for as long as the log keeps them. Oldest event first',
    }),
  })
  .meta({ id: 'CustomerExport' });

export function toProfile(row: Sealed<Customer>, reader: Reader): z.output<typeof profile> {
  return { id: row.id, ...toPersonalDetails(row, reader) };
}

/** Throws if the service left out a required value. */
export function toRecord(row: Sealed<InteractionRecord>, reader: InteractionReader): z.output<typeof record> {
  const { createdAt, expiresAt, ...shown } = required(row.interaction);
  const text = toHistoryText(shown.data, shown.id, reader);
  const data = text === null ? null : (JSON.parse(text) as z.output<typeof history>);
  return {
    id: shown.id,
    status: status.parse(shown.status),
    priority: priority.parse(shown.priority),
    type: shown.type,
    bot: { key: row.botKey, version: row.botVersion ?? null },
    createdAt: toTimestamp(createdAt),
    startedAt: toTimestampOrNull(row.startedAt),
    completedAt: toTimestampOrNull(row.completedAt),
    link: { createdAt: toTimestamp(createdAt), expiresAt: toTimestampOrNull(expiresAt) },
    context: toContext(shown.context, shown.id, reader),
    evaluation: data?.evaluation ?? null,
    transcript: data?.transcript ?? null,
    conversation: row.conversation === undefined ? null : toConversation(row.conversation, reader),
  };
}

function toConversation(
  text: NonNullable<Sealed<InteractionRecord>['conversation']>,
  reader: Reader,
): z.output<typeof conversation> | null {
  const shown = personalValue(text, reader, (whole) => {
    if (whole == null) return null;
    const { answers, customer, locale } = JSON.parse(whole) as z.output<typeof conversation>;
    return JSON.stringify({
      answers: Object.fromEntries(Object.keys(answers).map((step) => [step, hidden])),
      customer: { id: customer.id, ...perDetail(() => hidden) },
      locale,
    });
  });
  if (shown == null) return null;
  const { answers, customer, locale } = JSON.parse(shown) as z.output<typeof conversation>;
  const { id, ...details } = customer;
  // The conversation may be older than a detail.
  return { answers, customer: { id, ...noDetails, ...details }, locale };
}

/** Throws for an unknown state or event. */
export function toExportedDelivery(row: CustomerDelivery): z.output<typeof delivery> {
  const { id, eventId, interactionId = null, webhookId, receiver, attempts } = row;
  return {
    id,
    event: deliveredEvent.parse(row.event),
    eventId,
    interactionId,
    webhookId,
    receiver,
    state: deliveryState.parse(row.state),
    attempts,
    createdAt: toTimestamp(row.createdAt),
    finishedAt: toTimestampOrNull(row.finishedAt),
  };
}
