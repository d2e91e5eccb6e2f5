import type { Customer } from '@parley/contracts/customer/v1/customer';
import { type DetailName, type Details, detailOf, perDetail } from '@parley/contracts/customer-details';
import { z } from 'zod';
import { customerId } from '../../values/text.ts';
import type { Sealed } from '../../values/personal.ts';
import { embeddedInteraction } from '../interactions/present.ts';
import { hiddenWithout, personalText, type Reader } from '../../values/reader.ts';

export const personalDetails = perDetail((name) =>
  z.string().meta({ description: hiddenWithout, examples: [detailOf(name).example] }),
);

export const customer = z
  .strictObject({
    id: customerId,
    ...personalDetails,
    interactions: z
      .array(embeddedInteraction)
      .meta({ description: 'Newest first; empty in lists and on creation' }),
  })
  .meta({ id: 'Customer' });

export function toPersonalDetails(row: Pick<Sealed<Customer>, DetailName>, reader: Reader): Details {
  return perDetail((name) => personalText(row[name], reader));
}

/** Lists and creation show no interactions. */
export function toCustomer(
  row: Sealed<Customer>,
  interactions: z.output<typeof embeddedInteraction>[],
  reader: Reader,
): z.output<typeof customer> {
  return { id: row.id, ...toPersonalDetails(row, reader), interactions };
}
