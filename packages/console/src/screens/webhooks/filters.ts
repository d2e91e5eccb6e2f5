import { textsIn } from '../../search.ts';

/** The filters of a webhook's screen, which its address has. */
export const webhookFilters = textsIn('state', 'event', 'interaction', 'since', 'until', 'delivery');
