import { observedGauge } from '@parley/runtime/metrics';

/** The stream, as the service that declares it sees it. */
export const streamReplicas = observedGauge({
  name: 'parley.stream.replicas',
  unit: '{replica}',
  description:
    'Replicas of the stream: `set` for it, `configured` at the broker, and `online`, which is 0 without a leader or a quorum',
  attributes: ['state'],
});
