import { observedNumber } from '@parley/runtime/metrics';

export const openPolls = observedNumber({
  name: 'parley.gateway.polls.open',
  unit: '{poll}',
  description: 'Long polls that wait for an answer',
});
