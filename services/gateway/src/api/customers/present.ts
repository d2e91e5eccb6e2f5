import type { Customer } from '@parley/contracts/customer/v1/customer';
import { z } from 'zod';
import { customerId } from '../../values/text.ts';
import type { Sealed } from '../../values/personal.ts';
import { embeddedInteraction } from '../interactions/present.ts';
import { hiddenWithout, personalText, type Reader } from '../../values/reader.ts';

const description = hiddenWithout;

/** The schemas of the name and the e-mail address of a customer. */
export const personalDetails = {
  firstName: z.string().meta({ description, examples: ['Ada'] }),
  lastName: z.string().meta({ description, examples: ['Lovelace'] }),
  email: z.string().meta({ description, examples: ['ada@example.com'] }),
};

/** The schema of a customer. */
export const customer = z
  .strictObject({
    id: customerId,
    ...personalDetails,
    interactions: z
      .array(embeddedInteraction)
      .meta({ description: 'Newest first; empty in lists and on creation' }),
  })
  .meta({ id: 'Customer' });

/** Returns the name and the e-mail address of a customer as a caller may see them. */
export function toPersonalDetails(
  { firstName, lastName, email }: Pick<Sealed<Customer>, 'firstName' | 'lastName' | 'email'>,
  reader: Reader,
) {
  return {
    firstName: personalText(firstName, reader),
    lastName: personalText(lastName, reader),
    email: personalText(email, reader),
  };
}

/** Returns the customer with these interactions. Lists and creation show none. */
export function toCustomer(
  row: Sealed<Customer>,
  interactions: z.output<typeof embeddedInteraction>[],
  reader: Reader,
): z.output<typeof customer> {
  return { id: row.id, ...toPersonalDetails(row, reader), interactions };
}
