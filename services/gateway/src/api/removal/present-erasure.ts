import { erasureResource } from '@parley/contracts/erasure-resource';
import type { Erasure } from '@parley/contracts/customer/v1/customer';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { customerId, id } from '../../values/text.ts';
import { timestamp } from '../../values/timestamp.ts';

const kind = z.enum(['anonymisation', 'deletion']);

export const erasure = z
  .strictObject({
    id,
    customerId,
    kind,
    requestedAt: timestamp,
    completedAt: timestamp.nullable().meta({ description: 'Null while it runs', examples: [null] }),
    requestedBy: z.string().meta({
      description:
        'The API key or the `personId` of its first call, or of the deletion that an anonymisation has become',
      examples: ['prl_key_3vVQmGdZcKxw9n2TfPq0Xy'],
    }),
    stores: z.array(
      z.strictObject({
        store: z.enum(['customer', 'interaction', 'webhook']),
        removed: count.meta({
          description:
            'How many records have lost their personal data so far: the customer, its interactions, the bodies of ' +
            'its events. Another anonymisation of the customer, while this one runs, restarts the count.',
          examples: [1200],
        }),
      }),
    ),
    receipt: z
      .string()
      .nullable()
      .meta({
        description:
          'Null while it runs. A JWS (RFC 7515, compact, Ed25519) over the JSON of the other fields. ' +
          '`/.well-known/parley/erasure-keys` has the keys that verify it',
        examples: [null],
      }),
  })
  .meta({ id: 'Erasure' });

/** Throws for an unknown kind. */
export function toErasure(row: Erasure): z.output<typeof erasure> {
  return { ...erasureResource(row), kind: kind.parse(row.kind), receipt: row.receipt ?? null };
}
