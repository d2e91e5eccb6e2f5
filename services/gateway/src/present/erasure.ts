import type { Erasure } from '@parley/contracts/customer/v1/customer';
import { z } from 'zod';
import { count } from '../values/count.ts';
import { required } from '../values/message.ts';
import { customerId, id } from '../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../values/timestamp.ts';

const kind = z.enum(['anonymisation', 'deletion']);

/** The schema of an erasure: the removal of a customer's personal data from every store. */
export const erasure = z
  .strictObject({
    id,
    customerId,
    kind,
    requestedAt: timestamp,
    completedAt: timestamp.nullable().meta({ description: 'Null while it runs', examples: [null] }),
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
  })
  .meta({ id: 'Erasure' });

/** Returns the erasure as the API shows it. Throws for an unknown kind. */
export function toErasure(row: Erasure): z.output<typeof erasure> {
  const { customers, interactions, events } = required(row.removed);
  return {
    id: row.id,
    customerId: row.customerId,
    kind: kind.parse(row.kind),
    requestedAt: toTimestamp(row.requestedAt),
    completedAt: toTimestampOrNull(row.completedAt),
    stores: [
      { store: 'customer', removed: customers },
      { store: 'interaction', removed: interactions },
      { store: 'webhook', removed: events },
    ],
  };
}
