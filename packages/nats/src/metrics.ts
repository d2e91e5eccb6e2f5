import { observedGauge } from '@parley/runtime/metrics/metrics';

export const natsConnected = observedGauge({
  name: 'parley.nats.connected',
  // Not `1`, which Prometheus shows as a ratio.
  unit: '{connection}',
  description: '1 while connected to NATS, else 0',
});
