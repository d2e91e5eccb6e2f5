import { expect, test } from 'vitest';
import { interactionData } from './data.ts';

test('the history has the keys of the seed in their order, and nothing else', () => {
  const entry = { seq: 1, type: 'bot', body: 'Hi "Mia"', timestamp: 1763717400.123456, personal: [[4, 7]] };
  const text = interactionData({
    transcript: [entry],
    evaluation: { nps_score: '9' },
    interactionId: 'i-1',
    customerId: 'c-1',
  });
  expect(text).toBe(
    '{"customer_id":"c-1","interaction_id":"i-1","evaluation":{"nps_score":"9"},' +
      '"transcript":[{"body":"Hi \\"Mia\\"","timestamp":1763717400.123456,"type":"bot"}]}',
  );
});
