import { type Observed, observedCounter, observedUpDownCounter } from './metrics.ts';

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
