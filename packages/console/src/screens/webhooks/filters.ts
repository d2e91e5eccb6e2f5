import { eventNames } from '@parley/contracts/event-names';
import { isDay, isOneOf, isText, searchOf } from '../../search.ts';

/** The filters of a webhook's screen, which its address has. */
export const webhookFilters = searchOf({
  state: isOneOf('pending', 'succeeded', 'failed', 'skipped'),
  event: isOneOf(...eventNames, 'Test'),
  interaction: isText,
  since: isDay,
  until: isDay,
  delivery: isText,
});
