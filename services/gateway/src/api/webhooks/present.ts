import type { Webhook } from '@parley/contracts/webhook/v1/webhook';
import { z } from 'zod';
import { id } from '../../values/text.ts';

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

export function toWebhook(row: Webhook): z.output<typeof webhook> {
  // Services of 0.2.0, and answers that they have stored, have the text only.
  const event = row.events.length > 0 ? row.events.join(',') : row.event;
  return { id: row.id, url: row.url, isActive: row.isActive, event };
}
