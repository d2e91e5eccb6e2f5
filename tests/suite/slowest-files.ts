import type { Reporter, TestModule } from 'vitest/node';

/** How many files the list has. */
const filesMax = 10;

/** Prints the slowest files of a run with more than one file: where a shorter run is to be found. */
export class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return;
    const lines = modules
      .map((module) => ({ name: module.relativeModuleId, ms: tookMs(module) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, filesMax)
      .map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`);
    console.log(['', 'The slowest files:', ...lines].join('\n'));
  }
}

/** With imports, hooks and the setup of its worker. */
function tookMs(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
}
