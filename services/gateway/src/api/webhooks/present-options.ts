import { webhookLimits } from '@parley/contracts/limits';
import type { WebhookOptions } from '@parley/contracts/webhook/v1/delivery';
import { z } from 'zod';
import { positive } from '../../values/count.ts';
import { text } from '../../values/text.ts';
import { eventName } from './events.ts';

export const rateLimit = z
  .strictObject({
    perSecond: z
      .number()
      .min(webhookLimits.perSecondMin)
      .max(webhookLimits.perSecondMax)
      .meta({ examples: [10] }),
    burst: positive
      .max(webhookLimits.burstMax)
      .meta({ description: 'How many may go out at once after a pause', examples: [20] }),
  })
  .meta({ id: 'WebhookRateLimit', description: 'Of attempts, over all replicas of the service' });

export const ordering = z.enum(['none', 'perCustomer', 'strict']).meta({
  id: 'WebhookOrdering',
  description:
    '`perCustomer`: the deliveries of a customer one after another. `strict`: all deliveries of the webhook. A ' +
    'failed delivery blocks later ones until it succeeds or has no attempts left',
  examples: ['none'],
});

export const filter = text({ min: 1, max: webhookLimits.filterCharactersMax }).meta({
  description:
    'A CEL expression over `event.type`, `interaction` (`id`, `customerId`, `botId`, `botKey`, `type`, `status`, ' +
    '`priority`, `context` as a map) and `evaluation` (a map of strings). When it is false or fails, nothing is sent',
  examples: ["interaction.botKey == 'nps' && int(evaluation.nps_score) < 7"],
});

export const envelope = z.boolean().meta({
  description: 'Whether `InteractionCompleted` has the envelope of the other events',
  examples: [false],
});

export const webhookOptions = z
  .strictObject({
    headerNames: z.array(z.string()).meta({
      description: 'Of the header fields that are added to every delivery; their values are never shown',
      examples: [['x-api-key']],
    }),
    rateLimit: rateLimit.nullable().meta({ description: 'null: as fast as the receiver answers' }),
    ordering,
    asymmetricSignature: z
      .boolean()
      .meta({ description: 'Whether there is a `v1a` signature (Ed25519) as well', examples: [false] }),
    publicKeys: z.array(z.string()).meta({
      description: 'Those that verify `v1a` signatures now, newest first: `whpk_` and base64 of 32 bytes',
      examples: [['whpk_...']],
    }),
    events: z.array(eventName).meta({ examples: [['InteractionCompleted']] }),
    filter: filter.nullable().meta({ description: 'null: every event passes', examples: [null] }),
    envelope,
  })
  .meta({ id: 'WebhookOptions' });

/** Throws for an unknown ordering. */
export function toWebhookOptions(row: WebhookOptions): z.output<typeof webhookOptions> {
  return {
    headerNames: row.headerNames,
    rateLimit: row.rateLimit && { perSecond: row.rateLimit.perSecond, burst: row.rateLimit.burst },
    ordering: ordering.parse(row.ordering),
    asymmetricSignature: row.isAsymmetric,
    publicKeys: row.publicKeys,
    events: row.events.map((name) => eventName.parse(name)),
    filter: row.filter ?? null,
    envelope: row.isEnveloped,
  };
}
