import { commonRules, freeNames, type RequestRules, resourceId } from '@parley/rpc/request-rules';

/** What the fields of a request about webhooks and events may hold. */
export const webhookRules: RequestRules = { ...commonRules, id: resourceId, eventId: resourceId };

/** About deliveries and options. */
export const deliveryRules: RequestRules = {
  ...commonRules,
  id: resourceId,
  webhookId: resourceId,
  deliveryId: resourceId,
  // Header fields, whose names may be those above.
  fields: freeNames,
};
