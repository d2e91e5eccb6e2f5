const tickMs = 500;

/** Less than the time limit of calls, and longer than a busy machine delays a turn of the event loop. */
const stallMsMin = 2_000;

/** Notices when this process has not run for a while, such as when it was frozen. */
export class Stalls implements Disposable {
  #tickedAtMs = performance.now();
  #isResuming = false;
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref();

  /** Whether the process has not run until now. What it reads then may be old: its sender may have given up. */
  get isResuming(): boolean {
    return this.#isResuming || this.#isLate();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#isLate()) this.#resume();
    this.#tickedAtMs = performance.now();
  }

  #isLate(): boolean {
    return performance.now() - this.#tickedAtMs > stallMsMin;
  }

  /** Timers can run before the sockets are read. Two turns of the event loop read all that has waited. */
  #resume(): void {
    this.#isResuming = true;
    setImmediate(() => {
      setImmediate(() => {
        this.#isResuming = false;
      });
    });
  }
}
