import { noDetails } from '@parley/contracts/customer-details';
import type { Customer } from '@parley/contracts/customer/v1/customer';

/** The credentials of the server's callers. */
export const tokens = {
  service: 'service-token-of-a-benchmark',
  operator: 'operator-token-of-a-benchmark',
};

/** The server's answer: about 450 bytes, like a row of a service. */
export const customer: Customer = {
  id: 'c-0123456789',
  ...noDetails,
  firstName: 'Wilhelmina '.repeat(10),
  lastName: 'of the Northern Provinces '.repeat(10),
  email: 'wilhelmina@north.example',
  version: 7,
};
