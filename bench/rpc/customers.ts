import type { Customer } from '@parley/contracts/customer/v1/customer';

/** What the callers of the server have to show. */
export const tokens = {
  service: 'service-token-of-a-benchmark',
  operator: 'operator-token-of-a-benchmark',
};

/** What the server answers: about 450 bytes, as rows of ours have. */
export const customer: Customer = {
  id: 'c-0123456789',
  firstName: 'Wilhelmina '.repeat(10),
  lastName: 'of the Northern Provinces '.repeat(10),
  email: 'wilhelmina@north.example',
  version: 7,
};
