import { type FilteredEvent, filterFault, filterResults } from '@parley/bot/event-filter';

export { filterFault };

export type TrialOutcome = 'passes' | 'kept' | { reason: string };

/** Returns what becomes of a sample event (JSON), as the webhook service would decide. */
export function tryFilter(filter: string, event: string, json: string): TrialOutcome {
  try {
    const result = filterResults([filter], { type: event, ...readSample(json) }).get(filter);
    if (result instanceof Error) return { reason: result.message };
    return result === true ? 'passes' : 'kept';
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

/** Reads what a filter sees of an event. Fields that are left out are empty. Throws for JSON of another form. */
function readSample(json: string): Omit<FilteredEvent, 'type'> {
  const { interaction = {}, evaluation = {} } = JSON.parse(json) as Record<string, object | undefined>;
  const { context = {}, isTest = false, ...fields } = interaction as Record<string, unknown>;
  if (typeof isTest !== 'boolean') throw new TypeError('interaction.isTest: must be true or false');
  const texts = textsIn(fields, 'interaction');
  const text = (name: string): string => texts.get(name) ?? '';
  return {
    interaction: {
      id: text('id'),
      customerId: text('customerId'),
      botId: text('botId'),
      botKey: text('botKey'),
      type: text('type'),
      status: text('status'),
      priority: text('priority'),
      isTest,
      context: textsIn(context, 'interaction.context'),
    },
    evaluation: textsIn(evaluation, 'evaluation'),
  };
}

function textsIn(object: unknown, place: string): Map<string, string> {
  const entries = Object.entries(object ?? {});
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw new TypeError(`${place}.${name}: must be a text in quotes`);
  }
  return new Map(entries as [string, string][]);
}

export function sampleOf(example: Record<string, unknown>): string {
  const { data = {} } = example as { data?: Record<string, unknown> };
  const { id, customerId, botId, botKey, type, status, priority, context = [], result } = data;
  const pairs = context as { key: string; value: string }[];
  const { evaluation = {} } = (result ?? {}) as { evaluation?: unknown };
  const interaction = {
    ...(botId !== undefined && { id, customerId, botId, botKey, type, status, priority }),
    context: Object.fromEntries(pairs.map(({ key, value }) => [key, value])),
  };
  return JSON.stringify({ interaction, evaluation }, undefined, 2);
}
