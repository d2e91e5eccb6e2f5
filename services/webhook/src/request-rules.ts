import { webhookLimits } from '@parley/contracts/limits';
import {
  between,
  characters,
  commonRules,
  freeNames,
  type RequestRules,
  resourceId,
} from '@parley/rpc/request-rules';
import { orderings } from './webhooks/options-store.ts';

const { secretTokenCharactersMax, overlapSecondsMax, perSecondMin, perSecondMax, burstMax, deliveriesMax } =
  webhookLimits;

/** What the fields of a request about webhooks and events may hold. */
export const webhookRules: RequestRules = {
  ...commonRules,
  id: resourceId,
  eventId: resourceId,
  secretToken: characters(1, secretTokenCharactersMax),
  overlapSeconds: between(0, overlapSecondsMax),
};

/** About deliveries and options. */
export const deliveryRules: RequestRules = {
  ...commonRules,
  id: resourceId,
  webhookId: resourceId,
  deliveryId: resourceId,
  // Header fields, whose names may be those above.
  fields: freeNames,
  limit: between(1, deliveriesMax),
  perSecond: between(perSecondMin, perSecondMax),
  burst: between(1, burstMax),
  ordering: (value) =>
    orderings.some((one) => one === value) ? undefined : `Must be one of ${orderings.join(', ')}`,
};
