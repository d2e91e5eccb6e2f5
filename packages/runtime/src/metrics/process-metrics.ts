import { counter, type Observed, observedCounter, observedGauge, observedUpDownCounter } from './metrics.ts';

export const memoryUsage: Observed = observedUpDownCounter({
  name: 'process.memory.usage',
  unit: 'By',
  description: 'Physical memory in use',
});

export const cpuTime: Observed = observedCounter({
  name: 'process.cpu.time',
  unit: 's',
  description: 'Processor time',
  attributes: ['cpu.mode'],
});

/** Observes the process as long as it lives. */
export function observeProcess(): void {
  memoryUsage.observe((report) => report(process.memoryUsage.rss()));
  cpuTime.observe((report) => {
    const { user, system } = process.cpuUsage();
    report(user / 1e6, { 'cpu.mode': 'user' });
    report(system / 1e6, { 'cpu.mode': 'system' });
  });
}

export const clockAhead = observedGauge({
  name: 'parley.clock.ahead',
  unit: 's',
  description: "How far the clock of the process is ahead of its database's; negative if it is behind",
});

/**
 * Why work did not start. `given_up`: its caller gave up. `busy`: too much work of its tenant waited (429). `stuck`:
 * none of its tenant's work ended while it waited (503).
 */
export const refusalReasons = ['given_up', 'busy', 'stuck'] as const;

export type RefusalReason = (typeof refusalReasons)[number];

export const waitingWork = observedUpDownCounter({
  name: 'parley.work.waiting',
  unit: '{work}',
  description: 'Work that waits for its turn, by class',
  attributes: ['class'],
});

export const refusedWork = counter({
  name: 'parley.work.refused',
  unit: '{work}',
  description: 'Work that left its queue without running',
  attributes: ['class', 'reason'],
});

export const settingsRefused = counter({
  name: 'parley.settings.refused',
  unit: '{check}',
  description: 'Checks that found a changed file of a setting unusable; its last good value stays in use',
  attributes: ['setting'],
});
