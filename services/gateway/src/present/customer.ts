import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { Interaction } from '@parley/contracts/interaction/v1/interaction';
import { z } from 'zod';
import { customerId } from '../values/text.ts';
import { embeddedInteraction, toEmbeddedInteraction } from './interaction.ts';

/** The schema of a customer. */
export const customer = z
  .strictObject({
    id: customerId,
    firstName: z.string().meta({ examples: ['Ada'] }),
    lastName: z.string().meta({ examples: ['Lovelace'] }),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    interactions: z
      .array(embeddedInteraction)
      .meta({ description: 'Newest first; empty in lists and on creation' }),
  })
  .meta({ id: 'Customer' });

/** Returns the customer with these interactions. Lists and creation show none. */
export function toCustomer(
  row: Customer,
  interactions: Interaction[],
  landingUrl: string,
): z.output<typeof customer> {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    interactions: interactions.map((one) => toEmbeddedInteraction(one, landingUrl)),
  };
}
