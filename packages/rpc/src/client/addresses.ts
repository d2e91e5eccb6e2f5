import { lookup } from 'node:dns/promises';
import { addressOf, type Target } from '@parley/runtime/config/target';

export interface AddressWatch extends Disposable {
  /** Looks the name up again, at most once per second. Returns false if there is no name. */
  refresh(): boolean;
}

// deploy/update waits for the longer one before it stops a replica.
const lookupIntervalMs = { min: 1_000, max: 5_000 };

/**
 * Calls `found` with the addresses at once and after each lookup of a name, every five seconds. If a lookup fails,
 * calls `failed` and repeats it after a second.
 */
export function watchAddresses(
  target: Target,
  found: (addresses: string[]) => void,
  failed: (cause: unknown) => void,
): AddressWatch {
  if ('addresses' in target) {
    found(target.addresses);
    return { refresh: () => false, [Symbol.dispose]: () => {} };
  }
  const { name, port } = target;
  let timer: NodeJS.Timeout | undefined;
  let lookedUpAtMs = 0;
  let isDisposed = false;

  const look = async (): Promise<void> => {
    lookedUpAtMs = performance.now();
    try {
      const all = await lookup(name, { all: true });
      if (!isDisposed) found(all.map(({ address }) => addressOf({ host: address, port })));
      schedule(lookupIntervalMs.max);
    } catch (error) {
      if (!isDisposed) failed(error);
      schedule(lookupIntervalMs.min);
    }
  };
  const schedule = (inMs: number): void => {
    clearTimeout(timer);
    if (!isDisposed) timer = setTimeout(() => void look(), inMs).unref();
  };

  void look();
  return {
    refresh: () => {
      schedule(Math.max(0, lookedUpAtMs + lookupIntervalMs.min - performance.now()));
      return true;
    },
    [Symbol.dispose]: () => {
      isDisposed = true;
      clearTimeout(timer);
    },
  };
}
