import { eventNames, isEventName } from '@parley/contracts/event-names';
import { webhookLimits } from '@parley/contracts/limits';
import {
  between,
  characters,
  commonRules,
  anyKeys,
  type RequestRules,
  resourceId,
  uuid,
} from '@parley/rpc/request-rules';
import { orderings } from './schema.ts';

const { secretTokenCharactersMax, overlapSecondsMax, perSecondMin, perSecondMax, burstMax, deliveriesMax } =
  webhookLimits;

const eventName = (value: unknown): string | undefined =>
  isEventName(String(value)) ? undefined : `Must be one of ${eventNames.join(', ')}`;

export const webhookRules: RequestRules = {
  ...commonRules,
  events: eventName,
  id: resourceId,
  eventId: resourceId,
  interactionIds: uuid,
  secretToken: characters(1, secretTokenCharactersMax),
  overlapSeconds: between(0, overlapSecondsMax),
};

export const deliveryRules: RequestRules = {
  ...commonRules,
  events: eventName,
  id: resourceId,
  webhookId: resourceId,
  deliveryId: resourceId,
  // Names of header fields can equal the names above.
  fields: anyKeys,
  limit: between(1, deliveriesMax),
  perSecond: between(perSecondMin, perSecondMax),
  burst: between(1, burstMax),
  ordering: (value) =>
    orderings.some((one) => one === value) ? undefined : `Must be one of ${orderings.join(', ')}`,
};
