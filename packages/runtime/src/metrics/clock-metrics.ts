import { observedGauge } from './metrics.ts';

/** The difference of two clocks. A gateway compares with the database of the interaction service. */
export const clockAhead = observedGauge({
  name: 'parley.clock.ahead',
  unit: 's',
  description: "How far the clock of the process is ahead of its database's; negative if it is behind",
});
