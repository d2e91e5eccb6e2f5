import { createClient, type Delivery } from '@parley/client';
import { expect, test } from 'vitest';
import { en } from '../../../texts/en/en.ts';
import { resultOf, resultText } from './retry-result.ts';

const t = en.webhooks;
const deliveryOf = (state: Delivery['state'], attempts: number, lastError: string | null = null): Delivery =>
  ({ id: 'd', state, attempts, lastError }) as Delivery;

/** Returns the client of a webhook whose delivery has these states, one after another. */
function clientOf(...states: Delivery[]) {
  let reads = 0;
  const fetch = async (): Promise<Response> => {
    const data = states[Math.min(reads, states.length - 1)];
    reads += 1;
    return Response.json({ success: true, code: 200, detail: 'OK', data, meta: null });
  };
  const client = createClient({ baseUrl: 'https://api.example', session: true, fetch }).workspace('w');
  return { client, reads: () => reads };
}

test('a retry is watched until it has an outcome, with the attempts since', async () => {
  const before = deliveryOf('pending', 3);
  const succeeding = clientOf(before, before, deliveryOf('succeeded', 4));
  expect(await resultOf(succeeding, 'w', before, 0)).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(succeeding.reads()).toBe(3);
  // It failed, and waits for the next attempt.
  const failing = clientOf(before, deliveryOf('pending', 4, 'http_500'));
  expect(await resultOf(failing, 'w', before, 0)).toMatchObject({ state: 'pending', attempts: 1 });
});

test('a retry that has to wait is not watched for ever', async () => {
  const before = deliveryOf('pending', 3);
  const waiting = clientOf(before);
  expect(await resultOf(waiting, 'w', before, 0)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(waiting.reads()).toBe(45);
});

test('the result says what has become of it', () => {
  expect(resultText(t, deliveryOf('succeeded', 1))).toBe(t.retryDelivered);
  expect(resultText(t, deliveryOf('pending', 1, 'http_500'))).toBe(t.retryFailed(t.serverFailed(500)));
  expect(resultText(t, deliveryOf('pending', 0, 'http_500'))).toBe(t.retryWaits);
  expect(resultText(t, deliveryOf('skipped', 0))).toBe(t.states.skipped);
});
