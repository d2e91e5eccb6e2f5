import type { Attempt, Delivery, DeliveryBody } from '@parley/contracts/webhook/v1/delivery';
import { hidden } from '@parley/contracts/hidden';
import { eventNames } from '@parley/contracts/event-names';
import { z } from 'zod';
import { count, positive } from '../../values/count.ts';
import type { Sealed } from '../../values/personal.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';
import {
  hiddenWithout,
  linkHiddenWithout,
  personalValue,
  type Reader,
  textWithLinks,
} from '../../values/reader.ts';

export const deliveryState = z
  .enum(['pending', 'succeeded', 'failed', 'skipped', 'discarded'])
  .meta({ id: 'DeliveryState', examples: ['failed'] });

/** The name of the event of a delivery: one of the catalogue, or `Test`. */
export const deliveredEvent = z
  .enum([...eventNames, 'Test'])
  .meta({ id: 'DeliveredEvent', examples: ['InteractionCompleted'] });

export const delivery = z
  .strictObject({
    id: id.meta({ description: 'Its requests carry it as `x-parley-delivery-id`' }),
    event: deliveredEvent.nullable().meta({
      description:
        'Its requests carry it as `x-parley-event`. `Test`: a test event without a name. Null if it is deleted',
    }),
    interactionId: id.nullable().meta({
      description:
        'The interaction that the event is about; null for a test, and for an event about no interaction',
    }),
    isTest: z.boolean().meta({ description: 'Whether it is a test event', examples: [false] }),
    isTestInteraction: z
      .literal(true)
      .optional()
      .meta({ description: 'Only if its event is about a test interaction', examples: [true] }),
    webhookId: id.meta({ description: 'The webhook that gets it' }),
    webhookMessageId: id.meta({ description: 'The id of the event: its requests carry it as `webhook-id`' }),
    state: deliveryState,
    attempts: count.meta({ description: 'How many were made, have ended and are counted', examples: [11] }),
    lastError: z
      .string()
      .nullable()
      .meta({
        description:
          'The `error` of the last attempt; null after a success, and as long as there is no attempt in the log',
        examples: ['http_500'],
      }),
    isUnderWay: z
      .boolean()
      .meta({ description: 'An attempt has been in flight for half a second or longer', examples: [false] }),
    createdAt: timestamp,
    dueAt: timestamp.nullable().meta({
      description:
        'When the next attempt is due; null in flight, while it waits for an earlier one, and in the end',
      examples: [null],
    }),
    finishedAt: timestamp
      .nullable()
      .meta({ description: 'When it came to its end; null while it is pending' }),
    traceId: z
      .string()
      .nullable()
      .meta({
        description:
          'Of the call that led to the event (W3C trace context). Its attempts are in this trace too. Null if the ' +
          'event has no trace',
        examples: ['0af7651916cd43dd8448eb211c80319c'],
      }),
  })
  .meta({ id: 'Delivery' });

const milliseconds = count.meta({ examples: [12] });
const part = milliseconds.nullable();

export const attempt = z
  .strictObject({
    number: positive.meta({
      description:
        'From 1, as `x-parley-attempt` of its request. An uncounted attempt has the number of the next one',
      examples: [1],
    }),
    isCounted: z.boolean().meta({
      description: 'Whether it uses up one of the attempts: false when its answer paused the webhook',
      examples: [true],
    }),
    startedAt: timestamp,
    durationMs: milliseconds.meta({ description: 'In all', examples: [48] }),
    latency: z.strictObject({ dnsMs: part, connectMs: part, tlsMs: part, firstByteMs: part }).meta({
      description: 'The parts; null for what was not done: a kept connection needs no DNS, TCP and TLS',
    }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'Of the answer; null when there was none', examples: [500] }),
    error: z
      .string()
      .nullable()
      .meta({
        description:
          '`http_<status>`, `dns`, `refused`, `reset`, `tls_untrusted`, `tls_expired`, `tls_name`, `tls_protocol`, ' +
          '`timeout_connect`, `timeout_total`, `protocol` or `blocked_address`; null for a success',
        examples: ['http_500'],
      }),
    retryAfterSeconds: positive
      .max(86_400)
      .nullable()
      .meta({
        description:
          'For how long its `Retry-After` (429 or 503) paused the webhook; null when it is counted',
        examples: [null],
      }),
    responseExcerpt: z
      .string()
      .nullable()
      .meta({
        description:
          "The beginning of the answer's body, at most 16 KiB. Bytes that are not UTF-8 become U+FFFD. Null if " +
          `it was empty, or deleted by an anonymisation. ${hiddenWithout}. Links in it are ${linkHiddenWithout}`,
        examples: ['out of order'],
      }),
  })
  .meta({ id: 'Attempt' });

export const deliveryBody = z
  .strictObject({
    body: z
      .string()
      .nullable()
      .meta({
        description:
          'The body of each of its requests, byte for byte. Null if the event is deleted. ' +
          `${hiddenWithout}. Links in it are ${linkHiddenWithout}`,
        examples: ['{"customer_id":"c-1017","interaction_id":"...","evaluation":{},"transcript":[]}'],
      }),
    isRedacted: z.boolean().meta({
      description:
        'Whether an anonymisation has replaced it: requests before had the personal data of the customer',
      examples: [false],
    }),
  })
  .meta({ id: 'DeliveryBody' });

/** Throws for an unknown state or event. */
export function toDelivery(row: Delivery): z.output<typeof delivery> {
  const { eventId: webhookMessageId, interactionId = null, isTest, attempts, isUnderWay } = row;
  return {
    id: row.id,
    event: row.event == null ? null : deliveredEvent.parse(row.event),
    interactionId,
    isTest,
    ...(row.isTestInteraction && { isTestInteraction: true as const }),
    webhookId: row.webhookId,
    webhookMessageId,
    state: deliveryState.parse(row.state),
    attempts,
    lastError: row.lastError ?? null,
    isUnderWay,
    createdAt: toTimestamp(row.createdAt),
    dueAt: toTimestampOrNull(row.dueAt),
    finishedAt: toTimestampOrNull(row.finishedAt),
    traceId: row.traceId ?? null,
  };
}

/** Missing fields are null. */
export function toAttempt(row: Sealed<Attempt>, reader: Reader): z.output<typeof attempt> {
  const { number, startedAt, durationMs, responseExcerpt, pauseMs = null } = row;
  return {
    number,
    isCounted: pauseMs === null,
    startedAt: toTimestamp(startedAt),
    durationMs,
    latency: {
      dnsMs: row.dnsMs ?? null,
      connectMs: row.connectMs ?? null,
      tlsMs: row.tlsMs ?? null,
      firstByteMs: row.firstByteMs ?? null,
    },
    status: row.status ?? null,
    error: row.error ?? null,
    retryAfterSeconds: pauseMs === null ? null : Math.ceil(pauseMs / 1_000),
    responseExcerpt: excerptText(responseExcerpt, reader),
  };
}

export function toDeliveryBody(
  { body, isRedacted }: Sealed<DeliveryBody>,
  reader: Reader,
): z.output<typeof deliveryBody> {
  const shown = body && personalValue(body, reader, (given) => given && Buffer.from(hidden));
  return { body: shown ? textWithLinks(shown.toString('utf8'), reader) : null, isRedacted };
}

// A receiver may repeat what it got.
function excerptText(excerpt: Sealed<Attempt>['responseExcerpt'], reader: Reader): string | null {
  const shown = personalValue(excerpt, reader, ({ length }) => Buffer.from(length > 0 ? hidden : ''));
  return shown.length > 0 ? textWithLinks(shown.toString('utf8'), reader) : null;
}
