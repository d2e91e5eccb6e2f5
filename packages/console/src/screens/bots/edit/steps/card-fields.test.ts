import schema from '@parley/bot/schema' with { type: 'json' };
import { stepFields } from '@parley/bot/editing/forms';
import { expect, test } from 'vitest';
import { placeFields } from './card-fields.ts';

const names = (kind: string, mode?: string) => {
  const { first, more, ...others } = placeFields(stepFields(schema, kind, mode));
  return { first: first.map(({ name }) => name), more: more.map(({ name }) => name), ...others };
};

test('a card shows what its step needs, and folds the rest', () => {
  expect(names('ask')).toEqual({
    first: ['text'],
    more: ['required', 'evaluation', 'pii', 'prefill', 'retry'],
    hasInput: true,
    hasNext: true,
    mustDecide: false,
  });
  expect(names('branch')).toMatchObject({ first: [], more: [], hasNext: true, mustDecide: true });
  expect(names('end')).toMatchObject({ first: ['text'], hasNext: false });
  expect(names('llm', 'classify').first).toEqual(['prompt', 'onError', 'labels']);
  expect(names('unknown')).toEqual({
    first: [],
    more: [],
    hasInput: false,
    hasNext: false,
    mustDecide: false,
  });
});
