import { webhookLimits } from '@parley/contracts/limits';
import type { WebhookOptions } from '@parley/contracts/webhook/v1/delivery';
import { z } from 'zod';
import { positive } from '../values/count.ts';

/** The schema of the rate limit of deliveries. */
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

/** The schema of the ordering of deliveries. */
export const ordering = z.enum(['none', 'perCustomer', 'strict']).meta({
  id: 'WebhookOrdering',
  description:
    '`perCustomer`: the deliveries of a customer one after another. `strict`: all deliveries of the webhook. A ' +
    'failed delivery blocks later ones until it succeeds or has no attempts left',
  examples: ['none'],
});

/** The schema of the options of a webhook. */
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
  })
  .meta({ id: 'WebhookOptions' });

/** Returns the options as the API shows them. Throws for an unknown ordering. */
export function toWebhookOptions(row: WebhookOptions): z.output<typeof webhookOptions> {
  return {
    headerNames: row.headerNames,
    rateLimit: row.rateLimit && { perSecond: row.rateLimit.perSecond, burst: row.rateLimit.burst },
    ordering: ordering.parse(row.ordering),
    asymmetricSignature: row.isAsymmetric,
    publicKeys: row.publicKeys,
  };
}
