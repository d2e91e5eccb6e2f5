import { counter, histogram, isRecording } from '@parley/runtime/metrics/metrics';
import type { Selectable } from 'kysely';
import type { InteractionTable } from './schema.ts';

export const modelDuration = histogram({
  name: 'gen_ai.client.operation.duration',
  description: 'Duration of questions to the language model, with retries',
  attributes: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
  // As in the semantic conventions.
  boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
});

export const interactionEvents = counter({
  name: 'parley.interactions',
  unit: '{interaction}',
  description:
    'Interactions that were created, whose conversation started, that completed with it, or that expired',
  attributes: ['event', 'interaction.type'],
});

type InteractionEvent = 'created' | 'started' | 'completed' | 'expired';

const events: readonly InteractionEvent[] = ['created', 'started', 'completed', 'expired'];

export const deletedInteractions = counter({
  name: 'parley.interactions.deleted',
  unit: '{interaction}',
  description: 'Deleted interactions by cause: `call`, `customer` (with it) or `retention`',
  attributes: ['cause'],
});

export const reminders = counter({
  name: 'parley.reminders',
  unit: '{reminder}',
  description: 'Reminders by outcome: `raised`, or `skipped` because they were more than an hour late',
  attributes: ['outcome'],
});

/** Begins the series with zeros: a rate misses the first event of a series that begins with it. */
export function countReminders(raised: number, skipped: number): void {
  for (const outcome of ['raised', 'skipped']) reminders.add({ outcome }, 0);
  for (let at = 0; at < raised; at += 1) reminders.add({ outcome: 'raised' });
  for (let at = 0; at < skipped; at += 1) reminders.add({ outcome: 'skipped' });
}

export const refusedOffers = counter({
  name: 'parley.offers.refused',
  unit: '{offer}',
  description: 'Offers of interactions that a contact policy refused',
});

export type DeletionCause = 'call' | 'customer' | 'retention';

export function countDeleted(cause: DeletionCause, count: number): void {
  for (let at = 0; at < count; at += 1) deletedInteractions.add({ cause });
}

/** How many types of bots a process counts apart. Each has a series per event, and a metric has at most 2,000. */
const typesMax = 200;

const counted = new Set<string>();

/** Counts an interaction by its type, the `type` of its bot. */
export function countInteractions(event: InteractionEvent, type: string): void {
  if (!isRecording()) return;
  const isApart = counted.has(type) || counted.size < typesMax;
  const name = isApart ? type : '_OTHER';
  if (!counted.has(name)) {
    counted.add(name);
    // A rate misses the first event of a series that begins with it.
    for (const one of events) interactionEvents.add({ event: one, 'interaction.type': name }, 0);
  }
  interactionEvents.add({ event, 'interaction.type': name });
}

type Progress = Partial<Pick<Selectable<InteractionTable>, 'status' | 'botVersion'>>;

/** Counts what a committed change means: its conversation started, it completed or it expired. */
export function countChange(
  before: Pick<Selectable<InteractionTable>, 'status' | 'botVersion' | 'type'>,
  change: Progress,
): void {
  const { type } = before;
  if (before.botVersion === null && typeof change.botVersion === 'number') countInteractions('started', type);
  if (change.status === undefined || change.status === before.status) return;
  if (change.status === 'Completed') countInteractions('completed', type);
  if (change.status === 'Expired') countInteractions('expired', type);
}

/** Returns the answer of a model, and records how long it took. `faultOf` returns the fault of an error. */
export async function recordModelCall<T>(
  model: string,
  ask: () => Promise<T>,
  faultOf: (error: unknown) => string,
): Promise<T> {
  const startedAtMs = performance.now();
  const record = (fault?: string): void =>
    modelDuration.record((performance.now() - startedAtMs) / 1_000, {
      'gen_ai.operation.name': 'chat',
      // Of the protocol.
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': model,
      ...(fault !== undefined && { 'error.type': fault }),
    });
  try {
    const answer = await ask();
    record();
    return answer;
  } catch (error) {
    record(faultOf(error));
    throw error;
  }
}
