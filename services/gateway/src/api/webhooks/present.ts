import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import { z } from 'zod';
import { id } from '../../values/text.ts';

/** The schema of a webhook. It has no secret token. */
export const webhook = z
  .strictObject({
    id,
    url: z.string().meta({ examples: ['https://example.com/parley'] }),
    isActive: z.boolean(),
    event: z.string().meta({
      description: 'The names of its events, in the order of the catalogue, with commas',
      examples: ['InteractionCompleted'],
    }),
  })
  .meta({ id: 'Webhook' });

/** Returns the webhook as the API shows it. */
export function toWebhook(row: Webhook): z.output<typeof webhook> {
  return { id: row.id, url: row.url, isActive: row.isActive, event: row.event };
}
