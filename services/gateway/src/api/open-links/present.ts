import type { OpenLink } from '@parley/contracts/interaction/v1/open_link';
import { z } from 'zod';
import { isTest } from '../interactions/present.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

export const openLink = z
  .strictObject({
    id,
    botId: id,
    name: z.string().meta({ description: 'For people', examples: ['Table 7'] }),
    url: z
      .string()
      .meta({ examples: ['https://talk.example.com/open/2TfPq0Xy8mZ3vVQmGdZcKx1w9n2TfPq0Xy8mZ3vVQmGdZ'] }),
    expiresAt: timestamp.nullable().meta({ description: 'Null: it does not expire', examples: [null] }),
    responsesMax: z
      .int()
      .nullable()
      .meta({ description: 'How many conversations it begins at most. Null: any number', examples: [500] }),
    responses: z.int().meta({ description: 'How many it has begun, also deleted ones', examples: [12] }),
    contextKeys: z
      .array(z.string())
      .meta({ description: 'The parameters of the URL that become context', examples: [['table']] }),
    isClosed: z.boolean().meta({ description: 'Whether it takes no responses', examples: [false] }),
    isTest,
    createdAt: timestamp,
    createdBy: z.string().meta({
      description: 'The API key or the id of the person that created it',
      examples: ['prl_key_3vVQmGdZcKxw9n2TfPq0Xy'],
    }),
  })
  .meta({ id: 'OpenLink' });

/** The path of the page of an open link below the landing URL. */
export const openLinkPath = '/open';

/** `landingUrl`: without a trailing slash. */
export function toOpenLink(row: OpenLink, landingUrl: string): z.output<typeof openLink> {
  const { name, botId, responses, contextKeys, isClosed, createdBy } = row;
  return {
    id: row.id,
    botId,
    name,
    url: `${landingUrl}${openLinkPath}/${row.token}`,
    expiresAt: toTimestampOrNull(row.expiresAt),
    responsesMax: row.responsesMax ?? null,
    responses,
    contextKeys,
    isClosed,
    ...(row.isTest && { isTest: true as const }),
    createdAt: toTimestamp(row.createdAt),
    createdBy,
  };
}
