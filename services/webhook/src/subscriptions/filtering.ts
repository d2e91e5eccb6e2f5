import { type FilteredEvent, filterResults, filterUnits } from '@parley/bot/event-filter';
import { turnUnitsMax } from '@parley/bot/turn-budget';
import type { EventName } from '@parley/contracts/event-names';
import type { EventBody } from '@parley/contracts/interaction/v1/interaction';
import type { Compute } from '@parley/runtime/scheduling/compute-queue';
import { currentWork, inWork } from '@parley/runtime/scheduling/work';
import type { Subscriber } from './subscription-store.ts';

/** What has become of an event for a webhook: it is sent, filtered, or its filter failed. */
export interface Decision {
  webhookId: string;
  isEnveloped: boolean;
  outcome: 'sent' | 'filtered' | 'failed';
  error?: string;
}

type Filtered = { workspaceId: string; name: EventName; interactionId: string } & Pick<
  EventBody,
  'interaction' | 'evaluation'
>;

/** Evaluates the filters of subscribers in parts of at most a turn's work, as work of the event's workspace. */
export async function decideDeliveries(
  compute: Compute,
  event: Filtered,
  subscribers: readonly Pick<Subscriber, 'webhookId' | 'filter' | 'isEnveloped'>[],
): Promise<Decision[]> {
  const results = new Map<string, boolean | Error>();
  const parts = partsOf(new Set(subscribers.flatMap(({ filter }) => filter ?? [])));
  if (parts.length > 0) {
    const filtered = filteredEvent(event);
    await inWork({ tenant: event.workspaceId, signal: currentWork().signal }, async () => {
      for (const part of parts)
        for (const [filter, result] of await compute(() => filterResults(part, filtered)))
          results.set(filter, result);
    });
  }
  return subscribers.map(({ webhookId, filter, isEnveloped }) => {
    const result = filter === null || (results.get(filter) ?? false);
    if (result instanceof Error) return { webhookId, isEnveloped, outcome: 'failed', error: result.message };
    return { webhookId, isEnveloped, outcome: result ? 'sent' : 'filtered' };
  });
}

/** Returns the filters in parts that take at most a turn's work each, or have one filter. */
function partsOf(filters: Iterable<string>): string[][] {
  const parts: string[][] = [];
  let unitsLeft = 0;
  for (const filter of filters) {
    const units = filterUnits(filter);
    if (units > unitsLeft || parts.length === 0) {
      parts.push([]);
      unitsLeft = turnUnitsMax;
    }
    parts.at(-1)?.push(filter);
    unitsLeft -= units;
  }
  return parts;
}

interface Resource {
  id: string;
  customerId: string;
  botId: string;
  botKey: string;
  type: string;
  status: string;
  priority: string;
  isTest?: true;
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
      isTest: resource?.isTest ?? false,
      context: new Map(resource?.context.map(({ key, value }) => [key, value])),
    },
    evaluation: new Map(Object.entries(evaluation)),
  };
}
