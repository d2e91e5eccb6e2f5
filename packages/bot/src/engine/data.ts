import type { Shown } from '../questions/question-type.ts';

/**
 * The JSON text of an interaction's history: the `data` field and, byte for byte, the body of the webhook. Keys stand
 * in the order of the seed. What was shown with an answer is behind them.
 */
export function interactionData(history: {
  customerId: string;
  interactionId: string;
  evaluation: Record<string, string>;
  transcript: readonly { body: string; timestamp: number; type: string; shown?: Shown }[];
}): string {
  return JSON.stringify({
    customer_id: history.customerId,
    interaction_id: history.interactionId,
    evaluation: history.evaluation,
    transcript: history.transcript.map(({ body, timestamp, type, shown }) => ({
      body,
      timestamp,
      type,
      ...shown,
    })),
  });
}
