export class InFlight {
  readonly #ended = Promise.withResolvers<void>();
  #calls = 0;
  #isDraining = false;

  /** True once no more calls may start. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Counts a call. Returns false if the server is stopping and the call must not start. */
  begin(): boolean {
    if (!this.#isDraining) this.#calls += 1;
    return !this.#isDraining;
  }

  end(): void {
    this.#calls -= 1;
    if (this.#isDraining && this.#calls === 0) this.#ended.resolve();
  }

  /** Stops new calls. Resolves when all started calls have ended. */
  drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#calls === 0) this.#ended.resolve();
    return this.#ended.promise;
  }
}
