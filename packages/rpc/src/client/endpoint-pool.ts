import type { RpcTarget } from '@parley/runtime/config/target';
import { type AddressWatch, watchAddresses } from './addresses.ts';
import type { CallEvents, ClientCall } from './client-call.ts';
import { type ConnectionOptions, Endpoint } from './endpoint.ts';

type PoolEvents = Omit<CallEvents, 'undelivered'>;

/** All endpoints of a peer. A call that one of them gives back as undelivered goes to another. */
export class EndpointPool implements Disposable {
  readonly #connection: ConnectionOptions;
  readonly #events: PoolEvents;
  readonly #byAddress = new Map<string, Endpoint>();
  /** Endpoints whose address is gone, until their calls are answered. */
  readonly #retired = new Set<Endpoint>();
  readonly #waiting = new Set<ClientCall>();
  /** Calls for one endpoint that wait until it is ready. */
  readonly #pinned = new Map<ClientCall, Endpoint>();
  // Node 20 runs the command line: it has no Promise.withResolvers.
  #foundAny: () => void = () => {};
  readonly #lookedUp = new Promise<void>((resolve) => {
    this.#foundAny = resolve;
  });
  readonly #watch: AddressWatch;
  #endpoints: Endpoint[] = [];
  #turn = 0;
  #isLookingUp = true;
  #lastCause = new Error('the peer has no address');

  constructor(target: RpcTarget, connection: ConnectionOptions, events: PoolEvents) {
    this.#connection = connection;
    this.#events = events;
    this.#watch = watchAddresses(
      target,
      (addresses) => this.#replace(addresses),
      (cause) => {
        this.#isLookingUp = false;
        this.#foundAny();
        this.#lastCause = new Error('the peer has no address', { cause });
        this.#dispatchWaiting();
      },
    );
  }

  /**
   * Sends the call to the next ready endpoint. Without one, it waits for one that connects or is silent, or is `lost`.
   */
  dispatch(call: ClientCall): void {
    const endpoint = this.#nextReady();
    if (endpoint) endpoint.send(call);
    else if (this.#isLookingUp || this.#endpoints.some(({ state }) => state !== 'unavailable'))
      this.#waiting.add(call);
    // In the next turn, so that a caller that retries at once does not block the event loop.
    else setImmediate(() => this.#events.lost(call, this.#lastCause));
  }

  /** Returns the endpoints after the first lookup of the addresses. None if it has failed. */
  async endpoints(): Promise<readonly Endpoint[]> {
    await this.#lookedUp;
    return this.#endpoints;
  }

  /** Sends a call to this endpoint only. The call waits while it connects, and is `lost` if it does not answer. */
  dispatchTo(endpoint: Endpoint, call: ClientCall): void {
    const { state } = endpoint;
    if (state === 'ready' || state === 'silent') endpoint.send(call);
    else if (state === 'connecting') this.#pinned.set(call, endpoint);
    else setImmediate(() => this.#events.lost(call, this.#lastCause));
  }

  /** Cancels a call that is settled already. */
  cancel(call: ClientCall): void {
    this.#waiting.delete(call);
    this.#pinned.delete(call);
    call.stream?.cancel(call);
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
    for (const endpoint of [...this.#endpoints, ...this.#retired]) endpoint[Symbol.dispose]();
    this.#endpoints = [];
    this.#isLookingUp = false;
    this.#foundAny();
    this.#lastCause = new Error('the connection to the peer has been closed');
    this.#dispatchWaiting();
  }

  /** Returns the next ready endpoint in turn. Passes over one whose heartbeat is late, if another is in time. */
  #nextReady(): Endpoint | undefined {
    let best: Endpoint | undefined;
    for (let tried = 0; tried < this.#endpoints.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#endpoints.length;
      const endpoint = this.#endpoints[this.#turn];
      if (endpoint?.state !== 'ready') continue;
      if (endpoint.lateTicks === 0) return endpoint;
      if (!best || endpoint.lateTicks < best.lateTicks) best = endpoint;
    }
    return best;
  }

  #dispatchWaiting(): void {
    const calls = [...this.#waiting];
    this.#waiting.clear();
    for (const call of calls) this.dispatch(call);
  }

  #dispatchPinned(endpoint: Endpoint): void {
    for (const [call, to] of this.#pinned) {
      if (to !== endpoint) continue;
      this.#pinned.delete(call);
      this.dispatchTo(endpoint, call);
    }
  }

  #replace(addresses: string[]): void {
    this.#isLookingUp = false;
    for (const [address, endpoint] of this.#byAddress) {
      if (addresses.includes(address)) continue;
      this.#byAddress.delete(address);
      this.#retired.add(endpoint);
      endpoint.retire();
    }
    for (const address of addresses) {
      if (!this.#byAddress.has(address)) this.#byAddress.set(address, this.#open(address));
    }
    this.#endpoints = [...this.#byAddress.values()];
    this.#foundAny();
    this.#dispatchWaiting();
  }

  #open(address: string): Endpoint {
    const endpoint = new Endpoint(address, this.#connection, {
      ...this.#events,
      undelivered: (call) => {
        if (call.isPinned) this.#events.lost(call, new Error('the endpoint does not answer'));
        else this.dispatch(call);
      },
      ready: () => {
        this.#dispatchPinned(endpoint);
        this.#dispatchWaiting();
      },
      // Another that is late too may be frozen, and a call is redirected only once.
      silent: () => {
        if (this.#nextReady()?.lateTicks === 0) endpoint.redirect();
      },
      unavailable: (cause) => {
        this.#lastCause = cause;
        this.#dispatchPinned(endpoint);
        this.#dispatchWaiting();
        this.#watch.refresh();
      },
      // The name may have a successor already. Calls without another endpoint wait until it is looked up.
      stopping: (cause) => {
        this.#lastCause = cause;
        this.#isLookingUp = this.#watch.refresh();
        this.#dispatchWaiting();
      },
      closed: () => this.#retired.delete(endpoint),
    });
    return endpoint;
  }
}
