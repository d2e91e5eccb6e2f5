import type { PortalLink } from '@parley/contracts/identity/v1/identity';
import { z } from 'zod';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

export const portalLink = z
  .strictObject({
    id,
    name: z.string().meta({ description: 'For people; may be empty', examples: ['Shop team'] }),
    webhookIds: z
      .array(id)
      .nullable()
      .meta({ description: 'The webhooks that it shows. Null: all, also later ones', examples: [null] }),
    personalData: z.boolean().meta({ description: 'Whether it shows personal data', examples: [false] }),
    createdAt: timestamp,
    createdBy: z.string().meta({
      description: 'The API key or the id of the person that created it',
      examples: ['prl_key_3vVQmGdZcKxw9n2TfPq0Xy'],
    }),
    expiresAt: timestamp.meta({ description: 'When the link and its session end' }),
    usedAt: timestamp.nullable().meta({ description: 'When it was opened. Null: not yet', examples: [null] }),
    revokedAt: timestamp.nullable().meta({ description: 'Null: it is not revoked', examples: [null] }),
  })
  .meta({ id: 'PortalLink' });

export function toPortalLink(row: PortalLink): z.output<typeof portalLink> {
  return {
    id: row.id,
    name: row.name,
    webhookIds: row.webhookIds.length > 0 ? row.webhookIds : null,
    personalData: row.personalData,
    createdAt: toTimestamp(row.createdAt),
    createdBy: row.createdBy,
    expiresAt: toTimestamp(row.expiresAt),
    usedAt: toTimestampOrNull(row.usedAt),
    revokedAt: toTimestampOrNull(row.revokedAt),
  };
}
