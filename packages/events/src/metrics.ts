import { observedGauge } from '@parley/runtime/metrics';

/** How far a consumer is behind. */
export const consumerLag = observedGauge({
  name: 'parley.consumer.lag',
  unit: '{event}',
  description:
    'Events that the consumer has not acknowledged, as the broker counts them; the same from every replica',
  attributes: ['durable'],
});
