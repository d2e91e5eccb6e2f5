import { type FilteredEvent, passes } from '@parley/bot/event-filter';
import type { EventName } from '@parley/contracts/event-names';
import type { EventBody } from '@parley/contracts/interaction/v1/interaction';
import type { Compute } from '@parley/runtime/compute-queue';
import { inWorkScope } from '@parley/runtime/work-scope';
import type { Subscriber } from './subscription-store.ts';

/** What has become of an event for a webhook: it is sent, filtered, or its filter failed. */
export interface Decision {
  webhookId: string;
  outcome: 'sent' | 'filtered' | 'failed';
  /** Why the filter failed. */
  error?: string;
}

type Filtered = { workspaceId: string; name: EventName; interactionId: string } & Pick<
  EventBody,
  'interaction' | 'evaluation'
>;

/** Evaluates the filters of subscribers, as work of the event's workspace. */
export async function decide(
  compute: Compute,
  event: Filtered,
  subscribers: readonly Subscriber[],
): Promise<Decision[]> {
  let seen: FilteredEvent | undefined;
  const decisions: Decision[] = [];
  for (const { webhookId, filter } of subscribers) {
    if (filter === null) {
      decisions.push({ webhookId, outcome: 'sent' });
      continue;
    }
    const scope = { tenant: event.workspaceId, signal: undefined };
    const result = await inWorkScope(scope, () =>
      compute(() => passes(filter, (seen ??= filteredEvent(event)))),
    );
    if (result instanceof Error) decisions.push({ webhookId, outcome: 'failed', error: result.message });
    else decisions.push({ webhookId, outcome: result ? 'sent' : 'filtered' });
  }
  return decisions;
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
