import { eventNames } from '@parley/contracts/event-names';
import { isDay, isOneOf, isText, searchOf } from '../../search.ts';

export const webhookFilters = searchOf({
  state: isOneOf('pending', 'succeeded', 'failed', 'skipped'),
  event: isOneOf(...eventNames, 'Test'),
  interaction: isText,
  since: isDay,
  until: isDay,
  delivery: isText,
});
