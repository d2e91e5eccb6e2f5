import { lookup } from 'node:dns/promises';
import { addressOf, type Target } from '@parley/runtime/target';

/** The addresses of a target, as they change. */
export interface AddressWatch extends Disposable {
  /** Looks the name up again, but at most once a second. */
  refresh(): void;
}

const lookupsApartMs = { least: 1_000, most: 30_000 };

/** Tells the addresses now and whenever a name is looked up, which is every 30 seconds; `failed` when that is in vain. */
export function watchAddresses(
  target: Target,
  found: (addresses: string[]) => void,
  failed: (cause: unknown) => void,
): AddressWatch {
  if ('addresses' in target) {
    found(target.addresses);
    return { refresh: () => {}, [Symbol.dispose]: () => {} };
  }
  const { name, port } = target;
  let timer: NodeJS.Timeout | undefined;
  let lookedUpAtMs = 0;
  let isOver = false;

  const look = async (): Promise<void> => {
    lookedUpAtMs = performance.now();
    try {
      const all = await lookup(name, { all: true });
      if (!isOver) found(all.map(({ address }) => addressOf({ host: address, port })));
      lookAgain(lookupsApartMs.most);
    } catch (error) {
      if (!isOver) failed(error);
      lookAgain(lookupsApartMs.least);
    }
  };
  const lookAgain = (inMs: number): void => {
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(() => void look(), inMs).unref();
  };

  void look();
  return {
    refresh: () => lookAgain(Math.max(0, lookedUpAtMs + lookupsApartMs.least - performance.now())),
    [Symbol.dispose]: () => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
