import type { Customer } from '@parley/contracts/customer/v1/customer';
import type { ListInteractionsResponse } from '@parley/contracts/interaction/v1/interaction';
import { expect, test } from 'vitest';
import { continuationOf } from '../../http/answer/long-list.ts';
import type { Sealed } from '../../values/personal.ts';
import { readerWith } from '../../values/reader.ts';
import { customer, toCustomer } from './present.ts';

const ada = { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', version: 1 };
const row = ada as unknown as Sealed<Customer>;

test('what a service answers has personal values that no answer accepts without a reader', () => {
  const shown: ReturnType<typeof toCustomer> = toCustomer(
    row,
    [],
    readerWith(() => false),
  );
  expect(customer.parse(shown)).toMatchObject({ id: 'ada', firstName: '[hidden]', email: '[hidden]' });
  // @ts-expect-error A sealed name is no text.
  const leaked: typeof shown = { ...row, interactions: [] };
  // @ts-expect-error Nor is one inside a message.
  const data: string | null | undefined = ({} as Sealed<ListInteractionsResponse>).interactions?.[0]?.data;
  const rest = continuationOf(
    { rows: [row] },
    // @ts-expect-error Nor does the rest of a list accept it.
    (one) => one,
    async () => ({ rows: [row] }),
  );
  expect([leaked.firstName, data, rest]).toEqual(['Ada', undefined, undefined]);
});
