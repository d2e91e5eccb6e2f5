import { eventExamples } from '@parley/contracts/event-examples';
import { expect, test } from 'vitest';
import { sampleOf, tryFilter } from './try-filter.ts';

const completed = sampleOf({ data: eventExamples.InteractionCompleted });

test.each([
  ['int(evaluation.nps_score) < 7', completed, 'kept'],
  ["interaction.botKey == 'nps' && interaction.context.productName == 'Tea'", completed, 'passes'],
  ["event.type == 'InteractionCompleted'", '{}', 'passes'],
  ["evaluation.missing == ''", completed, { reason: expect.stringContaining('missing') as string }],
  ['true', '{"evaluation": {"nps_score": 9}}', { reason: 'evaluation.nps_score: must be a text in quotes' }],
  ['true', 'no JSON', { reason: expect.stringContaining('JSON') as string }],
])('%s', (filter, sample, outcome) => {
  expect(tryFilter(filter, 'InteractionCompleted', sample)).toEqual(outcome);
});

test('an event without an interaction has an empty one', () => {
  const sample = sampleOf({ data: eventExamples.CustomerAnonymised });
  expect(JSON.parse(sample)).toEqual({ interaction: { context: {} }, evaluation: {} });
});
