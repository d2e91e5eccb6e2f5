import type { Stats } from '@parley/contracts/webhook/v1/delivery';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

const breaker = z.enum(['closed', 'open']);
const pauseReason = z.enum(['rate_limited', 'unavailable', 'breaker']);
const inactiveReason = z.enum(['user', 'gone', 'auto']);

const delayReason = z.enum(['filter', 'workspace']);

const total = count.meta({ examples: [40] });
const milliseconds = count.meta({ examples: [48] });

export const webhookStats = z
  .strictObject({
    pending: total.meta({ description: 'Open deliveries, counted up to 10,000' }),
    oldestDueSeconds: z
      .number()
      .min(0)
      .meta({
        description: 'For how long the oldest of them has been due; 0 when none is',
        examples: [0.25],
      }),
    breaker: breaker.meta({ description: '`open` after many failures: one delivery at a time is tried' }),
    pausedUntil: timestamp.nullable().meta({
      description: 'The end of the pause, set by `Retry-After` or the breaker. Null without a pause',
      examples: [null],
    }),
    pauseReason: pauseReason.nullable().meta({
      description:
        'The receiver answered 429 (`rate_limited`) or 503 (`unavailable`) with `Retry-After`, or the `breaker` ' +
        'is open. Null without a pause',
      examples: [null],
    }),
    inactiveReason: inactiveReason.nullable().meta({
      description:
        '`user`: deactivated by a call. `gone`: the receiver answered 410. `auto`: it has failed for five days. Null ' +
        'while it is active',
      examples: [null],
    }),
    lastSuccessAt: timestamp.nullable(),
    failingSince: timestamp
      .nullable()
      .meta({ description: 'The first failure after the last success', examples: [null] }),
    disabledAt: timestamp
      .nullable()
      .meta({ description: 'When it is deactivated if it continues to fail', examples: [null] }),
    filtered: total.meta({ description: 'Events that the filter has kept back' }),
    filterErrors: count.meta({ description: 'Events for which the filter failed', examples: [0] }),
    lastFilterError: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed last', examples: [null] }),
    delayedSince: timestamp.nullable().meta({
      description:
        'Since when events wait before they become deliveries of this webhook, because its filter or its workspace ' +
        'needs much work. Null if none waits. It ends by itself',
      examples: [null],
    }),
    delayReason: delayReason.nullable().meta({
      description:
        '`filter`: the filter of this webhook is costly: use fewer or shorter conditions on long texts. `workspace`: ' +
        'many webhooks or many events. Null without a delay',
      examples: [null],
    }),
    waitingEvents: count.nullable().meta({
      description:
        'Events that wait so, counted up to 1,000. Null for a portal link of certain webhooks, from ' +
        'which all others are hidden',
      examples: [0],
    }),
    hours: z
      .array(
        z.strictObject({
          hour: timestamp.meta({ description: 'When it began', examples: ['2026-11-21T09:00:00.000000'] }),
          attempts: total,
          failures: count.meta({ examples: [2] }),
          meanMs: milliseconds,
          maxMs: milliseconds.meta({ examples: [310] }),
        }),
      )
      .meta({ description: 'The last 24 hours (UTC) that had attempts, oldest first; kept for 7 days' }),
  })
  .meta({ id: 'WebhookStats' });

/** Throws for unknown values. */
/** `isLimited`: for a portal link of certain webhooks. */
export function toWebhookStats(row: Stats, isLimited: boolean): z.output<typeof webhookStats> {
  return {
    pending: row.pending,
    oldestDueSeconds: row.oldestDueSeconds,
    breaker: breaker.parse(row.breaker),
    pausedUntil: toTimestampOrNull(row.pausedUntil),
    pauseReason: row.pauseReason === '' ? null : pauseReason.parse(row.pauseReason),
    inactiveReason: row.inactiveReason === '' ? null : inactiveReason.parse(row.inactiveReason),
    lastSuccessAt: toTimestampOrNull(row.lastSuccessAt),
    failingSince: toTimestampOrNull(row.failingSince),
    disabledAt: toTimestampOrNull(row.disabledAt),
    filtered: row.filtered,
    filterErrors: row.filterErrors,
    lastFilterError: row.lastFilterError ?? null,
    delayedSince: toTimestampOrNull(row.delayedSince),
    delayReason: row.delayReason === '' ? null : delayReason.parse(row.delayReason),
    waitingEvents: isLimited ? null : row.waitingEvents,
    hours: row.hours.map(({ hour, attempts, failures, meanMs, maxMs }) => ({
      hour: toTimestamp(hour),
      attempts,
      failures,
      meanMs,
      maxMs,
    })),
  };
}
