const tickMs = 100;

/** A peer is silent after so many ticks without a heartbeat: 0.8 to 0.9 seconds after it freezes. */
const silentTicks = 8;

interface HeartbeatEvents {
  /** Returns whether calls wait for the peer. Otherwise no heartbeat is requested, and the timer stops. */
  isWaiting(): boolean;
  request(): void;
  /** Called at each tick while the peer is silent. */
  silent(): void;
  /** The peer is not silent any more. */
  resumed(): void;
}

/**
 * Detects within a second that a peer does not answer although its connection is open. Counts turns of a timer instead
 * of time, so that a pause of this process is not taken for one of the peer.
 */
export class Heartbeat implements Disposable {
  readonly #events: HeartbeatEvents;
  #timer: NodeJS.Timeout | undefined;
  /** The ticks since the unanswered request. */
  #unansweredTicks: number | undefined;

  constructor(events: HeartbeatEvents) {
    this.#events = events;
  }

  /** Watches the peer from now on, until no call waits for it and it has answered. */
  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }

  /** How late the next heartbeat is, in ticks. Zero most of the time. */
  get lateTicks(): number {
    return this.#unansweredTicks ?? 0;
  }

  get isSilent(): boolean {
    return this.lateTicks >= silentTicks;
  }

  /** Notes a heartbeat: any bytes of the peer. */
  beat(): void {
    const wasSilent = this.isSilent;
    this.#unansweredTicks = undefined;
    if (wasSilent) this.#events.resumed();
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    if (this.#unansweredTicks === undefined) {
      if (!this.#events.isWaiting()) return this.#stop();
      this.#unansweredTicks = 0;
      return this.#events.request();
    }
    this.#unansweredTicks += 1;
    if (this.isSilent) this.#events.silent();
  }
}
