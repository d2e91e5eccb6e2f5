import { diffBots } from '@parley/bot/diff';
import { expect, test } from 'vitest';
import { diffText } from './diff-lines.ts';

test('a diff says where steps have moved, also those that have changed', () => {
  const step = (id: string, text: string) => ({ id, kind: 'ask', text, input: { type: 'text' } });
  const bot = { schemaVersion: 1, key: 'k', name: 'N', type: 'T' };
  const before = { ...bot, steps: [step('a', 'A?'), step('b', 'B?'), { id: 'bye', kind: 'end' }] };
  const after = { ...bot, steps: [step('b', 'B?'), step('a', 'Who?'), { id: 'bye', kind: 'end' }] };
  expect(diffText(diffBots(before, after))).toBe(
    [
      '~ step b, from place 2 to 1',
      '~ step a, from place 1 to 2',
      '    text',
      '    - "A?"',
      '    + "Who?"',
    ].join('\n'),
  );
  expect(diffText(diffBots(before, before))).toBe('There are no differences.');
});
