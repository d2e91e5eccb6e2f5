import { oldestEventSeconds } from '@parley/events/outbox';
import { histogram, observedGauge } from '@parley/runtime/metrics';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

export const oldestAge = observedGauge({
  name: 'parley.interaction.outbox.oldest.age',
  unit: 's',
  description: 'Age of the oldest event that the webhook service may not hold; the same from every replica',
});

export const modelDuration = histogram({
  name: 'gen_ai.client.operation.duration',
  description: 'Duration of questions to the language model, with retries',
  attributes: ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model', 'error.type'],
  // Those of the semantic conventions.
  boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
});

/** Starts the gauge of the outbox. It reads the database. */
export function startMetrics(db: Kysely<Tables>): Disposable {
  return oldestAge.observe(async (report) => report(await oldestEventSeconds(db)));
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
