import type { Target } from '@parley/runtime/target';
import { watchAddresses } from './addresses.ts';
import type { CallEvents, ClientCall } from './client-call.ts';
import { type Copy, openCopy } from './copy.ts';

/** All copies of a peer. */
export interface Copies extends Disposable {
  /** Sends the call to the copy whose turn it is. With none ready it waits for one that is connecting, or is `lost`. */
  dispatch(call: ClientCall): void;
  /** Forgets a call that has been given up. */
  forget(call: ClientCall): void;
}

/** Connects to each copy. A call that one of them has not delivered goes to another: no handler has seen it. */
export function openCopies(
  target: Target,
  authorization: string,
  events: Omit<CallEvents, 'undelivered'>,
): Copies {
  const byAddress = new Map<string, Copy>();
  /** Those that have no address any more, until they have answered what they had. */
  const retired = new Set<Copy>();
  const waiting = new Set<ClientCall>();
  let copies: Copy[] = [];
  let turn = 0;
  let isLooking = true;
  let lastCause = new Error('the peer has no address');

  const nextReady = (): Copy | undefined => {
    for (let tried = 0; tried < copies.length; tried += 1) {
      turn = (turn + 1) % copies.length;
      const copy = copies[turn];
      if (copy?.state === 'ready') return copy;
    }
    return undefined;
  };

  const dispatch = (call: ClientCall): void => {
    const copy = nextReady();
    if (copy) copy.send(call);
    else if (isLooking || copies.some(({ state }) => state === 'connecting')) waiting.add(call);
    // A turn later: one who tries again at once would keep the event loop from all that could help.
    else setImmediate(() => events.lost(call, lastCause));
  };

  const dispatchWaiting = (): void => {
    const calls = [...waiting];
    waiting.clear();
    for (const call of calls) dispatch(call);
  };

  const open = (address: string): Copy => {
    const copy = openCopy(address, authorization, {
      ...events,
      undelivered: dispatch,
      ready: dispatchWaiting,
      left: (cause) => {
        lastCause = cause;
        dispatchWaiting();
        watch.refresh();
      },
      closed: () => retired.delete(copy),
    });
    return copy;
  };

  const found = (addresses: string[]): void => {
    isLooking = false;
    for (const [address, copy] of byAddress) {
      if (addresses.includes(address)) continue;
      byAddress.delete(address);
      retired.add(copy);
      copy.retire();
    }
    for (const address of addresses) if (!byAddress.has(address)) byAddress.set(address, open(address));
    copies = [...byAddress.values()];
    dispatchWaiting();
  };

  const watch = watchAddresses(target, found, (cause) => {
    isLooking = false;
    lastCause = new Error('the peer has no address', { cause });
    dispatchWaiting();
  });

  return {
    dispatch,
    forget: (call) => {
      waiting.delete(call);
      call.stream?.cancel(call);
    },
    [Symbol.dispose]: () => {
      watch[Symbol.dispose]();
      for (const copy of [...copies, ...retired]) copy[Symbol.dispose]();
      copies = [];
      isLooking = false;
      lastCause = new Error('the connection to the peer has been closed');
      dispatchWaiting();
    },
  };
}
