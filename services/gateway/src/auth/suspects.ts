import { FairQueue } from '@parley/runtime/scheduling/fair-queue';
import { inWork } from '@parley/runtime/scheduling/work';

/**
 * How many credentials of callers with too many failures are checked at once: a small part of what identity can do, so
 * that guesses delay no other check.
 */
export const suspectChecksMax = 4;

/**
 * Runs checks of credentials that are probably wrong, two at a time for each address. Valid ones wait behind the
 * guesses from their address, but are not rejected. Throws as `FairQueue` does, after seconds.
 */
export type RunSuspect = <Result>(address: string, check: () => Promise<Result>) => Promise<Result>;

export function createSuspectQueue(): RunSuspect {
  const queue = new FairQueue({
    name: 'suspect',
    inFlightMax: suspectChecksMax,
    inFlightPerTenantMax: 2,
  });
  // Others may join the check of the same credentials, so it does not end with its first caller.
  return (address, check) => inWork({ tenant: address, signal: undefined }, () => queue.run(check));
}
