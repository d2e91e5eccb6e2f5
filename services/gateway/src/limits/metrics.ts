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

export const openLinkStarts = counter({
  name: 'parley.gateway.open_links.starts',
  unit: '{start}',
  description:
    'Presses of the button of open links by outcome: `begun` and `continued` conversations, and refusals: `closed`, ' +
    '`expired`, `full`, `address_limit` or `link_limit`',
  attributes: ['outcome'],
});

export const startOutcomes = [
  'begun',
  'continued',
  'closed',
  'expired',
  'full',
  'address_limit',
  'link_limit',
] as const;

export function countStart(outcome: (typeof startOutcomes)[number], value: 0 | 1 = 1): void {
  openLinkStarts.add({ outcome }, value);
}
