import { type FilteredEvent, filterResults } from '@parley/bot/event-filter';
import type { EventName } from '@parley/contracts/event-names';
import type { EventBody } from '@parley/contracts/interaction/v1/interaction';
import type { Compute } from '@parley/runtime/compute-queue';
import { inWorkScope } from '@parley/runtime/work-scope';
import type { Subscriber } from './subscription-store.ts';

/** What has become of an event for a webhook: it is sent, filtered, or its filter failed. */
export interface Decision {
  webhookId: string;
  isEnveloped: boolean;
  outcome: 'sent' | 'filtered' | 'failed';
  /** Why the filter failed. */
  error?: string;
}

type Filtered = { workspaceId: string; name: EventName; interactionId: string } & Pick<
  EventBody,
  'interaction' | 'evaluation'
>;

/**
 * Evaluates the filters of subscribers, as work of the event's workspace. They share a budget, so that costly filters
 * of one workspace do not delay the webhooks of others.
 */
export async function decide(
  compute: Compute,
  event: Filtered,
  subscribers: readonly Subscriber[],
): Promise<Decision[]> {
  const filters = new Set(subscribers.flatMap(({ filter }) => filter ?? []));
  const evaluate = () => filterResults(filters, filteredEvent(event));
  const results =
    filters.size > 0
      ? await inWorkScope({ tenant: event.workspaceId, signal: undefined }, () => compute(evaluate))
      : new Map<string, boolean | Error>();
  return subscribers.map(({ webhookId, filter, isEnveloped }) => {
    const result = filter === null || (results.get(filter) ?? false);
    if (result instanceof Error) return { webhookId, isEnveloped, outcome: 'failed', error: result.message };
    return { webhookId, isEnveloped, outcome: result ? 'sent' : 'filtered' };
  });
}

interface Resource {
  id: string;
  customerId: string;
  botId: string;
  botKey: string;
  type: string;
  status: string;
  priority: string;
  context: { key: string; value: string }[];
}

/** An event that is about no interaction has empty texts. */
function filteredEvent({ name, interactionId, interaction, evaluation }: Filtered): FilteredEvent {
  const resource = interactionId === '' ? undefined : (JSON.parse(interaction.toString()) as Resource);
  return {
    type: name,
    interaction: {
      id: resource?.id ?? '',
      customerId: resource?.customerId ?? '',
      botId: resource?.botId ?? '',
      botKey: resource?.botKey ?? '',
      type: resource?.type ?? '',
      status: resource?.status ?? '',
      priority: resource?.priority ?? '',
      context: new Map(resource?.context.map(({ key, value }) => [key, value])),
    },
    evaluation: new Map(Object.entries(evaluation)),
  };
}
