import type { PendingInteraction, Snapshot } from '@parley/contracts/interaction/v1/conversation';
import { z } from 'zod';
import { specified } from '../message.ts';
import { timestamp, toTimestampOrNull } from '../timestamp.ts';
import { priority, status } from './interaction.ts';

/** A talk as the browser sees it. `input` has `stepId`, `type`, `required` and what the type needs. */
export const snapshot = z
  .strictObject({
    status,
    seq: z.int(),
    entries: z.array(
      z.strictObject({
        seq: z.int(),
        type: z.string(),
        body: z.string(),
        timestamp: z.number().meta({ description: 'Epoch seconds with fraction' }),
      }),
    ),
    input: z.record(z.string(), z.unknown()).nullable(),
    awaiting: z.string().nullable(),
    progress: z.number().min(0).max(1),
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'Snapshot' });

/** The interaction that waits for the customer. */
export const pending = z
  .strictObject({
    interactionId: z.string(),
    status,
    type: z.string(),
    priority,
    botName: z.string(),
    teaser: z.string(),
    expiresAt: timestamp.nullable(),
    more: z.int(),
  })
  .meta({ id: 'Pending' });

const input = z.record(z.string(), z.unknown());

/** The message in the public spelling, its input parsed. */
export function toSnapshot(message: Snapshot): z.output<typeof snapshot> {
  return {
    status: specified(message.status),
    seq: message.seq,
    entries: message.entries.map(({ seq, type, body, timestamp }) => ({ seq, type, body, timestamp })),
    input: message.inputJson ? input.parse(JSON.parse(message.inputJson)) : null,
    awaiting: message.awaiting ?? null,
    progress: message.progress,
    expiresAt: toTimestampOrNull(message.expiresAt),
  };
}

/** The message in the public spelling. */
export function toPending(message: PendingInteraction): z.output<typeof pending> {
  return {
    interactionId: message.interactionId,
    status: specified(message.status),
    type: message.type,
    priority: specified(message.priority),
    botName: message.botName,
    teaser: message.teaser,
    expiresAt: toTimestampOrNull(message.expiresAt),
    more: message.more,
  };
}
