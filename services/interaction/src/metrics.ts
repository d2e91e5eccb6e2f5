import { oldestEventSeconds } from '@parley/events/outbox';
import { startGauge } from '@parley/runtime/gauge';
import type { Kysely } from 'kysely';
import type { Tables } from './schema.ts';

/** Begins to measure what waits before the webhook service has it, from the database: every copy tells the same. */
export function startMetrics(db: Kysely<Tables>): Disposable {
  return startGauge(
    'parley.interaction.outbox.oldest.age',
    {
      unit: 's',
      description:
        'For how long the oldest event has been waiting that the webhook service may not have; every copy tells the same',
    },
    () => oldestEventSeconds(db),
  );
}
