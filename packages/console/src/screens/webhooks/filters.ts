import { eventNames } from '@parley/contracts/event-names';
import { searchWithDays } from '../../data/zone.ts';
import { isDay, isOneOf, isText } from '../../search.ts';

export const webhookFilters = searchWithDays(
  {
    state: isOneOf('pending', 'succeeded', 'failed', 'skipped'),
    event: isOneOf(...eventNames, 'Test'),
    interaction: isText,
    since: isDay,
    until: isDay,
    delivery: isText,
  },
  ['since', 'until'],
);
