import { observedGauge } from './metrics.ts';

export const clockAhead = observedGauge({
  name: 'parley.clock.ahead',
  unit: 's',
  description: "How far the clock of the process is ahead of its database's; negative if it is behind",
});
