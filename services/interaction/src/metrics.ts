import { oldestEventSeconds } from '@parley/events/outbox';
import { startGauge } from '@parley/runtime/gauge';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Starts the gauge of the outbox. It reads the database, so every replica reports the same value. */
export function startMetrics(db: Kysely<Tables>): Disposable {
  return startGauge(
    'parley.interaction.outbox.oldest.age',
    {
      unit: 's',
      description:
        'Age of the oldest event that the webhook service may not hold; the same from every replica',
    },
    () => oldestEventSeconds(db),
  );
}
