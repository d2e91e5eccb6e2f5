import type { Recovery } from '@parley/contracts/webhook/v1/delivery';
import { z } from 'zod';
import { count } from '../../values/count.ts';
import { id } from '../../values/text.ts';
import { timestamp, toTimestamp, toTimestampOrNull } from '../../values/timestamp.ts';

/** The states of deliveries that a recovery may make due. */
export const recoverable = z.enum(['failed', 'skipped']);

const state = z.enum(['running', 'done', 'stopped']);

export const recovery = z
  .strictObject({
    id,
    state: state.meta({
      description: '`stopped`: the webhook was deactivated meanwhile',
      examples: ['running'],
    }),
    recovered: count.meta({ description: 'How many deliveries it has made due so far', examples: [500] }),
    since: timestamp,
    until: timestamp,
    states: z.array(recoverable).meta({ examples: [['failed', 'skipped']] }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable().meta({ description: 'Null while it is running', examples: [null] }),
  })
  .meta({ id: 'Recovery' });

/** Throws for an unknown state. */
export function toRecovery(row: Recovery): z.output<typeof recovery> {
  return {
    id: row.id,
    state: state.parse(row.state),
    recovered: row.recovered,
    since: toTimestamp(row.since),
    until: toTimestamp(row.until),
    states: row.states.map((one) => recoverable.parse(one)),
    createdAt: toTimestamp(row.createdAt),
    finishedAt: toTimestampOrNull(row.finishedAt),
  };
}
