import { filterFault, filterResults } from '@parley/bot/event-filter';
import { z } from 'zod';

export { filterFault };

const texts = z.record(z.string(), z.string());

/** What a filter sees of an event. Fields that are left out are empty. */
const sample = z.object({
  interaction: z
    .object({
      id: z.string().default(''),
      customerId: z.string().default(''),
      botId: z.string().default(''),
      botKey: z.string().default(''),
      type: z.string().default(''),
      status: z.string().default(''),
      priority: z.string().default(''),
      context: texts.default({}),
    })
    .prefault({}),
  evaluation: texts.default({}),
});

/** The outcome of a filter for a sample. */
export type Outcome = 'passes' | 'kept' | { reason: string };

/** Returns what becomes of a sample event (JSON), as the webhook service would decide. */
export function tryFilter(filter: string, event: string, json: string): Outcome {
  const read = readSample(json);
  if (read instanceof Error) return { reason: read.message };
  const { context, ...fields } = read.interaction;
  const interaction = { ...fields, context: new Map(Object.entries(context)) };
  const evaluation = new Map(Object.entries(read.evaluation));
  const result = filterResults([filter], { type: event, interaction, evaluation }).get(filter);
  if (result instanceof Error) return { reason: result.message };
  return result === true ? 'passes' : 'kept';
}

function readSample(json: string): z.output<typeof sample> | Error {
  try {
    const { data, error } = sample.safeParse(JSON.parse(json));
    if (data) return data;
    const [issue] = error.issues;
    return new Error(`${issue?.path.join('.')}: ${issue?.message}`);
  } catch (error) {
    return error as Error;
  }
}

/** Returns a sample of an event, from its example in the catalogue. */
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
