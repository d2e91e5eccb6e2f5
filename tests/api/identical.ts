import type { Envelope } from '@parley/testing/api';

/** Returns an envelope without the request id: errors that the contract calls identical are equal in the rest. */
export function butRequestId<Data>(envelope: Envelope<Data>): Omit<Envelope<Data>, 'requestId'> {
  return Object.fromEntries(Object.entries(envelope).filter(([field]) => field !== 'requestId')) as Omit<
    Envelope<Data>,
    'requestId'
  >;
}
