import { observedUpDownCounter } from '@parley/runtime/metrics';

export const openPolls = observedUpDownCounter({
  name: 'parley.gateway.polls.open',
  unit: '{poll}',
  description: 'Long polls that wait for an answer',
});

export const openExports = observedUpDownCounter({
  name: 'parley.gateway.exports.open',
  unit: '{export}',
  description: 'Exports of interactions in progress',
});
