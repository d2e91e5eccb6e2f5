import { observedGauge } from '@parley/runtime/metrics/metrics';

export const streamReplicas = observedGauge({
  name: 'parley.stream.replicas',
  unit: '{replica}',
  description:
    'Replicas of the stream: `set` for it, `configured` at the broker, and `online`, which is 0 without a leader or a quorum',
  attributes: ['state'],
});

export const streamMessages = observedGauge({
  name: 'parley.stream.messages',
  unit: '{message}',
  description: 'Messages that the stream holds',
});

export const streamSize = observedGauge({
  name: 'parley.stream.size',
  unit: 'By',
  description: 'Bytes that the stream holds',
});
