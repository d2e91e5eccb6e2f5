import { observedGauge } from '@parley/runtime/metrics';

export const age = observedGauge({
  name: 'parley.insight.age',
  unit: 's',
  description: 'Age of the figures: time since `asOf`. Absent until they are built for the first time',
});
