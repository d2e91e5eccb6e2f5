import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** Longer than the slowest file takes on a busy machine. */
const fileMsMax = 20 * 60_000;
/** Vitest first asks its workers to end, and a starved one cannot. The second request kills them. */
const killAfterMs = 5_000;

/**
 * Ends the run when a file takes too long, and names the file and its test. It runs in the runner's process, because a
 * file that starves its event loop cannot observe its own limits.
 */
export class HangingFiles implements Reporter {
  readonly #limitMs: number;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Map<string, TestCase>();
  #vitest: Vitest | undefined;

  constructor({ limitMs = fileMsMax }: { limitMs?: number } = {}) {
    this.#limitMs = limitMs;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestModuleQueued(module: TestModule): void {
    const end = (): Promise<void> => this.#end(module);
    this.#timers.set(module.id, setTimeout(() => void end(), this.#limitMs).unref());
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.set(test.module.id, test);
  }

  onTestModuleEnd({ id }: TestModule): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
    this.#running.delete(id);
  }

  async #end(module: TestModule): Promise<void> {
    const test = this.#running.get(module.id);
    const place = test ? `${module.relativeModuleId} > ${test.fullName}` : module.relativeModuleId;
    console.error(`HANGS: ${place} has not ended after ${this.#limitMs / 1_000} seconds. The run ends.`);
    process.exitCode = 1;
    const cancelling = this.#vitest?.cancelCurrentRun('test-failure');
    setTimeout(() => void this.#vitest?.cancelCurrentRun('test-failure'), killAfterMs);
    await cancelling;
  }
}
