import { counter, observedGauge, observedUpDownCounter } from '@parley/runtime/metrics/metrics';

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

export const concurrencyLimit = observedGauge({
  name: 'parley.gateway.concurrency.limit',
  unit: '{call}',
  description: 'Limit of calls in flight; 2000 while they are not limited',
});

export const shedCalls = counter({
  name: 'parley.gateway.calls.shed',
  unit: '{call}',
  description: 'Calls that were refused because they would have waited too long',
  attributes: ['priority'],
});
