import { observedGauge } from '@parley/runtime/metrics';

/** The connection to the broker. */
export const natsConnected = observedGauge({
  name: 'parley.nats.connected',
  // Not `1`, which Prometheus shows as a ratio.
  unit: '{connection}',
  description: '1 while connected to NATS, else 0',
});

/** How far a consumer is behind. */
export const consumerLag = observedGauge({
  name: 'parley.consumer.lag',
  unit: '{event}',
  description:
    'Events that the consumer has not acknowledged, as the broker counts them; the same from every replica',
  attributes: ['durable'],
});
