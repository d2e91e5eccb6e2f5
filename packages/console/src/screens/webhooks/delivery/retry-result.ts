import type { Delivery } from '@parley/client';
import type { Workspace } from '../../../data/workspace.tsx';
import type { Texts } from '../../../texts/texts.tsx';
import { causeIn, outcomeOf } from './cause.ts';

/** How often, and how many times, the result of a retry is looked for. An attempt takes at most half a minute. */
const lookMs = 1_000;
const looksMax = 45;

/** Returns a delivery after the attempt that a retry has asked for, or as it is if that has to wait. */
export async function resultOf(
  { client }: Pick<Workspace, 'client'>,
  webhookId: string,
  retried: Delivery,
  everyMs = lookMs,
): Promise<Delivery> {
  let delivery = retried;
  for (let looks = 0; looks < looksMax; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, everyMs));
    delivery = await client.webhooks.deliveries.get(webhookId, retried.id);
    if (delivery.state !== 'pending' || delivery.attempts > retried.attempts) break;
  }
  return { ...delivery, attempts: delivery.attempts - retried.attempts };
}

/** Says what has become of a retry. `attempts` are those since. */
export function resultText(t: Texts['webhooks'], { state, attempts, lastError }: Delivery): string {
  if (state === 'succeeded') return t.retryDelivered;
  if (attempts > 0 && lastError !== null) return t.retryFailed(causeIn(t, outcomeOf(lastError)));
  return state === 'pending' ? t.retryWaits : t.states[state];
}
